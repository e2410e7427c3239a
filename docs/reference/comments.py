#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes public headers with Doxygen's comments in place of plain ones: doxygen reads the copies.

    comments.py OUTPUT-FOLDER HEADER...

The headers have comments in front of declarations and behind members. Here such a comment gets Doxygen's marks; its statuses
(`ND_X: cause; ND_Y`) become a list, its requirement ids links, a heading (`---- events ----`) a group of members, and the
heading of an interface the first sentence about it. Lines that declare nothing for a reader go.
"""
import pathlib
import re
import sys

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
HEADING = re.compile(r"^-{4} (?P<title>.*?) -{4,}$")
INTERFACE = re.compile(r"\s*(?:#(?:undef|define) INTERFACE\b[^\n]*\n\s*)*DECLARE_INTERFACE_?\((?P<name>\w+)")
IDENTIFIER = re.compile(r"\b(?:ND1|ND2|NDS|NDK|IW)(?:-[A-Z]+)+-\d+\b")
STATUS = r"(?:ND|STATUS|NDIS_STATUS|[SE]|CLASS_E)_[A-Z][A-Z0-9_]*"
STATUSES = re.compile(rf"{STATUS}(?=[;:,]|\.(?!\.)| and | or |\(\.\.\.\)|$)")
LABELS = ("Result", "Overlapped", "Later")
UNDEFINED = {"ND_FAILURE"}  # only where NDVER is version 1: the pages are of version 2
MEMORY = "ND_NO_MEMORY, ND_INSUFFICIENT_RESOURCES: out of memory, or of another resource"
SENTENCE = re.compile(r"(?<=[.)]) (?=[A-Z(])")
# A type without members, declared between a function's comment and the function.
HANDLE = re.compile(r"(/\*(?:(?!\*/).)*\*/\n)(typedef struct (\w+) \3;\n)(?=\w)", re.DOTALL)
# Guards, the macros that an interface is declared with, and checks of layouts.
UNSEEN = re.compile(
    r"^#define (?:OPENND_\w+_H|_\w+_H?_|OPENND_NDCOM_INTERFACES|OPENND_(?:ASSERT|SLOTS|BEGIN|END|C)_\w+)\b(?:[^\n]*\\\n)*[^\n]*$"
    r"|^#(?:undef|define) INTERFACE\b[^\n]*$|^OPENND_ASSERT_\w+\([^\n]*$|^#pragma GCC [^\n]*$",
    re.MULTILINE,
)


def plain(comment):
    """The paragraphs of a comment, each one line; a line that is only indented differently goes on in its paragraph."""
    first, *others = comment[2:-2].split("\n")
    lines = [first.strip(), *(re.sub(r"^\s*\*(?= |$)", "", line).strip() for line in others)]
    paragraphs = [[]]
    for line in lines:
        if line:
            paragraphs[-1].append(line)
        elif paragraphs[-1]:
            paragraphs.append([])
    return [" ".join(each) for each in paragraphs if each]


def escape(text):
    """Text as Doxygen prints it: no markup, no command; requirement ids are links."""
    for old, new in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\\", "\\\\"), ("@", "\\@"), ("%", "\\%"), ("#", "\\#"),
                     ("*", "&lowast;"), ("~", "\\~"), ("`", "'")):
        text = text.replace(old, new)
    return IDENTIFIER.sub(lambda found: f'@ref {found[0]} "{found[0]}"', text)


def status_items(sentence):
    """The statuses that a sentence lists and their label; nothing for a sentence of another kind."""
    label = next((each for each in LABELS if sentence.startswith(each + ": ")), "")
    parts = [part.strip() for part in re.sub(r"(?<!\.)\.$", "", sentence.removeprefix(label + ": ")).split(";")]
    if not label and not any(STATUSES.match(part) for part in parts[:2]):
        return None
    items = []
    for part in filter(None, parts):
        goes_on = items and ":" in items[-1] and not STATUSES.match(part) and not part.startswith(("memory", "otherwise"))
        if goes_on:
            items[-1] += "; " + part
        else:
            items.append(MEMORY if part == "memory" else part)
    return label or "Returns", items


def link_status(item):
    """"ND_A, ND_B: cause", with each name before the colon a link to its definition."""
    names, colon, cause = item.partition(":")
    if not STATUSES.match(item):
        return escape(item)
    return re.sub(STATUS, lambda found: found[0] if found[0] in UNDEFINED else "#" + found[0], names) + colon + escape(cause)


def paragraph(text):
    """Prose, with each sentence that lists statuses as a list below it."""
    prose, lists = [], {}
    for sentence in SENTENCE.split(text):
        label, items = status_items(sentence) or (None, [])
        if label is None:
            prose.append(escape(sentence))
        lists.setdefault(label, []).extend(f"- {link_status(item)}\n" for item in items)
    lists.pop(None, None)
    return "\n".join([" ".join(prose), *(f"\n@par {label}\n" + "".join(items) for label, items in lists.items())]).strip()


def document(paragraphs):
    return "\n\n".join(paragraph(each) for each in paragraphs)


def file_comment(comment):
    """The first comment of a file: licence, blank line, "name.h: meaning", and what else there is to say."""
    paragraphs = [re.sub(r"^SPDX-License-Identifier: MIT ?", "", each) for each in plain(comment)]
    paragraphs = [each for each in paragraphs if each]
    name, _, meaning = paragraphs[0].partition(": ")
    return f"/** @file {name}\n@brief {escape(meaning[0].upper() + meaning[1:])}\n\n{document(paragraphs[1:])}\n*/"


class Header:
    """The text of one header on its way to Doxygen: pieces of code and comments, in order."""

    def __init__(self, source):
        self.source = HANDLE.sub(r"\2\1", source)
        self.out = []
        self.group_open = False
        self.brief = {}  # of an interface, by its name: the words of the heading over it
        self.remark = None  # the group's own words follow its heading

    def convert(self):
        at = 0
        comments = list(COMMENT.finditer(self.source))
        for number, found in enumerate(comments):
            self.out.append(self.code(self.source[at:found.start()]))
            self.out.append(self.comment(found, number == 0))
            at = found.end()
        self.out.append(self.code(self.source[at:]))
        text = "".join(self.out)
        return text + ("/** @} */\n" if self.group_open else "")

    def code(self, text):
        return re.sub(INTERFACE, self.interface, UNSEEN.sub("", text))

    def interface(self, found):
        """A heading with no comment of its own between it and the interface."""
        brief = self.brief.pop(found["name"], None)
        return (f"\n/** {brief} */\n" if brief else "\n") + found[0].lstrip("\n")

    def comment(self, found, first):
        comment, before = found[0], self.source[self.source.rfind("\n", 0, found.start()) + 1 : found.start()]
        after = self.source[found.end() :]
        if first:
            return file_comment(comment)
        if before.strip():
            return "/**< " + document(plain(comment)) + " */"
        heading = HEADING.match(comment[2:-2].strip())
        if heading:
            return self.heading(heading["title"], after)
        if comment.startswith("/* clang-format") or re.match(r"\n/\* clang-format", after):
            return ""
        if not re.match(r"\n[^\n]*\S", after):  # a blank line follows: it stands for itself
            return ""
        declared = INTERFACE.match(after)
        brief = self.brief.pop(declared["name"], None) if declared else None
        return "/** " + (brief + "\n\n" if brief else "") + document(plain(comment)) + "\n*/"

    def heading(self, title, after):
        name, _, meaning = title.partition(": ")
        end = "/** @} */\n" if self.group_open else ""
        self.group_open = False
        if title == "layout":
            return end
        if re.fullmatch(r"I[A-Z]\w+", name):
            if meaning:
                self.brief[name] = escape(meaning[0].upper() + meaning[1:] + ".")
            return end
        self.group_open = True
        remark = re.match(r"\n+(/\*(?:(?!\*/).)*\*/)\n\n", after, re.DOTALL)
        words = "\n" + document(plain(remark[1])) if remark and not remark[1].startswith("/* --") else ""
        return f"{end}/** @name {escape(title[0].upper() + title[1:])}{words}\n@{{ */"


def main():
    folder = pathlib.Path(sys.argv[1])
    for name in sys.argv[2:]:
        header = pathlib.Path(name)
        (folder / header.name).write_text(Header(header.read_text()).convert())


if __name__ == "__main__":
    main()
