#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""docs/limits.md has each member of the three info structures that is a limit, with the number that Query gives over each wire.

    limits.py PROGRAM DOCUMENT    (the program is adapter_limits.cpp)
"""
import os
import pathlib
import re
import subprocess
import sys

SECTION = re.compile(r"^## .*?: (\w+_ADAPTER_INFO)$(.*?)(?=^## |\Z)", re.DOTALL | re.MULTILINE)
ROW = re.compile(r"^\| `(\w+)` \| (\d+) \|", re.MULTILINE)
WIRES = ("loopback", "shm", "iwarp", "loopback,shm,iwarp")


def told(document):
    return {f"{structure}.{member}": number for structure, text in SECTION.findall(document) for member, number in ROW.findall(text)}


def given(program, wires):
    clean = {name: value for name, value in os.environ.items() if not name.startswith("OPENND_")}
    done = subprocess.run([program], env=clean | {"OPENND_TRANSPORT": wires}, check=True, capture_output=True, text=True)
    return dict(line.split() for line in done.stdout.splitlines())


def main():
    program, document = sys.argv[1], pathlib.Path(sys.argv[2])
    written, wrong = told(document.read_text()), []
    for wires in WIRES:
        limits = given(program, wires)
        for member in sorted(limits.keys() | written.keys()):
            if limits.get(member) != written.get(member):
                wrong.append(f"{document.name}: {member}: {written.get(member, 'not there')}; over {wires} Query gives {limits.get(member, 'none')}")
    for line in wrong:
        print(line, file=sys.stderr)
    print(f"limits: {len(written)} limits over {len(WIRES)} choices of wires, {len(wrong)} wrong")
    return 1 if wrong or not written else 0


if __name__ == "__main__":
    sys.exit(main())
