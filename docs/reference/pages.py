#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the documents of the project as pages of the reference: doxygen reads the copies.

    pages.py OUTPUT-FOLDER [DOCUMENT...]    the documents are written beside those of pages()

A link to another page of the reference leads there; a link to any other file becomes its path. Each requirement of
docs/requirements gets an anchor, which links in the headers' comments lead to, and ids in other documents lead there too.
"""
import functools
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LINK = re.compile(r"\[([^\]]*)\]\(([^)#\s]*)(?:#[^)]*)?\)")
CODE = re.compile(r"(`[^`\n]+`)")
TITLE = re.compile(r"^# (.*)$", re.MULTILINE)
REQUIREMENT = re.compile(r"^- ([A-Z][A-Z0-9]*(?:-[A-Z0-9]+)+): ")
IDENTIFIER = re.compile(r"\b(?:ND1|ND2|NDS|NDK|IW)(?:-[A-Z]+)+-\d+\b")


@functools.cache
def pages():
    """The documents that are pages."""
    docs = ROOT / "docs"
    folders = [docs, *(docs / name for name in ("decisions", "first_ten_minutes", "requirements", "tutorial"))]
    return {path.resolve() for folder in folders for path in folder.glob("*.md") if path.name != "open.md"}


def label(path):
    """Of a document under docs by its path, of one that is written for the reference alone by its name."""
    path = path.resolve().with_suffix("")
    name = path.relative_to(ROOT / "docs") if path.is_relative_to(ROOT / "docs") else path.name
    return "page_" + re.sub(r"\W", "_", str(name))


def escape(text):
    """Text outside of code: no command of Doxygen, no HTML."""
    for old, new in (("\\", "\\\\"), ("@", "\\@"), ("%", "\\%"), ("<", "&lt;"), ("#", "\\#"), ("~", "\\~")):
        text = text.replace(old, new)
    return text


def follow(path, text, target):
    """The link of the document at `path` with this text, which may be code."""
    if "://" in target:
        return f"[{escape(text)}]({target})"
    linked = (path.parent / target).resolve()
    if linked == path.resolve():
        return escape(text)
    if linked in pages():
        # The pages that the first page of their folder lists stand below it in the list of all pages.
        command = "subpage" if path.name == "README.md" and linked.parent == path.parent.resolve() else "ref"
        return f'@{command} {label(linked)} "{escape(text)}"'
    file = f"`{linked.relative_to(ROOT)}`"
    return file if text in target else f"{escape(text)} ({file})"


class Page:
    def __init__(self, path):
        self.path = path
        self.defines = path.parent.name == "requirements"
        self.known = frozenset() if self.defines else identifiers()

    def convert(self, text):
        lines, fenced, code = [], False, False
        for line in text.split("\n"):
            fence = line.startswith("```")
            fenced = fenced != fence
            # Indented lines are code behind an empty line; behind others they go on in a list.
            code = line.startswith("    ") and (code or not lines or not lines[-1])
            if fence:
                line = re.sub(r"^```(\w+).*$", r"```{.\1}", line)
            elif not fenced and not code:
                line = self.prose(line)
            lines.append(line)
        return TITLE.sub(lambda found: f"# {found[1]} {{#{label(self.path)}}}", "\n".join(lines), count=1)

    def prose(self, line):
        mark = re.match(r"#+ ", line)
        head = mark[0] if mark else ""
        line = line[len(head) :]
        requirement = REQUIREMENT.match(line) if self.defines else None
        if requirement:
            head, line = f"- @anchor {requirement[1]} **{requirement[1]}**: ", line[requirement.end() :]
        done = []  # pieces that are not escaped again; a control character and its number stand for each

        def keep(piece):
            done.append(piece)
            return f"\x01{len(done) - 1}\x01"

        line = LINK.sub(lambda found: keep(follow(self.path, found[1].replace("`", ""), found[2])), line)
        # To doxygen an apostrophe ends what one backtick begins; two backticks hold.
        line = CODE.sub(lambda found: keep(f"`{found[1]}`" if "'" in found[1] else found[1]), line)
        line = IDENTIFIER.sub(lambda found: keep(f'@ref {found[0]} "{found[0]}"') if found[0] in self.known else found[0], line)
        return head + re.sub("\x01(\\d+)\x01", lambda found: done[int(found[1])], escape(line))


@functools.cache
def identifiers():
    """The requirements that have an anchor."""
    found = set()
    for path in (ROOT / "docs/requirements").glob("*.md"):
        if path.resolve() in pages():
            found.update(match[1] for match in map(REQUIREMENT.match, path.read_text().split("\n")) if match)
    return found


def main():
    folder = pathlib.Path(sys.argv[1])
    for path in sorted(pages().union(map(pathlib.Path, sys.argv[2:]))):
        (folder / f"{label(path)}.md").write_text(Page(path).convert(path.read_text()))


if __name__ == "__main__":
    main()
