# SPDX-License-Identifier: MIT
"""A screen of a terminal as SVG, on a dark or a light ground, and back."""
import itertools
import re
from xml.sax.saxutils import escape

WIDE, HIGH, EDGE = 8.4, 18, 12
SCHEMES = {
    "dark": {"ground": "#16181c", "text": "#e6e6e6", "good": "#2bc79a", "note": "#e6a700", "problem": "#ff7b72"},
    "light": {"ground": "#ffffff", "text": "#1c1e21", "good": "#007a5a", "note": "#8a6100", "problem": "#b3261e"},
}
STYLES = {"": "", "1": "heading", "32": "good", "33": "note", "1;31": "problem"}  # parameters of SGR
LINE = re.compile(r"<text [^>]*>(.*?)</text>")
RUN = re.compile(r'<tspan x="([\d.]+)"(?: class="(\w+)")?[^>]*>(.*?)</tspan>')


def runs_of(cells):
    """Of one line: pairs of a style's name and a text."""
    while cells and cells[-1][0] == " ":
        cells = cells[:-1]
    return [(STYLES[style], "".join(letter for letter, _ in part)) for style, part in itertools.groupby(cells, key=lambda cell: cell[1])]


def text_of(runs):
    return "".join(text for _, text in runs)


def picture(lines, columns, scheme):
    """`lines`: lists of runs. Each run begins at its column, whatever font there is."""
    colours = SCHEMES[scheme]
    width, height = columns * WIDE + 2 * EDGE, len(lines) * HIGH + 2 * EDGE
    rules = f"text {{ font: 14px ui-monospace, monospace; fill: {colours['text']}; white-space: pre; }} .heading {{ font-weight: bold; }} "
    rules += " ".join(f".{name} {{ fill: {colours[name]}; }}" for name in ("good", "note", "problem")) + " .problem { font-weight: bold; }"
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}">',
             f"<style>{rules}</style>", f'<rect width="100%" height="100%" rx="6" fill="{colours["ground"]}"/>']
    for number, runs in enumerate(lines):
        parts.append(f'<text y="{EDGE + (number + 0.75) * HIGH:g}">{"".join(_spans(runs))}</text>')
    return "\n".join([*parts, "</svg>", ""])


def _spans(runs):
    column = 0
    for style, text in runs:
        chosen = f' class="{style}"' if style else ""
        yield f'<tspan x="{EDGE + column * WIDE:g}"{chosen} textLength="{len(text) * WIDE:g}">{escape(text)}</tspan>'
        column += len(text)


def lines_of(svg):
    """The lists of runs that the picture was made of."""
    def plain(text):
        return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    return [[(style, plain(text)) for _, style, text in RUN.findall(line)] for line in LINE.findall(svg)]
