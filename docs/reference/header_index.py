#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes a page that lists the headers under Windows' and the kernel's names, with the first sentence of each about itself.

    header_index.py FILE
"""
import pathlib
import re
import sys

HEADERS = pathlib.Path(__file__).resolve().parent.parent.parent / "include/opennd"
SETS = (
    ("Windows' names", "windows", "For programs written for Windows, with `libopennd-windows`: the folder is in front of the others on the include path."),
    ("The kernel's names", "ndk", "For drivers that run in a process, with `libopennd-wdm`."),
)
ABOUT = re.compile(r"/\* SPDX-License-Identifier: MIT\n(?: \*\n)? \* [\w./]+\.h: (?P<text>.*?)\*/", re.DOTALL)
SPELLING = "another spelling of "


def about(path):
    found = ABOUT.match(path.read_text())
    if not found:
        raise SystemExit(f"header_index: {path.relative_to(HEADERS)}: its first comment does not say what it is")
    text = re.sub(r"\s*\n \*\s?", " ", re.split(r"\n \*\n", found["text"])[0]).strip()
    return re.split(r"(?<=\w[.:]) ", text)[0].rstrip(".:")


def rows(folder):
    """Other spellings of a name stand in its row."""
    meanings = {path.relative_to(folder).as_posix(): about(path) for path in sorted(folder.rglob("*.h"))}
    for name, meaning in meanings.items():
        if meaning.startswith(SPELLING):
            continue
        spellings = [name, *(other for other, text in meanings.items() if text == SPELLING + name)]
        yield f"| {', '.join(f'`{each}`' for each in spellings)} | {meaning} |"


def main():
    lines = ["# Headers under the names of others", "",
             "They declare the part that Network Direct programs use, as the systems they come from document it; so they are listed, "
             "and not described again."]
    for title, folder, words in SETS:
        lines += ["", f"## {title}", "", words, "", "| Header | Content |", "|---|---|", *rows(HEADERS / folder)]
    pathlib.Path(sys.argv[1]).write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
