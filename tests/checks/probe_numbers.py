#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""docs/probes.md has the number of each operation and status, as the enumerations have it.

    tests/checks/probe_numbers.py ROOT            fails where the tables differ
    tests/checks/probe_numbers.py ROOT --write    writes them
"""
import pathlib
import re
import sys

ENUMERATIONS = {"Operation": "src/model/work_request.h", "Status": "src/base/status.h"}
COLUMNS = 4  # numbers are packed, some to a row


def members(text, enumeration):
    body = re.search(r"enum class (?:\[\[\w+\]\] )?" + enumeration + r" : std::uint8_t ?\{(.*?)\};", text, re.DOTALL)
    names = re.findall(r"^\s*(\w+),", re.sub(r"//.*", "", body.group(1)), re.MULTILINE)
    assert names, enumeration
    return names


def table(enumeration, names):
    cells = [f"{number} `{name}`" for number, name in enumerate(names)]
    rows = [cells[at:at + COLUMNS] for at in range(0, len(cells), COLUMNS)]
    rows[-1] += [""] * (COLUMNS - len(rows[-1]))
    lines = [f"| {enumeration} |" + " |" * (COLUMNS - 1), "|" + "---|" * COLUMNS]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def main():
    root = pathlib.Path(sys.argv[1])
    document = root / "docs/probes.md"
    text = document.read_text(encoding="utf-8")
    told = text
    for enumeration, path in ENUMERATIONS.items():
        wanted = table(enumeration, members((root / path).read_text(encoding="utf-8"), enumeration))
        told, times = re.subn(r"\| " + enumeration + r" \|.*?\n\n", lambda _: wanted + "\n", told, count=1, flags=re.DOTALL)
        assert times == 1, f"{document.name} has no table of {enumeration}"
    if "--write" in sys.argv:
        document.write_text(told, encoding="utf-8")
    elif told != text:
        sys.exit("probe_numbers: docs/probes.md has other numbers; tests/checks/probe_numbers.py . --write")
    print("probe_numbers: the tables are those of the enumerations")


if __name__ == "__main__":
    main()
