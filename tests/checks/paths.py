#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every path in the project's documents and comments leads to a file that exists, as does every file name in a comment, every folder of
docs, and every number of a decision. Comments of public headers, which a reader has without the papers that this project was written
from, name no section or table of such a paper.

A path is written from the root of the project, from one of ROOTS, or from the file's own folder. Files that the project does
not have are listed in OTHERS, or are sources of a profile in data/profiles.
"""
import pathlib
import re
import sys

ROOTS = ("", "src", "src/transport", "companions", "cli", "tests", "docs", "include/opennd", "include/opennd/windows",
         "include/opennd/ndk", "examples/ndk", "tests/conformance")
SOURCES = ("src", "companions", "include", "cli", "tests", "examples", "benchmarks")
OTHERS = {"linux/fs.h", "tests/regression/issue_NNN_test.cpp"}
SUFFIX = r"\.(?:h|c|cpp|py|sh|md|list|json|pml|map|cmake)"
PATH = re.compile(rf"(?<![\w/.<$}}*-])((?:\.\./)*(?:[\w.-]+/)+[\w-]+{SUFFIX})(?![\w/(])")
NAME = re.compile(rf"(?<![\w/.<{{}}*-])([\w-]+{SUFFIX})(?![\w/(])")
# docs/requirements, docs/decisions/0052: a folder, a file, or the beginning of a decision's name.
FOLDER = re.compile(r"(?<![\w/.-])(docs/[\w/-]*\w)(?![\w/*{<-]|\.\w|\.\*)")
# "decision 0012", "decisions 0008 and 0010"; "(0012)" and "[0012]" between decisions.
DECISION = re.compile(r"\b[Dd]ecisions? (\d{4})(?:(?: and | to |, )(\d{4}))?\b")
BARE_DECISION = re.compile(r"[(\[](0\d{3})[)\],;]")
# "section 3.9", "Table 2.8", "section "Statuses"": of which document? An RFC and a page of Microsoft's have a name.
NAMELESS = re.compile(r'\b(?:[Ss]ections?|[Tt]ables?|[Cc]hapters?) (?:\d|")|\b(?:nd1|nd2|ndk|iwarp|the) specification\b')
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


def documents(root):
    yield from (path for path in root.glob("*.md") if path.name != "CHANGELOG.md")  # a history
    yield from (root / "packaging").rglob("*.md")
    for folder in ("docs", *SOURCES):
        yield from (root / folder).rglob("*.md")


def sources(root):
    for folder in SOURCES:
        yield from (path for path in (root / folder).rglob("*") if path.suffix in {".h", ".c", ".cpp"})


def scripts(root):
    """Everything else that people write, without the tests of checks, which make files up."""
    for folder in ("scripts", "cmake", "tests", ".ci", "benchmarks"):
        for path in sorted((root / folder).rglob("*")):
            if path.is_file() and not path.name.endswith("_test.py") and (path.suffix in {".py", ".sh", ".cmake", ".in", ".txt"} or folder in ("scripts", ".ci")):
                yield path


def main():
    root = pathlib.Path(sys.argv[1])
    names = {path.name for folder in ("docs", "scripts", "cmake", *SOURCES) for path in (root / folder).rglob("*")}
    names |= {path.name for path in root.iterdir()}
    others = OTHERS.union(*(PATH.findall(file.read_text()) for file in (root / "data/profiles").glob("*.json")))
    dead, seen = [], 0

    decisions = {path.name[:4] for path in (root / "docs/decisions").glob("[0-9]*.md")}

    def look(file, text, with_names):
        nonlocal seen
        for folder in FOLDER.findall(text):
            seen += 1
            if not (root / folder).exists() and not any(root.glob(folder + "*.md")):
                dead.append(f"{file.relative_to(root)}: {folder} does not exist")
        numbers = [number for pair in DECISION.findall(text) for number in pair if number]
        numbers += BARE_DECISION.findall(text) if file.suffix == ".md" else ()
        for number in numbers:
            seen += 1
            if number not in decisions:
                dead.append(f"{file.relative_to(root)}: there is no decision {number}")
        for path in PATH.findall(text):
            seen += 1
            if path not in others and not any((start / path).exists() for start in [root / each for each in ROOTS] + [file.parent]):
                dead.append(f"{file.relative_to(root)}: {path} does not exist")
        for name in NAME.findall(text) if with_names else ():
            seen += 1
            if name not in names | OTHERS:
                dead.append(f"{file.relative_to(root)}: no file is named {name}")
        if file.is_relative_to(root / "include"):
            for citation in NAMELESS.findall(text):
                dead.append(f"{file.relative_to(root)}: a reader of the header does not have this: {citation}")

    for document in sorted(documents(root)):
        look(document, document.read_text(), False)
    for source in sorted(sources(root)):
        look(source, "\n".join(COMMENT.findall(source.read_text(errors="replace"))), True)
    for script in scripts(root):
        look(script, "\n".join(line for line in script.read_text(errors="replace").splitlines() if "docs/" in line or "ecision" in line),
             False)
    for line in dead:
        print(line, file=sys.stderr)
    print(f"paths: {seen} paths and names of files, {len(dead)} dead")
    return 1 if dead else 0


if __name__ == "__main__":
    sys.exit(main())
