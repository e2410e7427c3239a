#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""docs/process_wide.md names every variable that libopennd has once in a process, and what a child of fork finds there.

Compared in both directions with the variables of the library that can be written. None is made at its first use inside a function: a
child that is forked meanwhile would wait for the maker for ever. What the page says is begun anew by a step is in the list of steps.
"""
import argparse
import pathlib
import re
import subprocess
import sys

WRITABLE = (".data", ".bss", ".tdata", ".tbss")
GUARD = "guard variable for "
# The linker's, the compiler's and the C++ library's own; and constants by their names.
FOREIGN = re.compile(r"^(_|DW\.ref\.|completed\.0$|end$|std::|.*\$(got|plt)$|(.*::)?k[A-Z]\w*$)")
ROW = re.compile(r"^\| `([^`]+)` \| (step|value|thread|constant)\b", re.MULTILINE)


def written(nm, library):
    command = [nm, "-C", "--defined-only", "--format=sysv", str(library)]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    for line in output.splitlines():
        fields = [field.strip() for field in line.rsplit("|", 6)]
        name = re.sub(r"\[abi:\w+\]|opennd::|\(anonymous namespace\)::|\([^()]*\)(?=::)", "", fields[0])
        if len(fields) == 7 and fields[6] in WRITABLE and not FOREIGN.match(name):
            yield name


def faults(variables, page, sources):
    for name in sorted(variables):
        if name.startswith(GUARD):
            yield f"{name[len(GUARD):]}: made at its first use, which a fork may come into: use KeptOnce, OfProcess, or a constant"
    # A step's entry in the list.
    variables = {name for name in variables if not name.startswith(GUARD) and not name.endswith("_listed")}
    rows = dict(ROW.findall(page))
    for name in sorted(variables - rows.keys()):
        yield f"{name}: the library has it once in a process; the page does not say what a child of fork finds there"
    for name in sorted(rows.keys() - variables):
        yield f"{name}: on the page, and not in the library"
    for name in sorted(name for name, kind in rows.items() if kind == "step"):
        short = name.rsplit("::", 1)[-1]
        if not re.search(rf"\b{re.escape(short)}\.list\(\)", sources):
            yield f"{name}: a step that is not in the list: {short}.list()"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nm", default="nm")
    for name in ("library", "page", "sources"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    variables = set(written(arguments.nm, arguments.library))
    sources = "".join(path.read_text() for path in sorted(arguments.sources.rglob("*.cpp")))
    wrong = list(faults(variables, arguments.page.read_text(), sources))
    for line in wrong:
        print(line, file=sys.stderr)
    print(f"variables of the process: {len(variables)}, {len(wrong)} faults")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
