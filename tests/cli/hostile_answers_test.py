#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Processes that answer the inspection socket with what is no report, as any user of the host may: every command of `nd` goes on, tells
of the others, and believes nobody's word on which user it is.

    hostile_answers_test.py ND STUCK_PROGRAM
"""
import contextlib
import copy
import itertools
import json
import os
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
from metrics_test import Impostor, interface  # noqa: E402
from programs import DEADLINE_S, running, wait_for  # noqa: E402

ND, PROGRAM = sys.argv[1:3] if len(sys.argv) > 2 else ("", "")
OBJECTS = ("conn", "listen", "qp", "cq", "srq", "mr", "mw", "faults")
# Each asks every process of the host.
OF_ALL = (("ps",), ("ps", "--json"), ("stats",), ("stats", "--json"), ("metrics",), ("top", "--batch", "-n", "1", "-d", "0.1"),
          *(("show", each, "--over", "0") for each in OBJECTS))
DEPTH = 200_000

QUEUE_PAIR = {"number": 1, "api": "nd2", "state": "attached", "polled": False, "message_waits": False, "receive_cq": 1, "initiator_cq": 1,
              "local": "a", "peer": "b", "wire": "shm", "path": "mapping", "moved": True, "message_age_ms": 4,
              "requests": {"depth": 1, "outstanding": 1, "unstarted": 0, "unretrieved": 0, "completed": 0,
                           "oldest": {"operation": "Send", "bytes": 8, "context": "0x0", "started": True, "seen_ms": 3, "age_ms": 3}},
              "receives": {"depth": 1, "posted": 1, "unretrieved": 0, "completed": 0},
              "tcp": {"timeouts": 1, "retransmitted": 2}}


def full_report():
    """A report with every member that `nd` reads."""
    made = interface("lo", 1, apis=[{"api": "nd2", **{each: interface("lo", 1)[each] for each in ("counts", "traffic")}}],
                     latencies=[{"api": "nd2", "wire": "shm", "operation": "Send", "count": 2, "sum_ns": 30, "longest_ns": 20,
                                 "buckets": [[16, 1], [None, 1]]}],
                     queue_pairs=[QUEUE_PAIR],
                     completion_queues=[{"number": 1, "depth": 2, "results": 0, "solicited": 0, "notify": False, "failed": False,
                                         "poller": {"thread": 7, "result_ms_ago": 5}, "loop": 0}],
                     shared_receive_queues=[{"number": 1, "depth": 2, "posted": 0, "threshold": 1}],
                     memory_regions=[{"number": 1, "registered": True, "bytes": 4096, "rights": ["local write"], "address": "0x1000"}],
                     memory_windows=[{"number": 1, "bound": False}])
    made["connections"] = [{"local": "a", "peer": "b", "wire": "shm", "owner": "user", "api": "nd2", "age_ms": 1, "queue_pair": 1,
                            "peer_pid": 2, "path": "mapping", "tcp": {"local": "a", "peer": "b"}}]
    made["endpoints"] = [{"local": "a", "listens": True, "owner": "user", "api": "nd2"}]
    return {"pid": 1, "program": "hostile", "user": os.geteuid(), "version": "1", "interfaces": [made], "settings": {},
            "faults": [{"rule": "read:denied", "events": 1, "injected": 1}]}


def places(value, path=()):
    """The paths of all members and elements."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield (*path, key)
        yield from places(each, (*path, key))


def at(value, path):
    for key in path:
        value = value[key]
    return value


def nd(*words):
    return subprocess.run([ND, *words], capture_output=True, text=True, timeout=DEADLINE_S)


class HostileAnswersTest(unittest.TestCase):
    def setUp(self):
        stack = contextlib.ExitStack()
        self.addCleanup(stack.close)
        self.honest = stack.enter_context(running(PROGRAM, stdin=subprocess.PIPE))
        self.assertEqual(self.honest.stdout.readline(), "stuck\n")
        wait_for(lambda: nd("show", "qp", str(self.honest.pid), "--over", "0").returncode == 0, "the honest process answers")

    def assert_all_go_on(self, commands=OF_ALL):
        for words in commands:
            done = nd(*words)
            self.assertEqual(done.returncode, 0, (words, done.returncode, done.stderr[:500]))
            if not {"listen", "faults"} & set(words):
                self.assertIn(str(self.honest.pid), done.stdout, f"{words} tells of the honest process")

    def test_nesting_crashes_nobody(self):
        deep = "[" * DEPTH + "]" * DEPTH
        deep_object = '{"a":' * DEPTH + "1" + "}" * DEPTH
        report = json.dumps(full_report())
        for name, answer in (("array", deep), ("object", deep_object), ("unknown member", report[:-1] + f', "other": {deep}}}'),
                             ("unclosed", "[" * DEPTH),
                             ("in an interface", report.replace('"index"', f'"other": {deep_object}, "index"')),
                             ("in a queue pair", report.replace('"polled"', f'"other": {deep}, "polled"'))):
            with self.subTest(name), Impostor(answer.encode()):
                self.assert_all_go_on()
                nd("dump", str(os.getpid()))  # it refuses, and does not crash
                self.assertIn(nd("dump", str(os.getpid())).returncode, (0, 1))

    def test_members_of_a_wrong_type_are_told_of_their_process_alone(self):
        """One type for each member; tests/fuzz/answers tries all of them."""
        good = full_report()
        with Impostor(good):
            self.assert_all_go_on()
            self.assertIn(str(os.getpid()), nd("show", "qp", "--over", "0").stdout, "this test's report is one")
        failures = []
        for number, path in enumerate(places(good)):
            wrong = itertools.islice(itertools.cycle((None, -1, 1.5, [[]], {}, {"a": 1}, "text", 7)), number, None)
            answer = copy.deepcopy(good)
            at(answer, path[:-1])[path[-1]] = next(each for each in wrong if type(each) is not type(at(good, path)))
            with Impostor(answer):
                for words in self.commands_that_read(path):
                    done = nd(*words)
                    if done.returncode != 0:
                        failures.append((path, words, done.returncode, done.stderr[:200]))
        self.assertEqual(failures, [])

    @staticmethod
    def commands_that_read(path):
        top = path[2] if len(path) > 2 else path[0]
        kind = {"queue_pairs": "qp", "completion_queues": "cq", "shared_receive_queues": "srq", "memory_regions": "mr",
                "memory_windows": "mw", "endpoints": "listen", "connections": "conn", "faults": "faults"}.get(top)
        if kind:
            return (("show", kind, "--over", "0"),)
        return (("ps",), ("metrics",), ("stats", "--json"), ("top", "--batch", "-n", "1", "-d", "0.1"))

    def test_the_user_is_the_kernels_word(self):
        with Impostor({**full_report(), "user": 4242, "pid": 7}):
            (told,) = [each for each in json.loads(nd("ps", "--json").stdout) if each["pid"] == os.getpid()]
            self.assertEqual(told["user"], os.geteuid())
            self.assertNotIn("4242", nd("ps").stdout + nd("metrics").stdout)

    def test_an_answer_of_many_values_is_none(self):
        """Thirty million octets of empty arrays would be gigabytes as values."""
        report = full_report()
        with Impostor(json.dumps({**report, "other": []}).replace('"other": []', '"other": [' + "[]," * 10_000_000 + "[]]").encode()):
            self.assert_all_go_on((("ps",), ("metrics",)))
            self.assertIn(f"process {os.getpid()}:", nd("ps").stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
