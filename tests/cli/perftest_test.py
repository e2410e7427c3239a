#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A command line of perftest works in `nd perf`: its programs by their names, and its options, or one line that says why an option has no
meaning here. `nd help` and `nd version` answer too."""
import json
import os
import re
import sys

sys.dont_write_bytecode = True
from programs import port_of, run, running  # noqa: E402

SHORT = ("--self", "-n", "30", "--warmup", "5", "--transport", "shm")
PROGRAMS = ("ib_send_lat", "ib_send_bw", "ib_write_lat", "ib_write_bw", "ib_read_lat", "ib_read_bw")
# Options without a meaning here, and words of the line that says why.
WITHOUT_MEANING = (
    (("-x", "3"), "-x has no meaning here: the address of the adapter decides about the GID"),
    (("--gid-index=3",), "-x has no meaning here"),
    (("-f", "1"), "-f has no meaning here: all of -D counts"),
    (("-u", "14"), "-u has no meaning here: Network Direct leaves timeouts to the transport"),
    (("-m", "4096"), "-m has no meaning here: the interface of the adapter has one"),
    (("-S", "3"), "-S has no meaning here: OPENND_VERBS_TOS sets the class of traffic"),
    (("--tclass=106",), "-T has no meaning here: OPENND_VERBS_TOS sets the class of traffic"),
    (("-i", "1"), "-i has no meaning without -d"),
)
# What would measure something else than asked.
REFUSED = (
    (("ib_atomic_bw",), "Network Direct has no atomics"),
    (("send_lat", "-c", "UD"), "'UD': Network Direct is reliable and connected, as RC alone"),
    (("send_lat", "-i", "2"), "-i 2 needs the device, -d"),
    (("send_lat", "-o", "2"), "-o is for read_lat and read_bw; send_lat has no Reads"),
    (("send_lat", "--run_infinitely"), "-n excludes --run_infinitely"),
    (("send_lat", "-d", "no_device_9"), "-d: 'no_device_9' is no network interface with an address"),
    (("send_lat", "-d", "lo", "-i", "2"), "'lo' has no such port"),
)


def measured(command, *words):
    done = run(command, "perf", *words, *SHORT)
    assert done.returncode == 0, done
    return done


def check_programs(command):
    for program in PROGRAMS:
        test = program.removeprefix("ib_")
        done = measured(command, program, "-s", "64")
        assert done.stderr == f"nd perf: {program} is {test} here\n", done
        assert done.stdout.startswith(f"{test}: ") and "\n      64 " in done.stdout, done


def check_server_by_a_program(command):
    """As in perftest, the program without an address is the server."""
    with running(command, "perf", "ib_write_lat", "--local", "127.0.0.1", "-p", "0") as server:
        told = server.stdout.readline()
        assert told.startswith("nd perf: ib_write_lat without a server's address is the server, as --server"), told
        done = run(command, "perf", "ib_write_lat", "127.0.0.1", "-p", port_of(server), "-F", "-n", "30")
        assert done.returncode == 0 and done.stdout.startswith("write_lat: "), done
        assert server.wait(timeout=60) == 0


def check_options(command):
    for words in (("-F",), ("-R",), ("-z",), ("-F", "-R", "-z", "-c", "RC"), ("--CPU-freq", "--rdma_cm", "--com_rdma_cm", "--connection=RC")):
        assert not measured(command, "send_lat", *words).stderr, words
    for words, reason in WITHOUT_MEANING:
        done = measured(command, "send_lat", *words)
        assert reason in done.stderr and len(done.stderr.splitlines()) == 1, done
    for words, reason in REFUSED:
        done = run(command, "perf", *words, *SHORT)
        assert done.returncode == 2 and reason in done.stderr and not done.stdout, done
    assert measured(command, "send_lat", "-d", "lo").stdout.startswith("send_lat: "), "the adapter by the name of its interface"


def check_every_time(command):
    done = measured(command, "send_lat", "-U")
    lines = done.stdout.splitlines()
    begin = lines.index("#, usec")
    times = [line.split(", ") for line in lines[begin + 1:]]
    assert [int(number) for number, _ in times] == list(range(1, 31)), lines
    row = next(line.split() for line in lines if line.split()[:2] == ["8", "30"])
    assert min(float(time) for _, time in times) == float(row[2]) and max(float(time) for _, time in times) == float(row[3]), (row, times)


def check_cycles(command):
    lines = measured(command, "send_lat", "-C").stdout.splitlines()
    assert "[cycle]" in lines[2] and "usec" not in lines[2], lines
    row = lines[3].split()
    assert all(figure.isdigit() for figure in row) and int(row[2]) > 0, lines


def check_no_peak(command):
    row = measured(command, "send_bw", "-N").stdout.splitlines()[-1].split()
    assert row[2] == "-" and float(row[3]) > 0, row


def check_endless_run(command):
    """Rows without end are for one test; tests/cli/interrupted_test.py ends one."""
    done = run(command, "perf", "all", "--self", "--run_infinitely")
    assert done.returncode == 2 and "--run_infinitely is for one test" in done.stderr, done


def check_reads_in_progress(command):
    """Each Read takes the delay: as many as are not in progress at a time take it one after the other."""
    words = ("read_bw", "-s", "8", "-n", "50", "-o", "1", "--json")
    for api in ("nd1", "nd2", "ndk"):
        done = run(command, "perf", *words, "--self", "--api", api, "--warmup", "0", env={**os.environ, "OPENND_FAULTS": "wire:delay=2ms"})
        (result,) = json.loads(done.stdout)["results"]
        assert result["plan"]["reads"] == 1 and result["seconds"] > 50 * 0.002, (api, result)
    assert "1 queue pair, Reads in progress: 2\n" in measured(command, "read_bw", "-o", "2").stdout
    assert "-o) 1000000 is outside 1 to " in run(command, "perf", "read_bw", "--self", "-o", "1000000").stderr


def check_help_and_version(command):
    version = run(command, "--version").stdout
    for words in (("version",), ("-V",), ("perf", "-V"), ("perf", "--version")):
        done = run(command, *words)
        assert done.returncode == 0 and done.stdout == version, (words, done)
    assert run(command, "help").stdout == run(command, "--help").stdout
    assert len(run(command, "--help").stdout.splitlines()) < 40
    for name, option in (("perf", "--help-all"), ("show", "--help"), ("capture", "--help")):
        assert run(command, "help", name).stdout == run(command, name, option).stdout, name
    first, everything = (run(command, "perf", option).stdout for option in ("--help", "--help-all"))
    assert len(first.splitlines()) < 65 < len(everything.splitlines()) / 2, first
    names = [set(re.findall(r"^  (-[^ ]+)", text, re.MULTILINE)) for text in (first, everything)]
    assert names[0] < names[1] and f"{len(names[1] - names[0])} more: nd perf --help-all" in first, names
    assert "--self" in names[0] and "--cpu" not in names[0] and "--cpu" in names[1], names
    settings = [each["variable"] for each in json.loads(run(command, "info", "--settings", "--json").stdout)["settings"]]
    told = run(command, "help", "settings").stdout
    assert len(settings) > 30 and all(f"\n  {name} " in told for name in settings), told


def main():
    command = sys.argv[1]
    check_programs(command)
    check_server_by_a_program(command)
    check_options(command)
    check_every_time(command)
    check_cycles(command)
    check_no_peak(command)
    check_endless_run(command)
    check_reads_in_progress(command)
    check_help_and_version(command)


if __name__ == "__main__":
    main()
