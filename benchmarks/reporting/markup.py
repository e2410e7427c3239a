# SPDX-License-Identifier: MIT
"""Elements of HTML and SVG as text that is well-formed XML."""
from xml.sax.saxutils import escape, quoteattr


VOID = {"meta"}  # elements that HTML knows without an end; any other one gets its end tag


class Markup(str):
    """Text that needs no escape any more."""


def tag(name, /, *children, **attributes):
    """An element. Children that are no Markup are escaped; `class_` is class, `stroke_width` is stroke-width; None is left out."""
    words = [name]
    for key, value in attributes.items():
        if value is not None:
            words.append(f"{key.rstrip('_').replace('_', '-')}={quoteattr(_text(value))}")
    begin = " ".join(words)
    return Markup(f"<{begin}/>" if name in VOID else f"<{begin}>{joined(children)}</{name}>")


def joined(children):
    return Markup("".join(each if isinstance(each, Markup) else escape(_text(each)) for each in children))


def _text(value):
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
