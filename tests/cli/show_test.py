#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`nd show` picks connections by peer and by progress, sorts them, and has one line for each, which fits the terminal; colours are for
terminals alone. Times have their zone."""
import json
import re
import subprocess
import sys

sys.dont_write_bytecode = True
from programs import run, running  # noqa: E402
from terminals import ESCAPES, on_terminal  # noqa: E402

RED, BOLD = b"\x1b[1;31m", b"\x1b[1m"


def shown(command, *words):
    done = run(command, "show", *words, "--json")
    assert done.returncode == 0, done
    return json.loads(done.stdout)


def check_stuck(command, pid):
    everything = shown(command, "qp", pid)
    (stuck,) = shown(command, "qp", pid, "--stuck")
    assert len(everything) == 2 and stuck["requests"]["oldest"]["operation"] == "Send" and not stuck["moved"], (everything, stuck)
    (connection,) = shown(command, "conn", pid, "--stuck")
    assert connection["queue_pair"] == stuck["number"] and len(shown(command, "conn", pid)) == 2, connection
    for words, complaint in ((("listen", "--stuck"), "--peer and --stuck are for conn and qp"),
                             (("qp", "--stuck", "--over", "0"), "--stuck takes two looks")):
        done = run(command, "show", *words)
        assert done.returncode == 2 and complaint in done.stderr and not done.stdout, done


def check_peer(command, pid):
    one, other = shown(command, "conn", pid)
    host = one["peer"].rpartition(":")[0]
    for objects in ("conn", "qp"):
        assert [each["peer"] for each in shown(command, objects, pid, "--peer", one["peer"])] == [one["peer"]], objects
        assert {each["peer"] for each in shown(command, objects, pid, "--peer", host)} == {one["peer"], other["peer"]}, objects
        assert shown(command, objects, pid, "--peer", "192.0.2.99") == [], objects
        assert run(command, "show", objects, pid, "--peer", "192.0.2.99").stdout == "none that --peer or --stuck asks for\n", objects
    done = run(command, "show", "mr", "--peer", host)
    assert done.returncode == 2 and "mr has no peers" in done.stderr, done


def check_sort(command, pid):
    numbers = [each["number"] for each in shown(command, "qp", pid, "--sort", "qp")]
    assert numbers == sorted(numbers), numbers
    sends = [each["requests"]["outstanding"] for each in shown(command, "qp", pid, "--sort", "sends")]
    assert sends == [1, 0], "the greatest first"
    assert "oldest" in shown(command, "qp", pid, "--sort", "age")[0]["requests"], "the oldest first"
    done = run(command, "show", "qp", "--sort", "aeg")
    assert done.returncode == 2 and "'aeg' is none of pid, qp, state, peer, sends, recvs, age; did you mean age?" in done.stderr, done


def check_lines(command, pid):
    for objects in ("conn", "qp", "cq", "srq", "mr", "mw"):
        count = len(shown(command, objects, pid))
        raw = on_terminal(command, "show", objects, pid)
        lines = ESCAPES.sub(b"", raw).decode().splitlines()
        assert len(lines) == count + 1 and all(len(line) <= 80 for line in lines), (objects, lines)
        assert raw.startswith(BOLD), (objects, raw)
        assert len(run(command, "show", objects, pid).stdout.splitlines()) == count + 1, objects


def check_rights(command, pid):
    """Each in a column of its own, whole on a terminal of 80 columns."""
    heading, *rows = ESCAPES.sub(b"", on_terminal(command, "show", "mr", pid)).decode().splitlines()
    assert heading.split() == ["PID", "MR", "ADDRESS", "BYTES", "HERE", "SINK", "PEERS"], heading
    assert shown(command, "mr", pid)[0]["rights"] == ["local write", "remote read"] and rows[0].split()[4:] == ["read,", "write", "-", "read"], rows


def check_colours(command, pid):
    raw = on_terminal(command, "show", "qp", pid)
    (red,) = [line for line in raw.splitlines() if RED in line]
    assert b"stands: Send of 24 bytes" in red, raw
    plain = on_terminal(command, "show", "qp", pid, NO_COLOR="1")
    assert b"\x1b" not in plain and b"stands: Send of 24 bytes" in plain, plain
    assert b"\x1b" not in on_terminal(command, "show", "qp", pid, TERM="dumb")
    assert b"\x1b" in on_terminal(command, "show", "qp", pid, NO_COLOR=""), "an empty NO_COLOR is none"
    piped = run(command, "show", "qp", pid).stdout
    assert "\x1b" not in piped and "stands: Send of 24 bytes, the peer has not taken it" in piped, piped


def check_zone(command, pid):
    events = run(command, "dump", pid).stdout.splitlines()
    assert events and all(re.match(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}[+-]\d{4} \d+ ", each) for each in events), events


def main():
    command, program = sys.argv[1:]
    with running(program, stdin=subprocess.PIPE) as stuck:
        assert stuck.stdout.readline() == "stuck\n"
        for check in (check_stuck, check_peer, check_sort, check_lines, check_rights, check_colours, check_zone):
            check(command, str(stuck.pid))


if __name__ == "__main__":
    main()
