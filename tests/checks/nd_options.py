#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every command of `nd` in the project's documents exists, and each option that they give it.

    nd_options.py COMMAND PROJECT
"""
import functools
import pathlib
import re
import subprocess
import sys

# At the begin of a line or of code, or behind a shell's sign, sudo or a variable.
CALL = re.compile(r"(?:^|[;|&($/]|\bsudo|=\S*)\s*\bnd ([a-z][a-z-]*)((?:\s+[^\s;|&>#)]+)*)")
OPTION = re.compile(r"^(--?[A-Za-z][\w-]*)")
FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.DOTALL | re.MULTILINE)
RUN = {"", "sh", "text", "ini"}  # the languages of blocks that have commands


def documents(root):
    yield from (root / name for name in ("README.md", "CONTRIBUTING.md"))
    for folder in ("docs", "examples", "benchmarks"):
        yield from sorted((root / folder).rglob("*.md"))


def calls(text):
    """The command and the words behind it, of each call in code."""
    pieces = [body for language, body in FENCE.findall(text) if language in RUN]
    text = FENCE.sub("", text)
    pieces += re.findall(r"`([^`\n]+)`", text)
    pieces += [line for line in text.splitlines() if line.startswith("    ")]
    for piece in pieces:
        for line in piece.splitlines():
            for command, words in CALL.findall(line):
                yield command, words.split()


@functools.cache
def general_help(program):
    return subprocess.run([program, "--help"], check=True, capture_output=True, text=True).stdout


@functools.cache
def options(program, command):
    """The options in the command's help; None: there is no such command, and nd gave its own help."""
    text = subprocess.run([program, command, "--help"], check=True, capture_output=True, text=True).stdout
    if "--help-all" in text:
        text = subprocess.run([program, command, "--help-all"], check=True, capture_output=True, text=True).stdout
    return set(re.findall(r"(?<![\w-])--?[A-Za-z][\w-]*", text)) if text != general_help(program) else None


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    wrong, seen = [], 0
    for document in documents(root):
        for command, words in calls(document.read_text()):
            known = options(program, command)
            name = document.relative_to(root)
            seen += 1
            if known is None:
                wrong.append(f"{name}: there is no nd {command}")
                continue
            for word in words:
                found = OPTION.match(word)
                if found and found[1] not in known:
                    wrong.append(f"{name}: nd {command} has no {found[1]}")
    for line in wrong:
        print(line, file=sys.stderr)
    print(f"nd_options: {seen} calls of nd in documents, {len(wrong)} wrong")
    return 1 if wrong or not seen else 0


if __name__ == "__main__":
    sys.exit(main())
