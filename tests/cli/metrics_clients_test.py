#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`nd metrics --listen` and clients that mean it ill: each gets a definite answer or is hung up on, Prometheus gets its metrics all the same,
and the server keeps its memory, and ends when it is told to.

    metrics_clients_test.py ND
"""
import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import unittest
import urllib.request

sys.dont_write_bytecode = True
from metrics_test import Impostor, Metrics, interface  # noqa: E402
from programs import DEADLINE_S, line_with, running, wait_for  # noqa: E402

ND = sys.argv[1] if len(sys.argv) > 1 else ""
MOST_CLIENTS, PATIENCE_S = 64, 10  # of the server: docs/metrics.md
GET = b"GET /metrics HTTP/1.1\r\nHost: here\r\n\r\n"
MEMORY_MB = 48  # more than the server ever needs for its clients
# A process that is visited by the one of its argument, says nothing, and tells of both. Other visitors, of programs beside the test, are
# hung up on.
SILENT = """import os, socket, struct, sys
made = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
made.bind(f"\\0opennd.inspection/{os.getpid()}")
made.listen(64)
os.write(1, b"s")
visitor, process = None, 0
while process != int(sys.argv[1]):
    visitor = made.accept()[0]
    process = struct.unpack("3i", visitor.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[0]
os.write(1, b"v")
while visitor.recv(100):
    pass
os.write(1, b"e")"""


def memory_mb(pid):
    with open(f"/proc/{pid}/status", encoding="utf-8") as status:
        return int(re.search(r"VmRSS:\s+(\d+) kB", status.read())[1]) // 1024


class MetricsClientsTest(unittest.TestCase):
    def setUp(self):
        self.open = contextlib.ExitStack()
        self.addCleanup(self.open.close)
        self.server = self.open.enter_context(running(ND, "metrics", "--listen", "0"))
        self.port = int(line_with(self.server, r"http://127\.0\.0\.1:(\d+)/metrics$"))
        self.memory_mb = memory_mb(self.server.pid)

    def client(self):
        made = socket.create_connection(("127.0.0.1", self.port), DEADLINE_S)
        self.open.callback(made.close)
        return made

    def ask(self, request):
        """All that comes back until the server hangs up; bytes that it does not read become a reset."""
        client = self.client()
        with contextlib.suppress(OSError):
            client.sendall(request)
            client.shutdown(socket.SHUT_WR)
        answer = b""
        with contextlib.suppress(ConnectionResetError):
            while octets := client.recv(65536):
                answer += octets
        return answer

    def assert_serves(self):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/metrics", timeout=DEADLINE_S) as answer:
            self.assertEqual(answer.status, 200)
            self.assertIn(b"opennd_scrape_duration_seconds", answer.read())
        self.assertIsNone(self.server.poll(), "the server runs")
        self.assertLess(memory_mb(self.server.pid) - self.memory_mb, MEMORY_MB)

    def assert_status(self, answer, *expected):
        found = re.match(rb"HTTP/1\.[01] (\d{3}) ", answer)
        self.assertIsNotNone(found, answer[:100])
        self.assertIn(int(found[1]), expected, answer[:100])

    def test_a_port_alone_is_of_this_host(self):
        for address in ("127.0.0.2", "::1"):
            with self.assertRaises(ConnectionRefusedError):
                socket.create_connection((address, self.port), DEADLINE_S)
        self.assert_serves()

    def test_a_request_too_long_is_refused_by_name(self):
        self.assert_status(self.ask(b"GET /" + b"a" * 20_000 + b" HTTP/1.1\r\nHost: here\r\n\r\n"), 414)
        self.assert_status(self.ask(b"GET /metrics HTTP/1.1\r\nHost: here\r\nName: " + b"a" * 20_000 + b"\r\n\r\n"), 431)
        self.assert_status(self.ask(b"GET /metrics HTTP/1.1\r\n" + b"A: b\r\n" * 10_000 + b"\r\n"), 431)
        self.assert_serves()

    def test_a_body_is_not_waited_for(self):
        begun = time.monotonic()
        self.assert_status(self.ask(b"POST /metrics HTTP/1.1\r\nHost: here\r\nContent-Length: 1000000000000\r\n\r\n"), 405)
        self.assertLess(time.monotonic() - begun, PATIENCE_S)
        self.assert_serves()

    def test_what_is_no_request_is_refused_or_hung_up_on(self):
        for request in (b"\0" * 100, b"\r\n" * 1000, b"\xff\xfe" * 500 + b"\r\n\r\n", b"GET\r\n\r\n", b"GET /metrics\r\n\r\n",
                        b"GET /metrics HTTP/9.9\r\n\r\n", b"GET /metrics HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
                        b"GET /metrics HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\nzzz\r\n",
                        b"\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03" + b"\0" * 500):  # TLS
            with self.subTest(request=request[:40]):
                answer = self.ask(request)
                if answer:
                    self.assert_status(answer, 200, 400, 404, 405, 411, 413, 431, 501, 505)
                self.assert_serves()

    def test_clients_that_say_nothing_are_hung_up_on(self):
        silent = [self.client() for _ in range(MOST_CLIENTS)]
        for each in silent[::2]:
            each.sendall(b"GET /metrics HTTP/1.1\r\nHo")
        # Others wait until there is room again.
        self.assert_serves()
        for each in silent:
            with contextlib.suppress(ConnectionResetError):
                while each.recv(65536):
                    pass  # until the end: the client's own deadline would raise
        self.assert_serves()

    def test_a_client_that_reads_nothing_holds_up_nobody_and_is_hung_up_on(self):
        descriptors = lambda: len(os.listdir(f"/proc/{self.server.pid}/fd"))
        before = descriptors()
        many = {"pid": 1, "user": 0, "program": "crowd", "version": "1", "settings": {},
                "interfaces": [interface(f"if{i}", i) for i in range(64)]}  # a long answer
        with Impostor(many), socket.socket() as slow:
            slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            slow.connect(("127.0.0.1", self.port))
            wait_for(lambda: descriptors() > before, "the server has the client")
            slow.sendall(GET * 100)
            self.assert_serves()
            wait_for(lambda: descriptors() == before, "the server is rid of a client that reads nothing")
        self.assert_serves()

    def test_clients_that_send_an_octet_now_and_then_keep_nobody_out(self):
        """Each is never silent for as long as the server is patient, and comes again when it is hung up on."""
        stop = threading.Event()
        self.addCleanup(stop.set)
        lives = []

        def drip():
            while not stop.is_set():
                begun = time.monotonic()
                with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), DEADLINE_S) as client:
                    client.sendall(b"GET /metrics HTTP/1.1\r\nA: ")
                    while not stop.wait(1):
                        client.sendall(b"a")
                lives.append(time.monotonic() - begun)

        threads = [threading.Thread(target=drip, daemon=True) for _ in range(MOST_CLIENTS)]
        for each in threads:
            each.start()
        wait_for(lambda: len(os.listdir(f"/proc/{self.server.pid}/fd")) > MOST_CLIENTS, "the server has the slow clients")
        for _ in range(10):
            self.assert_serves()
        wait_for(lambda: len(lives) >= MOST_CLIENTS, "requests that take too long are hung up on")
        stop.set()
        for each in threads:
            each.join(DEADLINE_S)

    def test_processes_that_do_not_answer_are_asked_at_once(self):
        """Forty of them: each is visited before the first is given up."""
        told, tell = os.pipe()
        silent = [subprocess.Popen([sys.executable, "-c", SILENT, str(self.server.pid)], stdout=tell) for _ in range(40)]
        os.close(tell)
        try:
            with os.fdopen(told, "rb", buffering=0) as words:
                self.assertEqual([words.read(1) for _ in silent], [b"s"] * 40)
                with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/metrics", timeout=DEADLINE_S) as answer:
                    metrics = Metrics(answer.read().decode())
                self.assertGreaterEqual(metrics.sum("opennd_processes", answer="timeout"), 40)
                story = b"".join(words.read(1) for _ in range(80))
                self.assertEqual(story[:40], b"v" * 40, story)
        finally:
            for each in silent:
                each.kill()
                each.wait()

    def test_clients_do_not_keep_it_from_ending(self):
        silent = [self.client() for _ in range(MOST_CLIENTS)]
        for each in silent:
            each.sendall(b"GET /metrics HTTP/1.1\r\n")
        begun = time.monotonic()
        self.server.send_signal(signal.SIGTERM)
        self.assertEqual(self.server.wait(DEADLINE_S), 0)
        self.assertLess(time.monotonic() - begun, PATIENCE_S - 2)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
