# SPDX-License-Identifier: MIT
"""Colours, dashes and marks of contenders, and the style sheet of the page.

The colours differ for colour-blind readers, too; each is a pair for light and dark pages and stands out from both backgrounds. No meaning
rests on colour alone: floors are dashed, builds before are dotted, and contenders of one plot have marks of their own.
"""
from .row import BEFORE, FLOOR, OURS, PEER

BACKGROUND = ("#ffffff", "#16181c")
TEXT = ("#1c1e21", "#e6e6e6")
FAINT = ("#d8d8d8", "#3a3d42")
COLOURS = {
    OURS: (("#0072b2", "#56b4e9"), ("#007a5a", "#2bc79a"), ("#a8447f", "#e39ac6")),
    PEER: (("#c65300", "#ff8a3d"), ("#8a6100", "#e6a700"), ("#6c43a0", "#bda0ea"), ("#7a3b2e", "#d99a8c")),
    FLOOR: (("#5a5a5a", "#bdbdbd"),),
}
DASHES = {OURS: (None,), BEFORE: ("2 3",), PEER: (None,), FLOOR: ("7 4", "3 3", "10 3 2 3")}
MARKS = ("circle", "square", "diamond", "up", "down", "cross")


class LineStyle:
    """Of one contender in one plot. `name` is the class of its elements."""

    def __init__(self, kind, index, mark):
        family = OURS if kind == BEFORE else kind
        self.name = f"{family}-{index % len(COLOURS[family])}"
        self.dashes = DASHES[kind][index % len(DASHES[kind])]
        self.mark = MARKS[mark % len(MARKS)]
        self.hollow = kind in (BEFORE, FLOOR)
        self.width = 2.5 if kind == OURS else 1.5


def styles_of(contenders):
    """{name of the contender: LineStyle}"""
    seen, styles = {}, {}
    for mark, each in enumerate(contenders):
        index = seen.get(each.kind, 0)
        seen[each.kind] = index + 1
        styles[each.name] = LineStyle(each.kind, index, mark)
    return styles


def _variables(place):
    lines = [f"--background: {BACKGROUND[place]}; --text: {TEXT[place]}; --faint: {FAINT[place]};"]
    lines += [f"--{kind}-{index}: {pair[place]};" for kind, pairs in COLOURS.items() for index, pair in enumerate(pairs)]
    return " ".join(lines)


def style_sheet():
    classes = "\n".join(f".{kind}-{index} {{ color: var(--{kind}-{index}); }}" for kind, pairs in COLOURS.items() for index in range(len(pairs)))
    return f"""
:root {{ color-scheme: light dark; {_variables(0)} }}
@media (prefers-color-scheme: dark) {{ :root {{ {_variables(1)} }} }}
body {{ background: var(--background); color: var(--text); font: 16px/1.45 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }}
h1, h2, h3 {{ line-height: 1.2; }}
h3 {{ margin-top: 2.5rem; }}
figure {{ margin: 0; }}
.wide {{ overflow-x: auto; }}
svg {{ width: 100%; height: auto; max-width: 50rem; }}
svg text {{ fill: var(--text); font-size: 13px; }}
.grid {{ stroke: var(--faint); }}
.axis {{ stroke: var(--text); }}
table {{ border-collapse: collapse; font-size: 0.88rem; font-variant-numeric: tabular-nums; }}
th, td {{ padding: 0.25rem 0.6rem; border-bottom: 1px solid var(--faint); text-align: right; vertical-align: top; }}
th:first-child, td:first-child, .words {{ text-align: left; }}
th, .word {{ white-space: nowrap; }}
caption {{ text-align: left; font-weight: bold; padding: 1.2rem 0.6rem 0.3rem; }}
small {{ display: block; opacity: 0.8; white-space: nowrap; }}
code {{ overflow-wrap: anywhere; }}
.missed {{ font-weight: bold; }}
{classes}
"""
