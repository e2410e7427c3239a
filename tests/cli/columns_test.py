#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""All that `nd` prints in tables fits a terminal of 80 columns: help, adapters, measurements, processes with long names and their objects."""
import os
import pathlib
import re
import sys
import tempfile

sys.dont_write_bytecode = True
from programs import port_of, run, running, wait_for  # noqa: E402
from terminals import ESCAPES, on_terminal  # noqa: E402

COLUMNS = 80
SHORT = ("--size", "100000", "--iters", "200", "--warmup", "20")
QUIET = (
    ("--help",),
    ("info",),
    ("info", "--verbose", "--counters", "--tuning", "--settings", "--profiles", "--peer", "127.0.0.1"),
    ("explain",), ("explain", "--checks"), ("explain", "ND_IO_TIMEOUT"), ("explain", "CHECK-READ-LIMIT"),
    ("faults",),
    ("doctor",),
    ("perf", "all", "--self", "--verify", "--verbose", "--report-histogram", *SHORT),
    ("perf", "send_bw", "--self", "--bidirectional", "-q", "3", "--report_gbits", *SHORT),
    ("perf", "pairs_lat", "--self", "-q", "150", "--spread", "--events", *SHORT),
    ("perf", "connect_rate", "--self", "--transport", "iwarp", "--memory", "mappable", "--iters", "20", "--warmup", "2"),
    ("perf", "register_lat", "--self", *SHORT),
)
OF_PROCESSES = (("ps",), ("stats",), ("top", "--batch", "-d", "0.2", "-n", "1"),
                *(("show", kind) for kind in ("conn", "listen", "qp", "cq", "srq", "mr", "mw")))


def long_lines(text):
    """But for a word that is longer than a line, such as an address of the web: nobody could copy its parts."""
    return [line for line in text.splitlines() if len(line) > COLUMNS and len(line.split()) > 1]


def check(command, words):
    done = run(command, *words)
    assert done.returncode == 0 or words[0] == "doctor", (words, done)
    assert done.stdout and not long_lines(done.stdout), (words, long_lines(done.stdout))
    return done.stdout


def check_on_terminal(command, words):
    """One line for each object, which has what fits."""
    text = ESCAPES.sub(b"", on_terminal(command, *words)).decode()
    assert text and not [line for line in text.splitlines() if len(line) > COLUMNS], (words, text)
    return text


def commands(command):
    listed = run(command, "--help").stdout.split("Subcommands:\n")[1].split("\n\n")[0]
    return re.findall(r"^  (\w+) ", listed, re.MULTILINE)


def check_processes(command, address):
    """A program with a long name, that is busy over the longest addresses of this host."""
    with running(command, "perf", "--server", "--persist", "--local", address, "--port", "0") as server:
        port = port_of(server)
        with running(command, "perf", "send_bw", address, "--port", port, "-q", "2", "--iters", "1000000000") as client:
            wait_for(lambda: str(client.pid) in run(command, "show", "qp").stdout, "nd show has the client")
            for words in OF_PROCESSES:
                text = check_on_terminal(command, words) if words[0] == "show" else check(command, words)
                assert words[:2] in (("show", "srq"), ("show", "mw"), ("show", "listen")) or str(client.pid) in text, (words, text)


def has_ipv6():
    return pathlib.Path("/proc/net/if_inet6").exists() and "00000000000000000000000000000001" in pathlib.Path("/proc/net/if_inet6").read_text()


def main():
    command = sys.argv[1]
    names = commands(command)
    assert {"info", "perf", "explain"} <= set(names), names
    for words in (*((name, "--help") for name in names), *QUIET):
        check(command, words)
    with tempfile.TemporaryDirectory() as folder:
        link = os.path.join(folder, "a_program_of_somebody_with_a_name_that_is_longer_than_half_a_terminal")
        os.symlink(os.path.abspath(command), link)
        for address in ("127.0.0.1", "::1") if has_ipv6() else ("127.0.0.1",):
            check_processes(link, address)


if __name__ == "__main__":
    main()
