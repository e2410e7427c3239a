#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`nd ps` and `nd show` tell of running processes from outside: who listens, who is connected to whom and over which wire, who was
lost, and who does not answer."""
import json
import re
import signal
import subprocess
import sys

sys.dont_write_bytecode = True
from programs import DEADLINE_S, port_of, running, wait_for  # noqa: E402


def report(command, *words):
    done = subprocess.run([command, *words, "--json"], capture_output=True, text=True, timeout=DEADLINE_S)
    return json.loads(done.stdout) if done.returncode == 0 else []


def of_process(command, pid):
    return next((each for each in report(command, "ps") if each["pid"] == pid), None)


def counts(command, pid, name):
    process = of_process(command, pid)
    return sum(each["counts"][name] for each in process["interfaces"]) if process else None


def check_connection(command, transport):
    with running(command, "perf", "--server", "--persist", "--local", "127.0.0.1", "--port", "0", "--transport", transport) as server:
        port = port_of(server)
        wait_for(lambda: any(each["pid"] == server.pid and each["listens"] for each in report(command, "show", "listen")),
                 "nd show listen has the server")
        with running(command, "perf", "send_lat", "127.0.0.1", "--port", port, "--transport", transport, "--size", "8",
                     "--iters", "100000000") as client:
            # One to measure, one to speak of it.
            up = lambda: [each for each in report(command, "show", "conn", str(client.pid)) if each["state"] == "connected"]
            wait_for(lambda: len(up()) == 2, "nd show conn has the client's connections")
            connection = up()[0]
            assert connection["wire"] == transport and connection["peer"] == f"127.0.0.1:{port}", connection
            assert connection.get("peer_pid") == (server.pid if transport == "shm" else None), connection
            assert ("tcp" in connection) == (transport == "iwarp"), connection
            assert connection["path"].startswith("mapping, " if transport == "shm" else "tcp, crc32c"), connection
            text = subprocess.run([command, "show", "conn"], capture_output=True, text=True, timeout=DEADLINE_S).stdout
            assert re.search(rf"^ *{client.pid} +127\.0\.0\.1:\d+ +127\.0\.0\.1:{port} ", text, re.MULTILINE), text
            assert counts(command, server.pid, "active") == 2
            client.send_signal(signal.SIGKILL)
            client.wait()
            wait_for(lambda: counts(command, server.pid, "active") == 0, "the server's connections are gone")
            # TCP ends in order if nothing was on its way. The server may end the other one as soon as it has lost one.
            if transport == "shm":
                assert counts(command, server.pid, "errors") >= 1, "a killed client's connection is a lost one"
            events = lambda: subprocess.run([command, "dump", str(server.pid)], capture_output=True, text=True, timeout=DEADLINE_S,
                                            check=True).stdout
            peer = re.escape(connection["local"])
            story = rf"{peer}: up: this side accepted; over {transport}.*\n(.*\n)*.*{peer}: (lost|ended)"
            wait_for(lambda: re.search(story, events()), "nd dump has the life of the connection")  # the line follows the count
            if transport == "shm":
                assert re.search(r" 127\.0\.0\.1:\d+: lost: the peer's process has ended", events()), events()


def table(command, objects, pid):
    return subprocess.run([command, "show", objects, str(pid)], capture_output=True, text=True, timeout=DEADLINE_S, check=True).stdout


def check_stuck(command, program):
    """A program that forgot its receives: the receiver is told of the message that waits, the sender of the Send that stands."""
    with running(program, stdin=subprocess.PIPE) as stuck:
        assert stuck.stdout.readline() == "stuck\n"
        show = lambda objects: report(command, "show", objects, str(stuck.pid))
        sender, receiver = show("qp")
        assert (sender["requests"]["depth"], sender["requests"]["outstanding"], sender["receives"]["depth"]) == (7, 1, 3), sender
        oldest = {**sender["requests"]["oldest"]}
        assert oldest.pop("seen_ms") >= 200, sender  # the two looks
        assert oldest == {"operation": "Send", "bytes": 24, "context": "0x0", "started": True}, sender
        assert sender["moved"] is False and sender["state"] == "attached" and not sender["message_waits"], sender
        assert receiver["message_waits"] and "receives" not in receiver and receiver["requests"]["outstanding"] == 0, receiver
        assert (sender["local"], sender["peer"]) == (receiver["peer"], receiver["local"]), (sender, receiver)
        assert {each["queue_pair"] for each in show("conn")} == {sender["number"], receiver["number"]}
        text = table(command, "qp", stuck.pid)
        assert "stands: Send of 24 bytes, the peer has not taken it" in text, text
        assert re.search(r"a message waits for \d+\.\d+s: no receive is posted", text), text
        queues = {each["number"]: each for each in show("cq")}
        assert [each["depth"] for each in queues.values()] == [16, 16] and receiver["receive_cq"] in queues, queues
        (shared,) = show("srq")
        assert (shared["number"], shared["depth"], shared["posted"], shared["threshold"]) == (receiver["srq"], 5, 0, 2), shared
        (region,) = show("mr")
        assert region["bytes"] == 8192 and region["rights"] == ["local write", "remote read"], region
        (window,) = show("mw")
        assert window["bound"] is False, window
        for objects in ("cq", "srq", "mr", "mw"):
            assert re.search(rf"^ *{stuck.pid} ", table(command, objects, stuck.pid), re.MULTILINE), objects


def check_wrong_token(command, program):
    """A Write with a token that does not exist: the events name the token, the queue pair is in state error."""
    with running(program, "token", stdin=subprocess.PIPE, OPENND_LOG="off") as stuck:
        assert stuck.stdout.readline() == "stuck\n"
        events = report(command, "dump", str(stuck.pid))["events"]
        assert any("0x12345678" in each["text"] and "Write" in each["text"] for each in events), events
        assert report(command, "show", "qp", str(stuck.pid))[0]["state"] == "error"


def check_unanswered(command, program, transport):
    """A program that forgot Accept: both ends of the request that it holds, and the request that it has not taken, with their ages."""
    with running(program, "unanswered", stdin=subprocess.PIPE, OPENND_TRANSPORT=transport) as stuck:
        assert stuck.stdout.readline() == "stuck\n"
        listener = wait_for(lambda: next((each for each in report(command, "show", "listen", str(stuck.pid)) if each["waiting"]), None),
                            "nd show listen has the request that waits")
        assert (listener["backlog"], listener["waiting"], listener["takers"], listener["unanswered"]) == (1, 1, 0, 1), listener
        assert listener["oldest_ms"] >= 0, listener
        connections = report(command, "show", "conn", str(stuck.pid))
        states = sorted(each["state"] for each in connections)
        assert states == ["connected", "connected", "connecting", "connecting", "requested"], connections
        assert all(each["age_ms"] >= 0 for each in connections), connections
        held = next(each for each in connections if each["state"] == "requested")
        assert held["local"] == listener["local"] and held["peer"] in {each["local"] for each in connections}, connections
        text = " ".join(table(command, "conn", stuck.pid).split())
        assert "has called neither Accept nor Reject" in text and "Connect is pending" in text, text
        text = " ".join(table(command, "listen", stuck.pid).split())
        assert re.search(r"1 wait for GetConnectionRequest, the oldest for \d+\.\ds; 1 wait for Accept or Reject", text), text
        events = subprocess.run([command, "dump", str(stuck.pid)], capture_output=True, text=True, timeout=DEADLINE_S, check=True).stdout
        told = rf"^pending: connection {re.escape(held['local'])} - {re.escape(held['peer'])}: for \d+\.\d s: .* neither Accept nor Reject$"
        assert re.search(told, events, re.MULTILINE), events
        assert re.search(r"^pending: listener .*: 1 requests wait for GetConnectionRequest, the oldest for", events, re.MULTILINE), events


def check_wrong_wire(command):
    """Two programs of one host whose connection is over TCP: their connection tells the wire, nd info the one that a new connection
    would have, and the report of the server the setting that decided."""
    with running(command, "perf", "--server", "--persist", "--local", "127.0.0.1", "--port", "0", OPENND_TRANSPORT="iwarp") as server:
        port = port_of(server)
        with running(command, "perf", "send_lat", "127.0.0.1", "--port", port, "--size", "8", "--iters", "100000000") as client:
            connections = wait_for(lambda: [each for each in report(command, "show", "conn", str(client.pid)) if each["state"] == "connected"],
                                   "nd show conn has the client's connections")
            assert {each["wire"] for each in connections} == {"iwarp"}, connections
            text = table(command, "conn", client.pid)
            assert re.search(rf"^ *{client.pid} .* iwarp .*\n? +tcp, crc32c", text, re.MULTILINE), text
            peer = report(command, "info", "--peer", "127.0.0.1")["peer"]
            assert peer["transport"]["name"] == "shm", peer
            assert of_process(command, server.pid)["settings"]["OPENND_TRANSPORT"] == "iwarp"
            assert "OPENND_TRANSPORT" not in of_process(command, client.pid)["settings"]
            rates = subprocess.run([command, "stats", str(client.pid), "--interval", "0.2", "--count", "1"], capture_output=True, text=True,
                                   timeout=DEADLINE_S, check=True).stdout
            assert re.search(r"iwarp", rates), rates


def check_nobody_listens(command):
    """A port without a listener: the client says so, and nd show listen has those that there are."""
    with running(command, "ping", "--server", "--local", "127.0.0.1", "--port", "0") as server:
        port = port_of(server)
        other = str(int(port) - 1 if int(port) > 40000 else int(port) + 1)
        refused = subprocess.run([command, "ping", "127.0.0.1", "--port", other], capture_output=True, text=True, timeout=DEADLINE_S)
        assert refused.returncode == 1 and "ND_CONNECTION_REFUSED" in refused.stderr and "nobody listens" in refused.stderr, refused
        wait_for(lambda: any(each["pid"] == server.pid and each["listens"] for each in report(command, "show", "listen")),
                 "nd show listen has the server")
        at = {each["local"] for each in report(command, "show", "listen")}
        assert f"127.0.0.1:{port}" in at and f"127.0.0.1:{other}" not in at, at


def check_refusal(command):
    """A server that rejects a client: the server's events have the reason, though its log is off. The events of no process are an error."""
    with running(command, "ping", "--server", "--local", "127.0.0.1", "--port", "0", OPENND_LOG="off") as server:
        port = port_of(server)
        refused = subprocess.run([command, "perf", "send_lat", "127.0.0.1", "--port", port], capture_output=True, text=True, timeout=DEADLINE_S)
        assert refused.returncode == 1, refused
        wait_for(lambda: any("Reject" in each["text"] and each["level"] == "info"
                             for each in report(command, "dump", str(server.pid))["events"]), "nd dump has the Reject")
        events = report(command, "dump", str(server.pid))["events"]
        assert [each["at_us"] for each in events] == sorted(each["at_us"] for each in events), events
    done = subprocess.run([command, "dump", str(server.pid)], capture_output=True, text=True, timeout=DEADLINE_S)
    assert done.returncode == 1 and "no such process" in done.stderr, done


def check_faults(command):
    """Somebody who looks from outside sees that a process has faults on purpose."""
    plan = "read:denied nth=1000000; peer:dies after=1000s"
    with running(command, "ping", "--server", "--local", "127.0.0.1", "--port", "0", OPENND_FAULTS=plan) as server:
        port_of(server)
        rules = report(command, "show", "faults", str(server.pid))
        assert rules == [{"pid": server.pid, "rule": rule, "events": 0, "injected": 0} for rule in plan.split("; ")], rules
        assert re.search(rf"^ *{server.pid} +0 +0  peer:dies after=1000s$", table(command, "faults", server.pid), re.MULTILINE)
        told = f"process {server.pid} has faults on purpose, 0 so far: nd show faults {server.pid}\n"
        assert told in table(command, "conn", server.pid)
        assert told in subprocess.run([command, "ps"], capture_output=True, text=True, timeout=DEADLINE_S).stdout
    with running(command, "ping", "--server", "--local", "127.0.0.1", "--port", "0") as server:
        port_of(server)
        assert report(command, "show", "faults", str(server.pid)) == []
        assert table(command, "faults", server.pid) == "no faults on purpose\n"
        assert "on purpose" not in table(command, "conn", server.pid)


def check_silence(command):
    with running(command, "ping", "--server", "--local", "127.0.0.1", "--port", "0", OPENND_INSPECTION="off") as hidden:
        port_of(hidden)
        assert of_process(command, hidden.pid) is None
        done = subprocess.run([command, "show", "conn", str(hidden.pid)], capture_output=True, text=True, timeout=DEADLINE_S)
        assert done.returncode == 1 and "no such process" in done.stderr, done
    with running(command, "ping", "--server", "--local", "127.0.0.1", "--port", "0") as stopped:
        port_of(stopped)
        wait_for(lambda: of_process(command, stopped.pid), "nd ps has the server")
        stopped.send_signal(signal.SIGSTOP)
        answer = of_process(command, stopped.pid)
        assert "does not answer" in answer["refusal"], answer
        text = subprocess.run([command, "ps"], capture_output=True, text=True, timeout=DEADLINE_S).stdout
        assert f"process {stopped.pid}: it does not answer" in text, text


def main():
    command, stuck_program = sys.argv[1:]
    for transport in ("shm", "iwarp"):
        check_connection(command, transport)
    check_stuck(command, stuck_program)
    check_wrong_token(command, stuck_program)
    for transport in ("loopback", "shm", "iwarp"):
        check_unanswered(command, stuck_program, transport)
    check_wrong_wire(command)
    check_nobody_listens(command)
    check_refusal(command)
    check_faults(command)
    check_silence(command)


if __name__ == "__main__":
    main()
