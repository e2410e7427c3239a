#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`nd explain` knows every status that the public headers define, by name and by number, and every one it lists."""
import pathlib
import re
import subprocess
import sys

DEFINED = re.compile(r"^#define ((?:ND|STATUS|E|S|CLASS_E)_\w+)\s+\(\((?:HRESULT|NTSTATUS)\)(0x[0-9A-F]+|\d)", re.MULTILINE)


def explain(command, *words):
    done = subprocess.run([command, "explain", *words], capture_output=True, text=True)
    return done.returncode, done.stdout


def problems(command, headers):
    defined = {}
    for name in ("ndstatus.h", "ndtypes.h", "ndcom.h"):
        defined.update(DEFINED.findall((headers / name).read_text()))
    if len(defined) < 55:
        yield f"only {len(defined)} statuses found in the headers"
    for name, text in defined.items():
        number = int(text, 16)
        for word in (name, f"0x{number:08x}", str(number - (1 << 32) if number >> 31 else number)):
            code, output = explain(command, word)
            first = output.splitlines()[0] if output else ""
            if code != 0 or f"(0x{number:08X})" not in first or name not in output:
                yield f"nd explain {word}: exit code {code}, not about {name} {text}: {first}"
            elif "What to change" not in output or "Network Direct version" not in output:
                yield f"nd explain {word}: no use or no remedy"
    code, listed = explain(command)
    numbers = [line.split()[0] for line in listed.splitlines()]
    if len(numbers) != len(set(numbers)):
        yield "nd explain: a number is listed twice"
    for number in numbers:
        if explain(command, number)[0] != 0:
            yield f"nd explain {number}: listed and not known"


def main():
    wrong = list(problems(sys.argv[1], pathlib.Path(sys.argv[2])))
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
