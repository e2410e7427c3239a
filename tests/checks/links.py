#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every relative link in the project's documents leads to a file that exists."""
import pathlib
import re
import sys

LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
FENCED = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)


def documents(root):
    yield from root.glob("*.md")
    for folder in ("docs", "src", "tests", "benchmarks", "examples"):
        yield from (root / folder).rglob("*.md")


def main():
    root = pathlib.Path(sys.argv[1])
    dead, seen = [], 0
    for document in sorted(documents(root)):
        for link in LINK.findall(FENCED.sub("", document.read_text())):
            if "://" in link:
                continue
            seen += 1
            if not (document.parent / link).exists():
                dead.append(f"{document.relative_to(root)}: {link} does not exist")
    for line in dead:
        print(line, file=sys.stderr)
    print(f"links: {seen} relative links, {len(dead)} dead")
    return 1 if dead else 0


if __name__ == "__main__":
    sys.exit(main())
