#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`nd top` shows which processes transfer most: on a terminal with keys, page after page, and as JSON."""
import fcntl
import json
import os
import re
import signal
import struct
import subprocess
import sys
import termios

sys.dont_write_bytecode = True
from programs import DEADLINE_S, port_of, run, running, wait_for  # noqa: E402
from terminals import OnTerminal  # noqa: E402


def load_of(command, pid, *words):
    done = run(command, "top", "--json", "-d", "0.3", "-n", "1", *words)
    assert done.returncode == 0, done
    (page,) = [json.loads(line) for line in done.stdout.splitlines()]
    return page, next((each for each in page["processes"] if each["pid"] == pid), None)


def check_busy(command, transport):
    with running(command, "perf", "--server", "--persist", "--local", "127.0.0.1", "--port", "0", "--transport", transport) as server:
        port = port_of(server)
        with running(command, "perf", "send_lat", "127.0.0.1", "--port", port, "--transport", transport, "--size", "4000", "--iters",
                     "1000000000") as client:
            def sends():
                _, load = load_of(command, client.pid)
                return load and (load["bytes_out/sec"] or 0) > 4000 and load
            load = wait_for(sends, "the client sends")
            assert load["wires"] == transport and load["connections"] == 2 and load["program"] == "nd", load
            # A process that was there at both samples; each message has 4,000 bytes.
            assert 0 < load["seconds"] < DEADLINE_S, load
            assert load["bytes_in/sec"] > 1000 * load["frames_in/sec"] > 0, load
            page, _ = load_of(command, client.pid, "--sort", "pid")
            pids = [each["pid"] for each in page["processes"]]
            assert pids == sorted(pids) and {server.pid, client.pid} <= set(pids), pids
            page, _ = load_of(command, client.pid)
            moved = [(each["bytes_in/sec"] or 0) + (each["bytes_out/sec"] or 0) for each in page["processes"]]
            assert moved == sorted(moved, reverse=True), moved
            done = run(command, "top", "--batch", "-d", "0.2", "-n", "2")
            assert done.returncode == 0 and len(re.findall(r"^nd top - .* by bytes$", done.stdout, re.MULTILINE)) == 2, done
            # On a busy host nothing may move between two samples: no wire is named then.
            rows = re.findall(rf"^ *{client.pid} .* (?:{transport}|-) +nd$", done.stdout, re.MULTILINE)
            assert len(rows) == 2 and all(len(row) <= 80 for row in rows), done.stdout
            check_terminal(command, client.pid)


def check_terminal(command, pid):
    with OnTerminal(command, "top", "-d", "0.3") as top:
        top.wait_for_text(r"by bytes")
        top.wait_for_text(rf"PROGRAM[\s\S]*{pid}")
        top.press(b"l")
        top.wait_for_text(r"by bytes[\s\S]*\blost\b[\s\S]*\blost\b")  # the keys' line has one
        fcntl.ioctl(top.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 10, 60, 0, 0))
        os.kill(top.process.pid, signal.SIGWINCH)
        top.press(b" q")
        assert top.end() == 0
    with OnTerminal(command, "top", "-d", "3600") as top:
        top.wait_for_text(r"by bytes")
        top.press(b"\x03")
        assert top.end() == 130
    with OnTerminal(command, "top", TERM="no such terminal") as top:
        top.wait_for_text(r"no terminal is known by TERM=no such terminal: use nd top --batch")
        assert top.end() == 1


def check_no_terminal(command):
    done = run(command, "top", stdin=subprocess.DEVNULL)
    assert done.returncode == 1 and "are not a terminal: use nd top --batch" in done.stderr, done
    done = run(command, "top", "--sort", "beauty")
    assert done.returncode == 2, done


def check_refusals(command):
    with running(command, "ping", "--server", "--local", "127.0.0.1", "--port", "0") as stopped:
        port_of(stopped)
        wait_for(lambda: load_of(command, stopped.pid)[1], "nd top has the server")
        stopped.send_signal(signal.SIGSTOP)
        page, load = load_of(command, stopped.pid)
        assert load is None and page["refused"] >= 1, page


def main():
    command = sys.argv[1]
    for transport in ("shm", "iwarp"):
        check_busy(command, transport)
    check_no_terminal(command)
    check_refusals(command)


if __name__ == "__main__":
    main()
