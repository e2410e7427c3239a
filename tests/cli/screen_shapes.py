# SPDX-License-Identifier: MIT
"""What screens of one command have in common, on any host and in any run."""
import re

NUMBER = re.compile(r"0x[0-9a-f]+|\d[\d.]*")
PATH = re.compile(r"(transport \w+) \([^)]*\)")  # of bulk data, as the kernel lets it
FACT = re.compile(r"^ *([A-Z]+[a-z]\w*|INTERFACE|MTU)\b")


def word_of(text):
    return "N" if text == "-" else NUMBER.sub("N", text)


def shape(lines):
    """Their words, with N for numbers, without bars. Lines of one shape that follow each other are one."""
    shapes = []
    for line in lines:
        words = [word_of(word) for word in PATH.sub(r"\1", line).split() if set(word) != {"#"}]
        if words not in shapes[-1:]:
            shapes.append(words)
    return shapes


def facts(lines):
    """The names of limits, and the headings of a table: the rest is the host's."""
    return [found[1] for line in lines if (found := FACT.match(line))]
