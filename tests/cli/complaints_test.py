#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`nd` says what went wrong: a server's own words as it refuses, output that could not be written, and what is missing from a command line; in
lines that a terminal shows whole."""
import os
import subprocess
import sys

sys.dont_write_bytecode = True
from programs import DEADLINE_S, port_of, run, running  # noqa: E402
from terminals import lines_shown, on_terminal  # noqa: E402

WORDS = "the server refused: this server answers `nd perf` of the same version"


def check_refusal(command, transport, api):
    common = ("--transport", transport, "--api", api)
    with running(command, "perf", "--server", "--persist", "--local", "127.0.0.1", "--port", "0", *common) as server:
        done = run(command, "ping", "127.0.0.1", "--port", port_of(server), *common)
        assert done.returncode == 1 and WORDS in done.stderr, done


def check_nobody(command):
    with running(command, "ping", "--server", "--local", "127.0.0.1", "--port", "0") as server:
        port = port_of(server)
    done = run(command, "ping", "127.0.0.1", "--port", port)
    assert done.returncode == 1 and "nobody listens at that address and port" in done.stderr, done


def check_full_disk(command):
    for words in (("info",), ("explain", "ND_IO_TIMEOUT"), ("ps", "--json")):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([command, *words], stdout=full, stderr=subprocess.PIPE, text=True, timeout=DEADLINE_S)
        assert done.returncode == 1 and "cannot write all of the output" in done.stderr, (words, done)


def check_lines(command):
    """The words of a complaint are those of a pipe, in lines of 80 columns; their rest stands behind blanks."""
    for words, code in (((), 2), (("ping", "127.0.0.1", "--port", "1"), 1), (("perf", "send_lta", "--self"), 2), (("show",), 2)):
        lines = [line for line in lines_shown(on_terminal(command, *words, codes=(code,))) if line]
        assert len(lines) > 1 and all(len(line) <= 80 for line in lines), lines
        assert all(line.startswith("  ") for line in lines[1:]), lines
        assert " ".join(" ".join(lines).split()) == " ".join(run(command, *words).stderr.split()), lines


def check_what_is_missing(command):
    for words, told in ((("show",), "OBJECTS is required: The kind of objects (one of conn, listen, qp,"),
                        (("dump",), "PID is required: The process, as `nd ps` lists it"),
                        (("perf", "127.0.0.1"), "'127.0.0.1': the TEST comes first, as in `nd perf send_lat 127.0.0.1`"),
                        (("perf", "send_lat"), "nd perf --help tells more"),
                        (("ping",), "nd ping --help tells more")):
        done = run(command, *words)
        assert done.returncode == 2 and told in done.stderr, done


def main():
    command = sys.argv[1]
    check_lines(command)
    check_what_is_missing(command)
    for transport in ("shm", "iwarp"):
        for api in ("nd2", "nd1", "ndk"):
            check_refusal(command, transport, api)
    check_nobody(command)
    if os.path.exists("/dev/full"):
        check_full_disk(command)


if __name__ == "__main__":
    main()
