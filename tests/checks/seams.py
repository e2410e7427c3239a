#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""docs/adding_a_transport.md has each function of the seams and no other: its table under "### `Class` (`header.h`)" names the virtual
functions of that class, with an asterisk for a row where all are pure and one behind none of the others.

    seams.py PROJECT
"""
import pathlib
import re
import sys

DOCUMENT = "docs/adding_a_transport.md"
SECTION = re.compile(r"^### `(\w+)` \(`([\w/.]+)`\)$(.*?)(?=^#+ |\Z)", re.DOTALL | re.MULTILINE)
ROW = re.compile(r"^\| ((?:`\w+`(?:, )?)+)( \*)? \|", re.MULTILINE)
COMMENT = re.compile(r"//[^\n]*")
VIRTUAL = re.compile(r"\bvirtual\b[^;{}]*?\b(\w+)\([^;{}]*?\)[^;{}()]*?(= 0)?[;{]")


def functions(header, name):
    """The virtual functions of the class, and whether each is pure."""
    text = COMMENT.sub("", header.read_text())
    body = re.search(rf"^class {name}\b[^;{{]*\{{(.*?)^\}};", text, re.DOTALL | re.MULTILINE)
    return {found[1]: found[2] is not None for found in VIRTUAL.finditer(body[1]) if found[1] != name} if body else {}


def main():
    root = pathlib.Path(sys.argv[1])
    wrong, seen = [], 0
    for name, header, text in SECTION.findall((root / DOCUMENT).read_text()):
        declared = functions(root / "src" / header, name)
        rows = [(re.findall(r"`(\w+)`", names), bool(star)) for names, star in ROW.findall(text)]
        told = [each for names, _ in rows for each in names]
        seen += len(told)
        wrong += [f"{name}: {each} is not in {header}" for each in told if each not in declared]
        wrong += [f"{name}: {each} is missing" for each in declared if each not in told]
        if any(star for _, star in rows):
            wrong += [f"{name}: {', '.join(names)}: the asterisk is wrong" for names, star in rows
                      if star != any(declared.get(each, False) for each in names)]
    for line in wrong:
        print(f"{DOCUMENT}: {line}", file=sys.stderr)
    print(f"seams: {seen} functions, {len(wrong)} wrong")
    return 1 if wrong or not seen else 0


if __name__ == "__main__":
    sys.exit(main())
