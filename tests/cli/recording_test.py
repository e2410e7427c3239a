#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Ages, times and events of requests, from outside: how long the oldest request of a queue pair stands, with and without a clock; histograms in the
report, in `nd stats` and for Prometheus; posts and results in `nd dump`; counts by interface version."""
import json
import re
import subprocess
import sys
import time

sys.dont_write_bytecode = True
from metrics_test import Metrics, check_format  # noqa: E402
from programs import port_of, run, running, wait_for  # noqa: E402

MESSAGES = 3000


def answer(command, *words):
    done = run(command, *words, "--json")
    assert done.returncode == 0, done
    return json.loads(done.stdout)


def report(command, pid):
    return next((each for each in answer(command, "ps") if each["pid"] == pid), None)


def stuck_program(program, *words, **environment):
    return running(program, *words, stdin=subprocess.PIPE, **environment)


def queue_pairs(command, pid, over="0"):
    return answer(command, "show", "qp", str(pid), "--over", over)


def check_ages_without_a_clock(command, program):
    """Looks alone know how long a request has been the oldest; the message without a receive knows it itself."""
    with stuck_program(program) as stuck:
        assert stuck.stdout.readline() == "stuck\n"
        sender, receiver = queue_pairs(command, stuck.pid)
        assert sender["requests"]["oldest"]["seen_ms"] == 0 and "age_ms" not in sender["requests"]["oldest"], sender
        begun = time.monotonic()
        sender = wait_for(lambda: next((each for each in queue_pairs(command, stuck.pid)
                                        if each.get("requests", {}).get("oldest", {}).get("seen_ms", 0) >= 50), None), "the looks add up")
        assert sender["requests"]["oldest"]["seen_ms"] <= (time.monotonic() - begun) * 1000 + 1000, sender
        assert receiver["message_waits"] and receiver["messages_waited"] == 1 and receiver["message_age_ms"] >= 0, receiver
        assert "requests" in receiver and "oldest" not in receiver["requests"], receiver
        text = run(command, "show", "qp", str(stuck.pid)).stdout
        assert re.search(r" >\d+\.\d+s\s+stands: Send of 24 bytes, the peer has not taken it$", text, re.MULTILINE), text
        assert re.search(r" -\s+a message waits for \d+\.\d+s: no receive is posted$", text, re.MULTILINE), text
        queues = answer(command, "show", "cq", str(stuck.pid))
        assert all("poller" not in each for each in queues)
        loops = {each["loop"] for each in queues if "loop" in each}
        assert loops == ({0} if sender["wire"] == "iwarp" else set()), queues
        assert all("latencies" not in each for each in report(command, stuck.pid)["interfaces"])
        assert "requests" not in answer(command, "dump", str(stuck.pid))


def check_ages_with_a_clock(command, program, **environment):
    with stuck_program(program, OPENND_LATENCY="on", **environment) as stuck:
        assert "stuck\n" in iter(stuck.stdout.readline, ""), "diagnostics may come before"
        oldest = lambda: queue_pairs(command, stuck.pid)[0]["requests"]["oldest"]
        first = oldest()
        assert (first["operation"], first["bytes"], first["context"]) == ("Send", 24, "0x0"), first
        wait_for(lambda: oldest()["age_ms"] >= first["age_ms"] + 50, "the request grows older")
        text = run(command, "show", "qp", str(stuck.pid)).stdout
        assert re.search(r" \d+\.\d+s\s+stands: Send of 24 bytes", text, re.MULTILINE), text
        # The receiver's queue was polled once, by the only thread of the program, in vain.
        queues = answer(command, "show", "cq", str(stuck.pid))
        assert [each["poller"] for each in queues if "poller" in each] == [{"thread": stuck.pid}], queues


def server_of(command, transport, **environment):
    return running(command, "perf", "--server", "--persist", "--local", "127.0.0.1", "--port", "0", "--transport", transport, **environment)


def check_latencies(command, promtool, transport):
    with server_of(command, transport, OPENND_LATENCY="on") as server:
        port = port_of(server)
        client = run(command, "perf", "send_bw", "127.0.0.1", "--port", port, "--transport", transport, "--iters", str(MESSAGES), "--warmup", "0")
        assert client.returncode == 0, client
        pid = str(server.pid)

        def of_the_same_moment():
            """What ps and stats tell of Receives, if no result was taken in between: the server's last ones may come behind the client's end."""
            receive, told = (next(each for each in interfaces[0]["latencies"] if each["operation"] == "Receive") for interfaces in
                             (report(command, server.pid)["interfaces"], answer(command, "stats", pid)["interfaces"]))
            return (receive, told) if receive["count"] == told["count"] else None

        receive, row = wait_for(of_the_same_moment, "no more results are taken")
        assert (receive["wire"], receive["api"]) == (transport, "nd2") and receive["count"] >= MESSAGES, receive
        assert sum(count for _, count in receive["buckets"]) == receive["count"], receive
        ends = [end for end, _ in receive["buckets"]]
        assert ends == sorted(ends) and receive["longest_ns"] <= ends[-1], receive
        assert receive["sum_ns"] <= receive["count"] * receive["longest_ns"], receive
        assert 0 < row["p50_ns"] <= row["p99_ns"] <= row["longest_ns"] == receive["longest_ns"], (row, receive)
        text = run(command, "stats", pid, "--interval", "0.1", "--count", "1").stdout
        assert "LONGEST" not in text, f"nothing has ended in the interval: {text}"
        text = run(command, "stats", pid).stdout
        assert re.search(rf"^Receive +nd2 +{transport} +{receive['count']} ", text, re.MULTILINE), text
        assert all(len(line) <= 80 for line in text.splitlines()), text
        check_histogram(command, promtool, pid, transport, receive)


def check_histogram(command, promtool, pid, transport, receive):
    metrics = Metrics(run(command, "metrics").stdout)
    check_format(promtool, metrics.text)
    name = "opennd_request_duration_seconds"
    assert metrics.types[name] == "histogram", metrics.types
    labels = {"pid": pid, "interface": "lo", "api": "nd2", "wire": transport, "operation": "Receive"}
    buckets = [(float(has["le"]), value) for each, has, value in metrics.samples
               if each == f"{name}_bucket" and labels.items() <= has.items()]
    assert buckets == sorted(buckets) and buckets[-1] == (float("inf"), receive["count"]), buckets
    assert [value for _, value in buckets] == sorted(value for _, value in buckets), buckets
    for end, value in buckets[:-1]:
        assert value == sum(count for longest, count in receive["buckets"] if longest is not None and longest <= end * 1e9 + 0.5), (end, value)
    assert metrics.values(f"{name}_count", **labels) == [receive["count"]]
    assert abs(metrics.sum(f"{name}_sum", **labels) - receive["sum_ns"] / 1e9) < 1e-6


def check_events(command, program):
    """The newest posts and results, also of a request that fails; without the setting the failure alone."""
    with stuck_program(program, "token", OPENND_DUMP_REQUESTS="2") as stuck:
        assert stuck.stdout.readline() == "stuck\n"
        (sender,) = [each for each in answer(command, "dump", str(stuck.pid))["requests"] if each["events"]]
        assert (sender["queue"], sender["number"], sender["closed"], sender["left_out"]) == ("queue pair", 1, False, 0), sender
        posted, result = sender["events"]
        assert (posted["event"], posted["operation"], posted["bytes"], posted["thread"]) == ("posted", "Write", 24, stuck.pid), posted
        assert (result["event"], result["status"]) == ("result", "remote_access_violation"), result
        assert posted["at_us"] <= result["at_us"] and result["took_ns"] > 0, sender
        text = run(command, "dump", str(stuck.pid)).stdout
        post = r"request: queue pair 1: Write of 24 bytes, request context 0x0: "
        assert re.search(post + r"posted\n(.*\n)*.*" + post + r"remote_access_violation after \d+\.\d us\n", text), text
        times = [line[:26] for line in text.splitlines()]
        assert times == sorted(times), text
    with stuck_program(program, "token") as stuck:
        assert stuck.stdout.readline() == "stuck\n"
        events = answer(command, "dump", str(stuck.pid))["events"]
        assert any("queue pair 1: Write" in each["text"] for each in events), events
        assert any("Write" in each["text"] and "0x12345678" in each["text"] for each in events), events


def check_faces(command):
    """Both sides in one process, one by version 1 and one by NDKPI: the counts of each are apart, and add up."""
    with running(command, "perf", "send_lat", "--threads", "--api", "nd1", "--peer-api", "ndk", "--transport", "loopback", "--size", "8", "--iters",
                 "1000000000") as both:
        def interface():
            each = report(command, both.pid)
            return each and next((on for on in each["interfaces"] if on["counts"]["active"] == 4), None)
        on = wait_for(interface, "both connections are up at both ends")
        apis = {each["api"]: each for each in on["apis"]}
        assert sorted(apis) == ["nd1", "ndk"], on
        assert (apis["nd1"]["counts"]["connects"], apis["nd1"]["counts"]["accepts"]) == (2, 0), apis
        assert (apis["ndk"]["counts"]["connects"], apis["ndk"]["counts"]["accepts"]) == (0, 2), apis
        wait_for(lambda: all(each["traffic"] and each["traffic"][0]["frames_out"] > 0 for each in interface()["apis"]), "both send")
        assert {(each["api"], each["owner"]) for each in on["connections"]} == {("nd1", "user"), ("ndk", "kernel")}, on
        metrics = Metrics(run(command, "metrics").stdout)
        for api in ("nd1", "ndk"):
            assert metrics.values("opennd_connections", pid=str(both.pid), wire="loopback", api=api) == [2], metrics.text
        assert metrics.values("opennd_accepts_total", pid=str(both.pid), api="ndk") == [2]


def check_tcp(command):
    with server_of(command, "iwarp") as server:
        port = port_of(server)
        with running(command, "perf", "send_lat", "127.0.0.1", "--port", port, "--transport", "iwarp", "--size", "8", "--iters", "1000000000") as client:
            pair = wait_for(lambda: report(command, client.pid) and next((each for each in queue_pairs(command, client.pid) if "tcp" in each), None),
                            "a queue pair over TCP")
            tcp = pair["tcp"]
            assert tcp["timeouts"] == 0 and tcp["round_trip_us"] > 0 and tcp["sent_ms_ago"] < 60_000, tcp
            loops = {each["loop"] for each in answer(command, "show", "cq", str(client.pid)) if "loop" in each}
            assert loops == {0}, "a client that polls leaves its sockets to the first loop"
            assert tcp.keys() == {"retransmitted", "timeouts", "unacknowledged", "round_trip_us", "sent_ms_ago", "received_ms_ago"}, tcp


def main():
    command, program, promtool = sys.argv[1:]
    check_ages_without_a_clock(command, program)
    check_ages_with_a_clock(command, program)
    check_ages_with_a_clock(command, program, OPENND_CHECK="warn")
    for transport in ("shm", "iwarp"):
        check_latencies(command, promtool, transport)
    check_events(command, program)
    check_faces(command)
    check_tcp(command)


if __name__ == "__main__":
    main()
