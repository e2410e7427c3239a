#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each piece of code that a page of the tutorial quotes stands so in a program that the page links, and these programs are short.

A block ```cpp of a page is a quote: consecutive lines of one of the sources that the page links, with another indent if need be.

    quoted_code.py ROOT
"""
import pathlib
import re
import sys
import textwrap

PAGES = "docs/tutorial"
PROGRAMS = "examples/tutorial/"
LINES_OF_A_PROGRAM = 149
BLOCK = re.compile(r"^```cpp\n(.*?)^```$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^)#\s]+\.(?:cpp|h))\)")


def stands_in(quote, source):
    wanted = textwrap.dedent(quote).splitlines()
    lines = source.splitlines()
    return any(textwrap.dedent("\n".join(lines[at : at + len(wanted)])).splitlines() == wanted for at in range(len(lines) - len(wanted) + 1))


def wrongs(page):
    text = page.read_text()
    sources = {link: page.parent / link for link in LINK.findall(text) if PROGRAMS in link}
    for link, path in sources.items():
        if not path.is_file():
            yield f"{link} does not exist"
        elif len(path.read_text().splitlines()) > LINES_OF_A_PROGRAM:
            yield f"{link} has more than {LINES_OF_A_PROGRAM} lines"
    for block in BLOCK.finditer(text):
        if not any(stands_in(block[1], path.read_text()) for path in sources.values() if path.is_file()):
            yield f"no source that the page links has these lines:\n{block[1]}"


def main():
    root = pathlib.Path(sys.argv[1])
    pages = sorted((root / PAGES).glob("*.md"))
    found = [f"{page.relative_to(root)}: {wrong}" for page in pages for wrong in wrongs(page)]
    for wrong in found:
        print(wrong, file=sys.stderr)
    quotes = sum(len(BLOCK.findall(page.read_text())) for page in pages)
    print(f"quoted_code: {len(pages)} pages, {quotes} quotes, {len(found)} wrong")
    return 1 if found or not quotes else 0


if __name__ == "__main__":
    sys.exit(main())
