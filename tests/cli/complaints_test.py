#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`nd` says what went wrong: a server's own words as it refuses, and output that could not be written."""
import os
import subprocess
import sys

sys.dont_write_bytecode = True
from programs import DEADLINE_S, port_of, run, running  # noqa: E402

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


def main():
    command = sys.argv[1]
    for transport in ("shm", "iwarp"):
        for api in ("nd2", "nd1", "ndk"):
            check_refusal(command, transport, api)
    check_nobody(command)
    if os.path.exists("/dev/full"):
        check_full_disk(command)


if __name__ == "__main__":
    main()
