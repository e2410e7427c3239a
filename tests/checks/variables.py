#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The library names each variable of the environment with the prefix OPENND_ that nothing reads. So the programs and scripts of this project read
no others than those of docs/settings.md, and those of tests, which begin with OPENND_TEST_, or with OPENND_LAB.

    variables.py ROOT
"""
import pathlib
import re
import sys

FOLDERS = ("companions", "cli", "examples", "benchmarks", "tests", "scripts", "packaging", ".ci")
# getenv("X"), number_from("X", 1), variable("X"); environ["X"], environ.get("X"); ${X:-default} and $X of shells; X=value before a command.
READ = re.compile(r'(?:getenv|number_from|variable)\("(OPENND_\w+)"|environ(?:\.get\(|\[)"(OPENND_\w+)"|\$\{?(OPENND_\w+)(?=:-|"|\}?[ /]|$)|'
                  r"^\t*(OPENND_\w+)=", re.MULTILINE)
OF_TESTS = ("OPENND_TEST_", "OPENND_LAB")
# The tests of checks and of settings make names up.
LEFT_OUT = ("tests/checks/", "tests/unit/library/settings_test.cpp")
SHELL = {"", ".sh"}


def names_read(path):
    try:
        text = path.read_text()
    except UnicodeDecodeError:
        return
    for found in READ.finditer(text):
        of_program, of_python, of_shell, of_make = found.groups()
        if of_shell and path.suffix not in SHELL or of_make and path.name != "Makefile":
            continue
        yield of_program or of_python or of_shell or of_make


def main():
    root = pathlib.Path(sys.argv[1])
    settings = set(re.findall(r"`(OPENND_\w+)`", (root / "docs/settings.md").read_text())) - set(OF_TESTS)
    paths = [root / "Makefile", *(path for folder in FOLDERS for path in sorted((root / folder).rglob("*")) if path.is_file())]
    read = {(path.relative_to(root).as_posix(), name) for path in paths for name in names_read(path)}
    wrong = [(path, name) for path, name in sorted(read)
             if name not in settings and not name.startswith(OF_TESTS) and not path.startswith(LEFT_OUT)]
    for path, name in wrong:
        print(f"{path} reads {name}, which the library would tell to be no setting: begin it with {OF_TESTS[0]}, or document it", file=sys.stderr)
    if len(read) < 10:
        print(f"only {len(read)} variables were found", file=sys.stderr)
    return 1 if wrong or len(read) < 10 else 0


if __name__ == "__main__":
    sys.exit(main())
