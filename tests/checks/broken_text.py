#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""No text was broken by a tool that moved its words to other lines: a string that goes on in the next line is not left with a word or two in a
line of its own, and in comments a pointer's star stands before its name, not behind the word in front of it.

    broken_text.py ROOT [FILE...]
"""
import pathlib
import re
import sys

FOLDERS = ("src", "cli", "companions", "include", "examples", "benchmarks", "tests")
# A line that is nothing but a part of a string.
PART = re.compile(r'^\s*"((?:[^"\\]|\\.)*)"$')
BEGINS = re.compile(r'^\s*"')
ENDS = re.compile(r'"$')
LEAST_LETTERS = 30
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
# "or* pBufferSize". Types have capitals, a suffix or one of these names.
STAR = re.compile(r"(?<!\*)\b(?!(?:void|char|int|long|float|double|const|short|auto|sockaddr)\b)[a-z]+\* +\w")


def broken_strings(lines):
    for number in range(1, len(lines) - 1):
        part = PART.match(lines[number])
        if not part or not ENDS.search(lines[number - 1]) or not BEGINS.match(lines[number + 1]):
            continue
        if part[1].endswith(" ") and len(part[1]) < LEAST_LETTERS:
            yield number + 1, f'a string is broken at "{part[1]}"'


def moved_stars(text):
    for comment in COMMENT.finditer(text):
        for star in STAR.finditer(comment[0]):
            number = text.count("\n", 0, comment.start() + star.start()) + 1
            yield number, f'a star has moved to the word before it: "{star[0]}"'


def faults(text):
    yield from broken_strings(text.splitlines())
    yield from moved_stars(text)


def main():
    root = pathlib.Path(sys.argv[1])
    files = [pathlib.Path(name) for name in sys.argv[2:]] or [
        path for folder in FOLDERS for path in sorted((root / folder).rglob("*")) if path.suffix in {".h", ".c", ".cpp"}]
    found = [f"{path}:{number}: {fault}" for path in files for number, fault in faults(path.read_text())]
    for line in found:
        print(line, file=sys.stderr)
    if not found:
        print(f"broken_text: {len(files)} files")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
