#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The screens in docs/screens look as the commands print today: the same words, headings and columns; numbers, adapters and transports are
the host's of then. A screen begins with the command line that printed it.

    screens_test.py ND FOLDER [--write]    --write: makes the screens anew
"""
import pathlib
import re
import shlex
import sys

sys.dont_write_bytecode = True
from programs import run  # noqa: E402

NUMBER = re.compile(r"^[-+]?[\d.]+[%,;]?$")
PATH = re.compile(r"(transport \w+) \([^)]*\)")  # of bulk data, as the kernel lets it
FACT = re.compile(r"^ *([A-Z]+[a-z]\w*|INTERFACE|MTU)\b")
OF_THE_HOST = {"info.txt", "info_of_an_adapter.txt"}


def shape(lines):
    """Their words, with N for numbers, without bars. Lines of one shape that follow each other are one."""
    shapes = []
    for line in lines:
        words = ["N" if NUMBER.match(word) or word == "-" else word for word in PATH.sub(r"\1", line).split() if set(word) != {"#"}]
        if words not in shapes[-1:]:
            shapes.append(words)
    return shapes


def facts(lines):
    """The names of limits, and the headings of a table: the rest is the host's."""
    return [found[1] for line in lines if (found := FACT.match(line))]


def problems_of(screen, command, words, shown):
    done = run(command, *words)
    if done.returncode != 0:
        yield f"{screen}: {words}: {done}"
        return
    now = done.stdout.splitlines()
    if any(len(line) > 80 for line in [*now, *shown]):
        yield f"{screen}: a line has more than 80 columns"
    parts = facts if screen in OF_THE_HOST else shape
    if parts(shown) != parts(now):
        yield f"{screen}: nd {shlex.join(words)} prints something else now; tests/cli/screens_test.py ND docs/screens --write\n{done.stdout}"


def main():
    command, folder, write = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:] == ["--write"]
    wrong, screens = [], sorted(folder.glob("*.txt"))
    assert len(screens) >= 5, screens
    for path in screens:
        prompt, *shown = path.read_text().splitlines()
        words = shlex.split(prompt.removeprefix("$ nd "))
        if write:
            path.write_text(f"{prompt}\n{run(command, *words).stdout}")
        else:
            wrong += problems_of(path.name, command, words, shown)
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
