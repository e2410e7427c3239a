#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`nd stats` and `nd metrics` count what processes transfer: the numbers go up by it, Prometheus' promtool takes the text, words of other
processes do no harm, HTTP has /metrics alone, and a file is whole whenever it is read."""
import contextlib
import json
import os
import re
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

sys.dont_write_bytecode = True
from programs import DEADLINE_S, line_with, port_of, run, running, wait_for  # noqa: E402

SAMPLE = re.compile(r'^(\w+)(?:\{(.*)\})? (\S+)$')
LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')


class Metrics:
    """The samples of a text, and the types of its families."""

    def __init__(self, text):
        self.text = text
        assert text.endswith("\n"), "the last line has no end"
        self.types = dict(re.findall(r"^# TYPE (\w+) (\w+)$", text, re.MULTILINE))
        self.samples = []
        for line in text.splitlines():
            if not line.startswith("#"):
                found = SAMPLE.match(line)
                assert found, line
                self.samples.append((found[1], dict(LABEL.findall(found[2] or "")), float(found[3])))

    def values(self, name, **labels):
        return [value for each, has, value in self.samples if each == name and labels.items() <= has.items()]

    def sum(self, name, **labels):
        return sum(self.values(name, **labels))


def metrics(command):
    done = run(command, "metrics")
    assert done.returncode == 0, done
    return Metrics(done.stdout)


def check_format(promtool, text):
    if not promtool:
        return
    done = run(promtool, "check", "metrics", input=text)
    assert done.returncode == 0 and not done.stderr, (done, text)


def report(command, pid):
    return next((each for each in json.loads(run(command, "ps", "--json").stdout) if each["pid"] == pid), None)


def stats(command, pid, *words):
    done = run(command, "stats", str(pid), "--json", *words)
    assert done.returncode == 0, done
    return done.stdout


def totals(command, pid):
    """The counters of the only interface that the process has opened."""
    interfaces = json.loads(stats(command, pid))["interfaces"]
    assert len(interfaces) == 1, interfaces
    return interfaces[0]


def server_of(command, transport):
    return running(command, "perf", "--server", "--persist", "--local", "127.0.0.1", "--port", "0", "--transport", transport)


# Messages of the measurement; the client and the server exchange a few more to agree on it.
SIZE, MESSAGES, WARMUP = 1000, 4000, 100
SENT = SIZE * (MESSAGES + WARMUP)


def check_traffic(command, promtool, transport):
    with server_of(command, transport) as server:
        port = port_of(server)
        pid = str(server.pid)
        before = totals(command, pid)
        assert before["counters"]["RDMA Inbound Bytes"] == 0 and before["wires"] == {}, before
        client = run(command, "perf", "send_bw", "127.0.0.1", "--port", port, "--transport", transport, "--size", str(SIZE), "--iters",
                     str(MESSAGES), "--warmup", str(WARMUP))
        assert client.returncode == 0, client
        # Both sides have ended; the counts of connections that are gone stay.
        wait_for(lambda: totals(command, pid)["counters"]["RDMA Active Connections"] == 0, "the connections have ended")
        after = totals(command, pid)
        counters = after["counters"]
        assert counters["RDMA Accepted Connections"] == 2 and counters["RDMA Initiated Connections"] == 0, counters
        assert SENT <= counters["RDMA Inbound Bytes"] <= 1.2 * SENT, (SENT, counters)
        assert MESSAGES + WARMUP <= counters["RDMA Inbound Frames"] <= 1.2 * (MESSAGES + WARMUP), counters
        assert 0 < counters["RDMA Outbound Bytes"] < 0.2 * SENT, counters
        assert list(after["wires"]) == [transport], after
        assert after["wires"][transport]["counters"]["RDMA Inbound Bytes"] == counters["RDMA Inbound Bytes"], after
        check_tables(command, pid, counters)
        check_metrics(command, promtool, pid, counters, transport)
        check_ndk_sums(command, pid, counters)


def check_tables(command, pid, counters):
    text = run(command, "stats", pid).stdout
    assert re.search(rf"^process {pid} \(nd\), interface lo$", text, re.MULTILINE), text
    for name, value in counters.items():
        assert re.search(rf"^{name} +{value}$", text, re.MULTILINE), (name, text)
    text += run(command, "stats", pid, "--interval", "0.1", "--count", "1").stdout
    assert "PER SECOND" in text and all(len(line) <= 80 for line in text.splitlines()), text


def check_metrics(command, promtool, pid, counters, transport):
    told = metrics(command)
    check_format(promtool, told.text)
    assert told.sum("opennd_process_up", pid=pid) == 1
    assert told.sum("opennd_process_info", pid=pid, program="nd", user=str(os.geteuid())) == 1
    wire = {"pid": pid, "program": "nd", "interface": "lo", "wire": transport}
    for metric, name in (("receive_bytes", "Inbound Bytes"), ("transmit_bytes", "Outbound Bytes"), ("receive_frames", "Inbound Frames"),
                         ("transmit_frames", "Outbound Frames")):
        assert told.values(f"opennd_{metric}_total", **wire) == [counters[f"RDMA {name}"]], (metric, told.text)
    assert told.values("opennd_accepts_total", pid=pid, interface="lo") == [2]
    assert told.values("opennd_listeners", pid=pid, api="nd2") == [1]
    assert told.values("opennd_connections", api="nd2", **wire) == [0]
    assert all((kind == "counter") == name.endswith("_total") for name, kind in told.types.items()), told.types


# The report is the source of all.
def check_ndk_sums(command, pid, counters):
    traffic = report(command, int(pid))["interfaces"][0]["traffic"]
    assert sum(each["bytes_in"] for each in traffic) == counters["RDMA Inbound Bytes"], traffic


def rates_that_add_up(command, pid):
    """The rates of three intervals of half a second: with the times that they cover, they give the growth of the last two."""
    begun = time.monotonic()
    lines = [json.loads(each) for each in stats(command, pid, "--interval", "0.5", "--count", "3").splitlines()]
    assert time.monotonic() - begun >= 1.5, "three intervals take their time"
    assert len(lines) == 3, lines
    intervals = [each["interfaces"][0] for each in lines]
    assert all(each["seconds"] > 0 for each in intervals), intervals
    grown = intervals[2]["counters"]["RDMA Outbound Frames"] - intervals[0]["counters"]["RDMA Outbound Frames"]
    said = sum(each["rates"]["RDMA Outbound Frames/sec"] * each["seconds"] for each in intervals[1:])
    assert grown > 0 and abs(said - grown) < 0.5, (grown, said)
    return [each["rates"] for each in intervals]


def check_rates(command, transport):
    with server_of(command, transport) as server:
        port = port_of(server)
        with running(command, "perf", "send_lat", "127.0.0.1", "--port", port, "--transport", transport, "--size", "64", "--iters",
                     "1000000000") as client:
            def frames():
                each = report(command, client.pid)
                return each and sum(wire["frames_out"] for on in each["interfaces"] for wire in on["traffic"]) > 1000
            wait_for(frames, "the client sends")
            rates = rates_that_add_up(command, client.pid)
            assert rates[2]["RDMA Initiated Connections/sec"] == 0, rates
            assert rates[2]["RDMA Inbound Bytes/sec"] > 64, rates
            assert metrics(command).values("opennd_connections", pid=str(client.pid), wire=transport, api="nd2") == [2]


class Impostor:
    """This process tells of itself what it likes, as any of the user may."""

    def __init__(self, answer):
        self.answer = json.dumps(answer).encode() if not isinstance(answer, bytes) else answer
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.socket.bind(f"\0opennd.inspection/{os.getpid()}")
        self.socket.listen(64)
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()

    def serve(self):
        with contextlib.suppress(OSError):
            while True:
                visitor, _ = self.socket.accept()
                with visitor, contextlib.suppress(OSError):
                    visitor.recv(32)  # the question
                    visitor.send(str(len(self.answer)).encode())
                    for at in range(0, len(self.answer), 32768):
                        visitor.send(self.answer[at:at + 32768])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.shutdown(socket.SHUT_RDWR)
        self.thread.join(DEADLINE_S)
        self.socket.close()


def interface(name, index, wires=("shm",), **more):
    return {"index": index, "name": name,
            "counts": {"connects": 1, "accepts": 2, "failures": 3, "errors": 4, "active": 5, "queue_errors": 6},
            "traffic": [{"wire": each, "bytes_in": 10, "bytes_out": 20, "frames_in": 1, "frames_out": 2} for each in wires],
            "connections": [{"local": "a", "peer": "b", "wire": each, "owner": "somebody", "age_ms": 1} for each in wires],
            "endpoints": [], **more}


def check_words_of_others(command, promtool):
    pid = str(os.getpid())
    nasty = 'a"b\\c\nd{}é'
    odd = {"pid": 1, "user": 0, "program": nasty * 30, "version": nasty, "settings": {},
           "interfaces": [interface(nasty, 1, ("shm", "shm", "own wire", "another")), interface("", 7), interface("", 7), interface("lo", 1)]}
    with Impostor(odd):
        told = metrics(command)
        check_format(promtool, told.text)
        assert told.sum("opennd_process_up", pid=pid) == 1, "the pid is the kernel's"
        programs = {labels["program"] for name, labels, _ in told.samples if name == "opennd_accepts_total" and labels["pid"] == pid}
        assert len(programs) == 1 and len(programs.pop()) <= 2 * 64, programs
        assert told.values("opennd_accepts_total", pid=pid, interface="#7") == [4], "what stands twice is summed"
        assert sorted(told.values("opennd_receive_bytes_total", pid=pid, interface="lo")) == [10]
        assert sorted(told.values("opennd_receive_bytes_total", pid=pid, wire="other")) == [20], told.text
        text = run(command, "stats", pid).stdout
        assert all(len(line) <= 80 for line in text.splitlines()) and "#7" in text, text
    many = {**odd, "program": "crowd", "interfaces": [interface(f"if{i}", i) for i in range(1000)]}
    with Impostor(many):
        told = metrics(command)
        check_format(promtool, told.text)
        assert len(told.values("opennd_accepts_total", pid=pid)) == 65
        assert told.values("opennd_accepts_total", pid=pid, interface="other") == [2 * (1000 - 64)]
    # A version before this one has no traffic.
    old = interface("lo", 1)
    del old["traffic"]
    with Impostor({**odd, "interfaces": [old]}):
        told = metrics(command)
        check_format(promtool, told.text)
        assert told.values("opennd_accepts_total", pid=pid) == [2] and not told.values("opennd_receive_bytes_total", pid=pid)
        assert "Bytes" not in run(command, "stats", pid).stdout
    no_form = ({**odd, "interfaces": [interface("lo", 1, traffic=[{"wire": "shm", "bytes_in": -1}])]}, b"{", b"[" * 100000)
    for wrong in no_form:
        with Impostor(wrong):
            told = metrics(command)
            check_format(promtool, told.text)
            assert told.values("opennd_process_up", pid=pid) == [0] and told.sum("opennd_processes", answer="invalid") >= 1, told.text


def check_silence(command, promtool):
    with running(command, "ping", "--server", "--local", "127.0.0.1", "--port", "0") as stopped:
        port_of(stopped)
        wait_for(lambda: report(command, stopped.pid), "nd ps has the server")
        stopped.send_signal(signal.SIGSTOP)
        told = metrics(command)
        check_format(promtool, told.text)
        assert told.values("opennd_process_up", pid=str(stopped.pid)) == [0], told.text
        assert told.sum("opennd_processes", answer="timeout") >= 1, told.text
        assert told.sum("opennd_scrape_duration_seconds") > 1, told.text


def fetch(url, method="GET"):
    try:
        with urllib.request.urlopen(urllib.request.Request(url, method=method), timeout=DEADLINE_S) as answer:
            return answer.status, answer.headers, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers, error.read().decode()


def check_server(command, promtool):
    with running(command, "ping", "--server", "--local", "127.0.0.1", "--port", "0") as program, \
            running(command, "metrics", "--listen", "127.0.0.1:0") as server:
        port_of(program)
        url = line_with(server, r"(http://127\.0\.0\.1:\d+/metrics)$")
        status, headers, text = fetch(url)
        assert status == 200 and headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8", (status, headers)
        check_format(promtool, text)
        assert Metrics(text).values("opennd_process_up", pid=str(program.pid)) == [1], text
        assert fetch(url + "?name=value")[0] == 200
        status, headers, text = fetch(url, "HEAD")
        assert status == 200 and int(headers["Content-Length"]) > 0 and text == "", (status, headers)
        root = url.removesuffix("metrics")
        for other in (root, root + "metric", url + "/", url + "/deeper", root + "%00", root + "..%2fmetrics"):
            assert fetch(other)[0] == 404, other
        for method in ("POST", "PUT", "DELETE"):
            status, headers, _ = fetch(url, method)
            assert status == 405 and headers["Allow"] == "GET, HEAD", (method, status)
        address = re.search(r"127\.0\.0\.1:\d+", url).group()
        # Clients that send half a request, or nothing, hold up nobody.
        host, port = address.split(":")
        silent = [socket.create_connection((host, int(port)), DEADLINE_S) for _ in range(8)]
        for each in silent[:4]:
            each.sendall(b"GET /metrics HTTP/1.1\r\nHost:")
        assert fetch(url)[0] == 200
        for each in silent:
            each.close()
        taken = run(command, "metrics", "--listen", address)
        assert taken.returncode == 1 and "Address already in use" in taken.stderr, taken
        server.send_signal(signal.SIGTERM)
        assert server.wait(DEADLINE_S) == 0
    with running(command, "metrics", "--listen", "0") as server:
        assert fetch(line_with(server, r"(http://127\.0\.0\.1:\d+/metrics)$"))[0] == 200
        server.send_signal(signal.SIGINT)
        assert server.wait(DEADLINE_S) == 130


def check_file(command, promtool):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "opennd.prom")
        assert run(command, "metrics", "--output", path).returncode == 0
        with open(path, encoding="utf-8") as first:
            assert stat.S_IMODE(os.fstat(first.fileno()).st_mode) == 0o644
            assert run(command, "metrics", "--output", path).returncode == 0
            # A reader that has opened the old one reads all of it.
            old = first.read()
            assert os.fstat(first.fileno()).st_ino != os.stat(path).st_ino, "the file was written to, not replaced"
        check_format(promtool, old)
        assert Metrics(old).values("opennd_scrape_duration_seconds"), old
        # The disk is full: the last whole file stays, and nothing else.
        with open(path, encoding="utf-8") as last:
            before = last.read()
        full = subprocess.run(["prlimit", "--fsize=16:16", command, "metrics", "--output", path], capture_output=True, text=True,
                              timeout=DEADLINE_S, restore_signals=False)  # Python ignores SIGXFSZ
        assert full.returncode == 1 and "cannot write" in full.stderr, full
        with open(path, encoding="utf-8") as last:
            assert last.read() == before
        assert os.listdir(folder) == ["opennd.prom"], os.listdir(folder)
        check_readers(command, path)


def check_readers(command, path):
    stop = threading.Event()
    torn = []

    def read_all_the_time():
        while not stop.is_set():
            with open(path, encoding="utf-8") as file:
                text = file.read()
            if not re.search(r"^opennd_scrape_duration_seconds \S+\n\Z", text, re.MULTILINE):
                torn.append(text)

    reader = threading.Thread(target=read_all_the_time)
    reader.start()
    try:
        for _ in range(20):
            assert run(command, "metrics", "--output", path).returncode == 0
    finally:
        stop.set()
        reader.join(DEADLINE_S)
    assert not torn, torn[0]


def main():
    command, promtool = sys.argv[1], sys.argv[2]
    if not promtool:
        print("promtool is missing: nobody checks the format")
    for transport in ("shm", "iwarp"):
        check_traffic(command, promtool, transport)
        check_rates(command, transport)
    check_words_of_others(command, promtool)
    check_silence(command, promtool)
    check_server(command, promtool)
    check_file(command, promtool)


if __name__ == "__main__":
    main()
