#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The ends of connections between two hosts: a network that goes away, a host that starts again, a peer that dies, one that is
stopped, one that disconnects. Says which status each request has, over every face, and what the log says of the connection.

    tests/network/lost_test.py LOST_CONNECTION

Prints a line for each check. Exit code 77 where the host refuses a namespace.
Proves ND2-QP-ERR-03, ND2-CON-DISC-05, ND1-EP-GEN-22, NDK-QP-COMP-01, IW-CM-02, IW-NEG-98.
"""
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

from private_network import enter, run
from wire import HERE, THERE, Wire

FACES = ("Nd1", "Nd2", "Ndk")
DEAD_MS = 1000
# A message waits for its receive as long as it may. On a busy host that is too short now and then: the connection breaks off, and
# the check begins again.
SETTINGS = {"OPENND_IWARP_DEAD_MS": str(DEAD_MS), "OPENND_NO_RECEIVE_MS": "3000", "OPENND_LOG": "info"}
ATTEMPTS = 5
FAR = "far"

LOST = ["I/O timeout", "canceled", "canceled", "canceled", "canceled"]
CLOSED = ["canceled"] * 5
# Version 1 and NDK time the oldest out where no peer is left to answer (ND1-EP-GEN-21, -22).
ALWAYS_LOST = {face: LOST for face in FACES}
GONE = ALWAYS_LOST | {"Nd2": CLOSED}


class Side:
    """A lost_connection, which does as it is told."""

    def __init__(self, command, environment):
        self.log = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log, text=True,
                                        env=os.environ | SETTINGS | environment)

    def line(self):
        line = self.process.stdout.readline().strip()
        if not line or line.startswith("error"):
            raise RuntimeError(f"{self.process.args}: {line or 'has ended'}\n{self.lines()}")
        return line

    def say(self, *words):
        self.process.stdin.write(" ".join(words) + "\n")
        self.process.stdin.flush()

    def do(self, *words):
        """The lines before each is done."""
        self.say(*words)
        said = []
        for word in words:
            while (line := self.line()) != word + " done":
                said.append(line)
        return said

    def lines(self):
        self.log.seek(0)
        return self.log.read()

    def end(self):
        self.process.kill()
        self.process.communicate()


class Pair:
    def __init__(self, wire, program, face):
        self.face = face
        self.there = Side(wire.there(program, "serve", face), {"OPENND_TEST_ADDRESS": THERE[4]})
        self.here = Side([program, "use", face, THERE[4], self.there.line()], {"OPENND_TEST_ADDRESS": HERE[4]})
        assert self.here.line() == "connected"
        self.here.say(self.there.line())

    def end(self):
        self.here.end()
        self.there.end()


def lose_carrier(wire, _):
    wire.run_there("ip", "link", "set", FAR, "down")


def lose_address(wire, _):
    wire.run_there("ip", "address", "flush", "dev", FAR)


def start_again(wire, pairs):
    """Hosts that forget: what they sent at their end has reached nobody, and what comes now is answered by a reset."""
    lose_address(wire, pairs)
    for pair in pairs:
        pair.there.end()


def come_back(wire, pairs):
    wait_for(lambda: all(says(r"backoff:[1-9]", each) for each in sockets()))  # it has sent again, which nobody has answered
    wire.run_there("ip", "address", "add", THERE[4] + "/24", "dev", FAR)


def kill(_, pairs):
    for pair in pairs:
        pair.there.end()


def sockets():
    """What the kernel tells of each connection of this side."""
    told = run("ss", "-tiHOn", "dst", THERE[4]).splitlines()
    return [line for line in told if not line.startswith(("TIME-WAIT", "FIN"))]


def says(pattern, text):
    return re.search(pattern, text) is not None


def wait_for(condition):
    while not condition():
        pass


def outcomes(pair):
    told = pair.here.do("results")
    by_kind = {"request": [], "receive": []}
    for line in told:
        kind, _, outcome = line.partition(" ")[0], None, line.partition(": ")[2]
        by_kind[kind].append(outcome)
    return by_kind["request"], by_kind["receive"]


def wrong_results(pair, expected):
    requests, receives = outcomes(pair)
    if requests == expected[pair.face] and set(receives) <= {"canceled"}:
        return ""
    return f"{pair.face}: requests {requests}, receives {receives}; expected {expected[pair.face]}\n"


def wrong_log(pair, words):
    lines = [line for line in pair.here.lines().splitlines() if re.search(r"connection \S+ - \S+: (?!up)", line)]
    if any(words in line for line in lines):
        return ""
    return f"{pair.face}: no line of the connection says '{words}':\n" + "\n".join(lines) + "\n"


def check_end(wire, pairs, end, after, expected, words):
    """Empty, or what is wrong. The peers end, with requests outstanding before and after."""
    for pair in pairs:
        pair.here.do("receives")
    before, behind = (pairs, []) if after is before_the_end else ([], pairs)
    for pair in before:
        pair.here.do("post")
        wait_for(lambda: not any(says(r"unacked:", each) for each in sockets()))
    end(wire, pairs)
    for pair in behind:
        pair.here.do("post")
    if after not in (before_the_end, behind_the_end):
        after(wire, pairs)
    wrong = "".join(wrong_results(pair, expected) for pair in pairs)
    for pair in pairs:
        pair.here.do("told")
    return wrong + "".join(wrong_log(pair, words) for pair in pairs)


def before_the_end(*_):
    """The requests are posted, and their octets acknowledged, before the end."""


def behind_the_end(*_):
    """They are posted behind it."""


NOTHING_ANSWERS = "nothing answers"
CHECKS = (
    ("a cable that is pulled before requests", lose_carrier, behind_the_end, ALWAYS_LOST, NOTHING_ANSWERS),
    ("a cable that is pulled behind requests", lose_carrier, before_the_end, ALWAYS_LOST, NOTHING_ANSWERS),
    ("a host that nobody is any more", lose_address, behind_the_end, ALWAYS_LOST, NOTHING_ANSWERS),
    ("a host that has started again", start_again, come_back, ALWAYS_LOST, NOTHING_ANSWERS),
    ("a peer that is killed", kill, before_the_end, GONE, "the peer's process has ended"),
)


def check_disconnect(_, pairs):
    """A request that the peer has not taken would have a reason of its own; so there are receives alone."""
    wrong = ""
    for pair in pairs:
        pair.here.do("receives")
        pair.there.do("disconnect")
        pair.here.do("told", "disconnect")
        # NDK's disconnect is a notice, and the connection goes on until this side disconnects too.
        wrong += wrong_results(pair, {pair.face: []}) + wrong_log(pair, "ended by this side" if pair.face == "Ndk" else
                                                                  "ended by the peer")
    return wrong


def check_unread_message(wire, pairs):
    """A message of the peer waits for a receive here, so that nobody reads the stream."""
    for pair in pairs:
        pair.there.do("message")
    lose_carrier(wire, pairs)
    for pair in pairs:
        pair.here.do("post")
    wrong = "".join(wrong_results(pair, ALWAYS_LOST) for pair in pairs)
    return wrong + "".join(wrong_log(pair, NOTHING_ANSWERS) for pair in pairs)


def silent_ms(socket):
    """Since the peer's program took anything, or sent."""
    found = re.search(r"lastrcv:(\d+)", socket)
    return int(found[1]) if found else 0


def check_stopped_peer(wire, pairs):
    """A debugger's: its kernel acknowledges, and takes no more. It is waited for, and lost when its kernel is."""
    for pair in pairs:
        pair.there.process.send_signal(signal.SIGSTOP)
        pair.here.do("much")
    wait_for(lambda: len(sockets()) < len(pairs) or all(silent_ms(each) > 4 * DEAD_MS for each in sockets()))
    *going_on, lost = pairs
    for pair in going_on:
        pair.there.process.send_signal(signal.SIGCONT)
    wrong = ""
    for pair in going_on:
        requests, _ = outcomes(pair)
        if set(requests) != {"success"}:
            wrong += f"{pair.face}: a stopped peer that goes on: {requests}\n"
    lose_carrier(wire, pairs)
    requests, _ = outcomes(lost)
    taken = requests.count("success")
    if requests[taken:] != (["I/O timeout"] + ["canceled"] * len(requests))[:len(requests) - taken] or taken == len(requests):
        wrong += f"{lost.face}: a stopped peer whose host is lost: {requests}\n"
    return wrong + wrong_log(lost, NOTHING_ANSWERS)


def run_check(program, check):
    """What is wrong, and whether a message had waited for too long."""
    pairs = []
    with Wire(1500, loops=False) as wire:
        try:
            pairs += [Pair(wire, program, face) for face in FACES]
            return check(wire, pairs), any("broken off" in pair.here.lines() for pair in pairs)
        finally:
            for pair in pairs:
                pair.end()


def main():
    program = pathlib.Path(sys.argv[1]).absolute()
    enter()
    checks = [(name, lambda *where, rest=rest: check_end(*where, *rest)) for name, *rest in CHECKS]
    checks += [("a peer that disconnects", check_disconnect),
               ("a cable that is pulled while a message waits for a receive", check_unread_message),
               ("a peer that is stopped", check_stopped_peer)]
    failures = 0
    for name, check in checks:
        for _ in range(ATTEMPTS):
            wrong, came_too_late = run_check(program, check)
            if not came_too_late:
                break
        print(f"{'FAIL' if wrong else 'PASS'}  {name}" + "".join(f"\n      {line}" for line in wrong.splitlines()), flush=True)
        failures += bool(wrong)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
