#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""docs/porting.md has the table of the functions that libopennd-windows.so shows, by the header that declares them.

    windows_functions.py --library FILE --list FILE --document FILE [--nm NM] [--write]

The library says which there are, the comments of its version script in which header. A function of this library's own that stands for
one of Windows or of the system is listed under that one's name. --write puts the table into the document.
"""
import argparse
import os
import pathlib
import re
import sys

from exported_symbols import shown

SECTION = re.compile(r"/\* ([\w/]+\.h) \*/([^/]*)")
TABLE = re.compile(r"^\| Header \| Functions \|\n(?:\|.*\n)+", re.MULTILINE)
DATA = {"GUID_NULL"}
OF_MACROS = {"opennd_module_comes": "DllMain", "opennd_module_goes": "DllMain", "opennd_wide_arguments": "wmain"}


def by_header(script):
    """The names of the version script, by header, in its order."""
    return {header: names.replace(";", " ").split() for header, names in SECTION.findall(script.partition("local:")[0])}


def name_for_programs(symbol):
    return OF_MACROS.get(symbol) or re.sub(r"^opennd_(?:winsock_)?", "", symbol)


def path_of(header, headers):
    path = headers / header
    return path if path.exists() else headers / "win32" / header


def table(exported, sections, link):
    """The page's table. `link` gives a header's address."""
    lines = ["| Header | Functions |", "|---|---|"]
    for header in sorted(sections, key=str.lower):
        names = {name_for_programs(symbol) for symbol in sections[header] if symbol in exported - DATA}
        if names:
            lines.append(f"| [{header}]({link(header)}) | {' '.join(f'`{name}`' for name in sorted(names, key=str.lower))} |")
    return "".join(f"{line}\n" for line in lines)


def faults(exported, sections, text, wanted):
    for symbol in sorted(exported - {symbol for names in sections.values() for symbol in names}):
        yield f"{symbol}: shown by the library, under no header of the version script"
    if wanted not in text:
        yield f"the page's table is not that of the library; --write puts this in:\n{wanted}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nm", default="nm")
    for name in ("library", "list", "document"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    document = arguments.document.resolve()
    exported = shown(arguments.nm, arguments.library)
    sections = by_header(arguments.list.read_text())
    headers = document.parent.parent / "include/opennd/windows"
    wanted = table(exported, sections, lambda header: os.path.relpath(path_of(header, headers), document.parent))
    if arguments.write:
        document.write_text(TABLE.sub(lambda _: wanted, document.read_text(), count=1))
    wrong = list(faults(exported, sections, document.read_text(), wanted))
    for line in wrong:
        print(f"{document.name}: {line}", file=sys.stderr)
    print(f"functions of Windows: {len(exported)} symbols of {len(sections)} headers, {len(wrong)} faults")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
