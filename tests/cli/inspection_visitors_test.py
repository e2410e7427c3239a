#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Visitors of a process's inspection socket that mean it ill, as any program of the same user may: each is answered or hung up on,
and the process goes on, answers others, and keeps no descriptor.

    inspection_visitors_test.py ND STUCK_PROGRAM
"""
import array
import contextlib
import json
import os
import pathlib
import re
import socket
import subprocess
import sys
import threading
import unittest

sys.dont_write_bytecode = True
from programs import DEADLINE_S, running, wait_for  # noqa: E402

ND, PROGRAM = sys.argv[1:3] if len(sys.argv) > 2 else ("", "")
MOST_AT_ONCE = 4  # visitors: docs/inspection.md


def descriptors(pid):
    return len(os.listdir(f"/proc/{pid}/fd"))


def answers_visitors(pid):
    """A thread of the process serves a visitor, and has descriptors for it."""
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # it has ended
            if (task / "comm").read_text() == "opennd-inspect\n":
                return True
    return False


class VisitorsTest(unittest.TestCase):
    def setUp(self):
        stack = contextlib.ExitStack()
        self.addCleanup(stack.close)
        self.process = stack.enter_context(running(PROGRAM, stdin=subprocess.PIPE))
        self.assertEqual(self.process.stdout.readline(), "stuck\n")
        self.assert_goes_on()
        wait_for(lambda: not answers_visitors(self.process.pid), "the process is done with its first visitor")
        self.before = descriptors(self.process.pid)

    def visitor(self):
        made = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.addCleanup(made.close)
        made.connect(f"\0opennd.inspection/{self.process.pid}")  # waits for room in the backlog, as it would not with a deadline
        made.settimeout(DEADLINE_S)
        return made

    def rest(self, visitor):
        """The packets until the process hangs up, which it does by the deadline. Words that it does not read become a reset, which
        the kernel tells once and before the packets that came earlier."""
        packets, resets = [], 0
        while True:
            try:
                packet = visitor.recv(1 << 20)
            except ConnectionResetError:
                resets += 1
                self.assertEqual(resets, 1)
                continue
            if not packet:
                return packets
            packets.append(packet)

    def prove(self, visitor):
        """The process asks whether its visitor may trace it: the name of a descriptor, which the kernel shows to those alone."""
        asked = visitor.recv(100)
        if not asked:
            raise BrokenPipeError  # hung up on
        number = re.fullmatch(rb"prove (\d+)", asked)
        self.assertTrue(number, asked)
        shown = os.readlink(f"/proc/{self.process.pid}/fd/{int(number[1])}")
        visitor.send(re.fullmatch(r"/memfd:(opennd\.proof/[0-9a-f]{32}) \(deleted\)", shown)[1].encode())

    def ask(self, words, prove=False):
        visitor = self.visitor()
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # hung up on already
            visitor.send(words)
            if prove:
                self.prove(visitor)
        return self.rest(visitor)

    def answer(self, words):
        """The JSON of a whole answer."""
        visitor = self.visitor()
        near, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with near, far:
            files = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [far.fileno()]))] if words.startswith(b"capture") else []
            near.send(b"none nobody opens it here")  # the answer to the question for the first file
            visitor.sendmsg([words], files)
            self.prove(visitor)
            return self.whole_answer(visitor)

    def whole_answer(self, visitor):
        length, text = int(visitor.recv(100)), b""
        while len(text) < length:
            text += visitor.recv(1 << 20)
        visitor.close()  # which ends a capture that has begun
        self.assertEqual(len(text), length)
        return json.loads(text)

    def assert_goes_on(self):
        def answers():
            done = subprocess.run([ND, "show", "qp", str(self.process.pid), "--json"], capture_output=True, text=True, timeout=DEADLINE_S)
            return done.returncode == 0 and len(json.loads(done.stdout)) == 2
        wait_for(answers, "the process answers nd show qp")  # four visitors may still be answered
        self.assertIsNone(self.process.poll())

    def assert_unchanged(self):
        self.assert_goes_on()
        wait_for(lambda: descriptors(self.process.pid) == self.before, "the process has the descriptors that it had")

    def test_words_that_are_no_question_are_hung_up_on(self):
        for words in (b"repor", b"reports", b"REPORT", b" report", b"report\n", b"\0", b"\0" * 8192, b"\xff" * 8192, b"report" * 1000,
                      b"{}", b"%s%n"):
            with self.subTest(words=words[:20]):
                self.assertEqual(self.ask(words), [])
        self.assert_unchanged()

    def test_an_empty_record_is_hung_up_on(self):
        self.assertEqual(self.ask(b""), [])
        self.assert_unchanged()

    def test_a_question_with_more_behind_it_is_answered(self):
        for words in (b"report and more", b"report " * 10_000):
            self.assertEqual(self.answer(words)["pid"], self.process.pid)
        visitor = self.visitor()
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            for _ in range(4):
                visitor.send(b"report")
        self.assertEqual(len(self.rest(visitor)), 1, "the second question is no proof, and has no answer")
        self.assert_unchanged()

    def test_a_capture_with_wrong_options_is_refused_with_the_reason(self):
        for options in ("", "{", "[1]", "5", "null", '"text"', "[" * 8000, "[" * 4000 + "]" * 4000, '{"file": 5}', '{"file": ""}',
                        '{"file": "/nonexistent/folder/file"}', '{"file": "/proc/self/mem/x"}', '{"file": "/tmp/x", "files": 1}',
                        '{"file": "/tmp/x", "files": -1}', '{"file": "/tmp/x", "files": 1e400}', '{"file": "/tmp/x", "snap_bytes": 1}',
                        '{"file": "/tmp/x", "filter": "port 99999999"}', '{"file": "/tmp/x", "filter": "' + "not " * 1000 + '"}',
                        '{"file": "/tmp/x", "other": 1}', '{"file": "/tmp/x\\u0000y"}', "\udcff\udcfe"):
            with self.subTest(options=options[:40]):
                answer = self.answer(b"capture " + options.encode("utf-8", "surrogateescape"))
                self.assertTrue(answer.get("refused"), answer)
        self.assert_unchanged()

    def test_a_capture_without_its_files_is_refused(self):
        visitor = self.visitor()
        visitor.send(b'capture {"file": "/tmp/x"}')
        self.prove(visitor)
        self.assertIn("opens the file", self.whole_answer(visitor)["refused"])
        self.assertFalse(os.path.exists("/tmp/x"))
        self.assert_unchanged()

    def test_a_capture_with_files_that_are_none_is_refused(self):
        for path, flags in (("/dev/null", os.O_RDONLY), ("/dev/null", os.O_PATH), ("/", os.O_RDONLY)):
            with self.subTest(path=path, flags=flags):
                visitor = self.visitor()
                near, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
                descriptor = os.open(path, flags)
                with near, far:
                    near.sendmsg([b"file /tmp/x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [descriptor]))])
                    visitor.sendmsg([b'capture {"file": "/tmp/x"}'], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [far.fileno()]))])
                    self.prove(visitor)
                    self.assertIn("cannot be written", self.whole_answer(visitor)["refused"])
                os.close(descriptor)
        self.assert_unchanged()

    def test_visitors_that_cannot_trace_the_process_are_hung_up_on(self):
        for proof in (b"", b"opennd.proof/" + b"0" * 32, b"1", b"\0" * 8192):
            with self.subTest(proof=proof[:20]):
                visitor = self.visitor()
                visitor.send(b"report")
                self.assertTrue(visitor.recv(100).startswith(b"prove "))
                with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                    visitor.send(proof)
                self.assertEqual(self.rest(visitor), [])
        self.assert_unchanged()

    def test_descriptors_that_are_sent_along_are_not_kept(self):
        visitor = self.visitor()
        with open("/dev/null", "rb") as null:
            several = array.array("i", [null.fileno()] * 20)
            visitor.sendmsg([b"report"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, several)])
            self.rest(visitor)
        del visitor
        self.assert_unchanged()

    def test_visitors_that_say_nothing_keep_nobody_out_for_long(self):
        silent = [self.visitor() for _ in range(2 * MOST_AT_ONCE)]
        for each in silent:
            self.assertEqual(self.rest(each), [])
        self.assert_unchanged()

    def test_visitors_that_hang_up_at_once_leave_nothing(self):
        for _ in range(200):
            self.visitor().close()
        self.assert_unchanged()

    def test_many_at_once_are_each_answered_or_hung_up_on(self):
        counts = {"answered": 0, "hung up": 0}
        lock = threading.Lock()

        def visit():
            for _ in range(25):
                packets = self.ask(b"objects", prove=True)
                with lock:
                    counts["answered" if packets else "hung up"] += 1

        threads = [threading.Thread(target=visit) for _ in range(4 * MOST_AT_ONCE)]
        for each in threads:
            each.start()
        for each in threads:
            each.join(DEADLINE_S)
            self.assertFalse(each.is_alive(), counts)
        self.assertEqual(sum(counts.values()), 25 * len(threads))
        self.assertGreater(counts["answered"], 0)
        self.assert_unchanged()


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
