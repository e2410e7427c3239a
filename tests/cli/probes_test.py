#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The library's static probes: readelf lists them, and bpftrace gets what they tell.

    probes_test.py ND LIBRARY [BPFTRACE]

Without BPFTRACE, or where the kernel refuses it, the second part is skipped by name: exit code 77."""
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from programs import DEADLINE_S, port_of, run, running, wait_for  # noqa: E402

SKIPPED = 77
PROBES = {"post": 4, "complete": 5, "connect": 5, "refuse": 3, "end": 4}  # and the number of their arguments
ROUNDS = 3
SEND, SUCCESS = 1, 0


def check_notes(library):
    notes = run("readelf", "-n", library).stdout
    found = collections.defaultdict(set)
    for name, arguments in re.findall(r"Provider: opennd\n\s+Name: (\w+)\n.*\n\s+Arguments: (.*)", notes):
        # One is a size and a place, as 8@%rax; a place may have blanks of its own on no processor we know.
        found[name].add(len(arguments.split()))
    assert found == {name: {count} for name, count in PROBES.items()}, (dict(found), notes)


# A line for each that fires: its name, the process, its numbers.
SCRIPT = """
usdt:LIBRARY:opennd:post { printf("post %d %d %lx\\n", pid, arg1, arg2); }
usdt:LIBRARY:opennd:complete { printf("complete %d %d %lx %d %d\\n", pid, arg1, arg2, arg3, arg4); }
usdt:LIBRARY:opennd:connect { printf("connect %d %s %d\\n", pid, str(arg3), arg4); }
usdt:LIBRARY:opennd:end { printf("end %d %d\\n", pid, arg3); }
"""


def events(text):
    """Of each process, the lines of each probe, as lists of words."""
    found = collections.defaultdict(lambda: collections.defaultdict(list))
    for line in text.splitlines():
        words = line.split()
        if words and words[0] in PROBES:
            found[int(words[1])][words[0]].append(words[2:])
    return found


def ping(command):
    with running(command, "ping", "--server", "--local", "127.0.0.1", "--port", "0", "--transport", "shm") as server:
        port = port_of(server)
        client = subprocess.Popen([command, "ping", "127.0.0.1", "--port", port, "-c", str(ROUNDS), "--transport", "shm"],
                                  stdout=subprocess.DEVNULL)
        assert client.wait(DEADLINE_S) == 0 and server.wait(DEADLINE_S) == 0
        return client.pid, server.pid


def check_events(command, library, bpftrace):
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder, "events")
        with running(bpftrace, "-B", "line", "-o", str(out), "-e", SCRIPT.replace("LIBRARY", library)) as watcher:
            watched = []

            def told():
                return events(out.read_text() if out.exists() else "")

            def all_in_place():
                watched.append(ping(command))
                return watcher.poll() is not None or any(complete(told(), *pair) for pair in watched)
            # The probes are put in place one after the other, while the first programs run: what they tell is not whole.
            wait_for(all_in_place, "bpftrace sees a program")
            if watcher.poll() is not None:
                print("skipped: bpftrace does not run here:", watcher.stdout.read())
                sys.exit(SKIPPED)
            pair = ping(command)
            wait_for(lambda: complete(told(), *pair), "bpftrace tells of a program that began behind all probes")
            check_program(told(), *pair)


def complete(told, client, server):
    """Whether the two were watched from their connection to its end, the client by every probe that a client passes."""
    return (all(told[each][name] for each in (client, server) for name in ("connect", "end"))
            and all(told[client][name] for name in PROBES if name != "refuse"))


def check_program(told, client, server):
    mine = told[client]
    assert mine["connect"] == [["shm", str(server)]] and told[server]["connect"] == [["shm", str(client)]], (dict(mine), client, server)
    assert len(mine["end"]) == 1, mine["end"]
    posted = [context for operation, context in mine["post"] if int(operation) == SEND]
    sent = [words for words in mine["complete"] if int(words[0]) == SEND and int(words[2]) == SUCCESS]
    assert len(posted) >= ROUNDS, mine["post"]
    assert {words[1] for words in sent} <= set(posted), (posted, sent)
    assert any(int(words[3]) > 0 for words in sent), sent


def main():
    command, library, *bpftrace = sys.argv[1:]
    check_notes(library)
    if not bpftrace or not bpftrace[0]:
        print("skipped: no bpftrace here")
        sys.exit(SKIPPED)
    check_events(command, library, bpftrace[0])


if __name__ == "__main__":
    main()
