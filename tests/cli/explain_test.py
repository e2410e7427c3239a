#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`nd explain` knows every status that the public headers define, by name and by number, and every one it lists; and the
requirements."""
import pathlib
import re
import subprocess
import sys

DEFINED = re.compile(r"^#define ((?:ND|STATUS|NDIS_STATUS|E|S|CLASS_E)_\w+)\s+\(\((?:HRESULT|NTSTATUS)\)(0x[0-9A-F]+|\d)", re.MULTILINE)


def explain(command, *words):
    done = subprocess.run([command, "explain", *words], capture_output=True, text=True)
    return done.returncode, done.stdout


def problems(command, headers):
    defined = {}
    for name in ("ndstatus.h", "ndkstatus.h", "ndtypes.h", "ndcom.h"):
        defined.update(DEFINED.findall((headers / name).read_text()))
    if len(defined) < 55:
        yield f"only {len(defined)} statuses found in the headers"
    _, listed = explain(command)
    first_lines = [line for line in listed.splitlines() if line.startswith("0x")]
    rows = {line.split()[0]: line.split()[1] for line in first_lines}
    if len(rows) != len(first_lines):
        yield "nd explain: a number is listed twice"
    for name, text in defined.items():
        number = f"0x{int(text, 16):08X}"
        code, output = explain(command, name)
        if code != 0 or not output.startswith(f"{rows.get(number)} ({number})") or name not in output:
            yield f"nd explain {name}: exit code {code}, not about {number}: {output[:60]}"
        elif "What to change" not in output or not ("Network Direct version" in output or "NDKPI" in output):
            yield f"nd explain {name}: no use or no remedy"
        if explain(command, number.removeprefix("0x").lower()) != (code, output):
            yield f"nd explain {name}: another answer for its number as %08x prints it"


def problems_of_requirements(command, folder):
    """The ids that explanations cite, by the first and the last one of each document."""
    for page in sorted(folder.glob("*.md")):
        items = re.findall(r"^- ((?:\w+-)+\d+): (.+)$", page.read_text(), re.MULTILINE)
        if page.name == "open.md":
            continue
        if len(items) < 2:
            yield f"{page.name}: no items"
            continue
        for name, text in (items[0], items[-1]):
            code, output = explain(command, name)
            if code != 0 or name not in output or page.name not in output or text.split()[-1] not in output:
                yield f"nd explain {name}: exit code {code}: {output[:60]}"


def main():
    command, headers = sys.argv[1], pathlib.Path(sys.argv[2])
    wrong = [*problems(command, headers), *problems_of_requirements(command, headers.parent.parent / "docs/requirements")]
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
