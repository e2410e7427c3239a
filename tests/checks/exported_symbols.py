#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""libopennd.so shows the symbols that opennd.map lists, and the list is what the public headers declare.

All three are compared by name, in both directions: a symbol too many, one too few, or a declared function that cannot be
linked each fail.
"""
import argparse
import pathlib
import re
import subprocess
import sys

FUNCTION = re.compile(r"^\s*[\w\s*]+?\b(opennd_[a-z_]+|Nd[A-Z]\w*|Dll[A-Z]\w*)\s*\(", re.MULTILINE)
IDENTIFIER = re.compile(r"\bDEFINE_GUID\(\s*((?:IID|CLSID|GUID)_\w+)")
# Windows' functions follow their calling convention; macros are no functions.
CONVENTION = re.compile(r"\b(?:WINAPI|WSAAPI|WSPAPI|STDAPICALLTYPE|NTAPI|__cdecl)\s+(\w+)\s*\(")
# A stand-in for a system function of another name.
STAND_IN = re.compile(r"^(?:int|ssize_t) (opennd_\w+)\(", re.MULTILINE)
DIRECTIVE = re.compile(r"^\s*#(?:.*\\\n)*.*$", re.MULTILINE)
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)


def listed(path):
    text = COMMENT.sub("", path.read_text())
    names = re.search(r"global:(.*?)local:", text, re.DOTALL)[1].replace(";", " ").split()
    patterns = [name for name in names if not name.isidentifier()]
    if patterns:
        sys.exit(f"{path.name}: {' '.join(patterns)}: each symbol is listed by its full name")
    return set(names)


def shown(nm, library):
    output = subprocess.run([nm, "-D", "--defined-only", str(library)], check=True, capture_output=True, text=True).stdout
    symbols = (line.split() for line in output.splitlines())
    # "A" marks the version's own name.
    return {symbol[-1].split("@")[0] for symbol in symbols if symbol[-2] != "A"}


def declared_by_convention(folder):
    names = set()
    for path in sorted(folder.rglob("*.h")):
        text = DIRECTIVE.sub("", COMMENT.sub("", path.read_text()))
        names |= set(IDENTIFIER.findall(text))
        text = re.sub(r"^\s*typedef[^;]*;", "", text, flags=re.MULTILINE)
        names |= set(CONVENTION.findall(text)) | set(STAND_IN.findall(text))
    return names


def declared(folder):
    names = set()
    for path in sorted(folder.glob("*.h")):
        text = COMMENT.sub("", path.read_text())
        names |= set(IDENTIFIER.findall(text))
        # A function type in a typedef is not a function.
        names |= set(FUNCTION.findall(re.sub(r"^\s*typedef[^;]*;", "", text, flags=re.MULTILINE)))
    return names


def compare(left, left_name, right, right_name):
    for name in sorted(left - right):
        yield f"{name}: {left_name}, not {right_name}"
    for name in sorted(right - left):
        yield f"{name}: {right_name}, not {left_name}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nm", default="nm")
    for name in ("library", "list", "headers"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    parser.add_argument("--by-convention", action="store_true", help="functions are known by WINAPI, NTAPI and the like")
    arguments = parser.parse_args()
    wanted = listed(arguments.list)
    exported = shown(arguments.nm, arguments.library)
    wrong = list(compare(exported, "shown by the library", wanted, "in the version script"))
    find = declared_by_convention if arguments.by_convention else declared
    wrong += compare(find(arguments.headers), "declared in a public header", wanted, "in the version script")
    for line in wrong:
        print(line, file=sys.stderr)
    print(f"exported symbols: {len(wanted)} listed, {len(wrong)} differences")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
