# SPDX-License-Identifier: MIT
"""A row as an SVG: lines over bytes or connections, or one line of marks for each contender where the row has one point. A thin line
goes from the lowest figure to the highest. Read style.py first."""
import math

from .markup import joined, tag
from .row import BYTES, CONNECTIONS, LESS, ONCE, point_name
from .spread import number
from .style import styles_of

WIDTH, HEIGHT = 800, 360
LEFT, RIGHT, TOP, BOTTOM = 70, 520, 20, 300  # of the area with lines; the legend stands to the right of it
LABELS = 250  # width of the names where the row has one point
LINE_HEIGHT = 22
LOG_FROM = 8.0  # a scale is logarithmic where the highest figure is so many times the lowest


class Scale:
    """From figures to a length between two places of the picture."""

    def __init__(self, values, begin, end):
        values = list(values)
        low, high = min(values), max(values)
        self.logarithmic = low > 0 and high / low >= LOG_FROM
        self._begin, self._end = begin, end
        if self.logarithmic:
            self._low, self._high = math.log10(low) - 0.06, math.log10(high) + 0.06
        else:
            self._low, self._high = 0.0, high * 1.08 or 1.0

    def place(self, value):
        value = math.log10(value) if self.logarithmic else value
        return self._begin + (value - self._low) / (self._high - self._low) * (self._end - self._begin)

    def ticks(self):
        if not self.logarithmic:
            step = _round_step(self._high / 5)
            return [step * i for i in range(int(self._high / step) + 1)]
        factors = (1, 2, 5) if self._high - self._low < 2.5 else (1,)
        first, last = math.floor(self._low), math.ceil(self._high)
        ticks = [factor * 10.0**power for power in range(first, last + 1) for factor in factors]
        return [tick for tick in ticks if self._low <= math.log10(tick) <= self._high]


def _round_step(rough):
    power = 10.0 ** math.floor(math.log10(rough))
    return next(factor * power for factor in (1, 2, 5, 10) if rough <= factor * power * 1.0001)


def _mark(style, x, y):
    """Filled with the background where it is hollow, so that the line behind does not show."""
    r = 4.5
    paint = {"fill": "var(--background)" if style.hollow else "currentColor", "stroke": "currentColor", "stroke_width": 1.5}
    if style.mark == "circle":
        return tag("circle", cx=x, cy=y, r=r, **paint)
    shapes = {
        "square": ((-r, -r), (r, -r), (r, r), (-r, r)),
        "diamond": ((0, -r - 1), (r + 1, 0), (0, r + 1), (-r - 1, 0)),
        "up": ((0, -r - 1), (r, r), (-r, r)),
        "down": ((0, r + 1), (r, -r), (-r, -r)),
        "cross": ((-r, -r), (0, -1.5), (r, -r), (1.5, 0), (r, r), (0, 1.5), (-r, r), (-1.5, 0)),
    }
    return tag("polygon", points=" ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in shapes[style.mark]), **paint)


def _range(x1, y1, x2, y2):
    return tag("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke="currentColor", stroke_width=1)


def _text(text, x, y, anchor="start", **more):
    return tag("text", text, x=x, y=y, text_anchor=anchor, **more)


def _picture(row, height, *children):
    """With a title and a description for readers who see no picture; the table below it has the figures."""
    name = row.name.replace(".", "-")
    direction = "lower is better" if row.better == LESS else "higher is better"
    return tag("svg", tag("title", row.title, id=f"{name}-title"),
               tag("desc", f"Medians in {row.unit}, {direction}. The table below has all figures.", id=f"{name}-desc"), *children,
               xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {WIDTH} {height}", role="img",
               aria_labelledby=f"{name}-title {name}-desc")


def _axis_title(row, scale):
    kind = ", logarithmic" if scale.logarithmic else ""
    return f"{row.unit}{kind}, {'lower' if row.better == LESS else 'higher'} is better"


def plot(row, findings):
    """None if the row has no figure."""
    spreads = {(each.name, point): spread for each in row.contenders for point in row.points
               if (spread := findings.spread(row, point, each.name)) is not None}
    if not spreads:
        return None
    return _marks(row, spreads) if len(row.points) == 1 else _lines(row, spreads)


def _lines(row, spreads):
    x = Scale(row.points, LEFT + 15, RIGHT - 15)
    y = Scale([each for spread in spreads.values() for each in (spread.low, spread.high)], BOTTOM, TOP)
    parts = []
    for tick in y.ticks():
        parts.append(tag("line", class_="grid", x1=LEFT, x2=RIGHT, y1=y.place(tick), y2=y.place(tick)))
        parts.append(_text(number(tick), LEFT - 8, y.place(tick) + 4, "end"))
    for point in row.points:
        parts.append(tag("line", class_="axis", x1=x.place(point), x2=x.place(point), y1=BOTTOM, y2=BOTTOM + 5))
        parts.append(_text(point_name(row.axis, point), x.place(point), BOTTOM + 20, "middle"))
    parts.append(tag("line", class_="axis", x1=LEFT, x2=RIGHT, y1=BOTTOM, y2=BOTTOM))
    across = {BYTES: "bytes of a message or operation", CONNECTIONS: "connections", ONCE: ""}[row.axis]
    parts.append(_text(across + (", logarithmic" if x.logarithmic else ""), (LEFT + RIGHT) / 2, BOTTOM + 42, "middle"))
    parts.append(_text(_axis_title(row, y), -(TOP + BOTTOM) / 2, 16, "middle", transform="rotate(-90)"))
    styles = styles_of(row.contenders)
    shown = [each for each in row.contenders if any((each.name, point) in spreads for point in row.points)]
    for each in reversed(shown):  # the first one comes to lie on top
        parts.append(_line(row, each, styles[each.name], spreads, x, y))
    for line, each in enumerate(shown):
        style, height = styles[each.name], TOP + 10 + line * LINE_HEIGHT
        parts.append(tag("g", tag("line", x1=RIGHT + 15, x2=RIGHT + 47, y1=height, y2=height, stroke="currentColor",
                                  stroke_width=style.width, stroke_dasharray=style.dashes), _mark(style, RIGHT + 31.0, height), class_=style.name))
        parts.append(_text(each.name, RIGHT + 55, height + 4))
    return _picture(row, HEIGHT, *parts)


def _line(row, contender, style, spreads, x, y):
    found = [(point, spreads[contender.name, point]) for point in row.points if (contender.name, point) in spreads]
    way = " ".join(f"{x.place(point):.1f},{y.place(spread.median):.1f}" for point, spread in found)
    parts = [tag("polyline", points=way, fill="none", stroke="currentColor", stroke_width=style.width, stroke_dasharray=style.dashes)]
    for point, spread in found:
        parts.append(_range(x.place(point), y.place(spread.low), x.place(point), y.place(spread.high)))
        parts.append(_mark(style, x.place(point), y.place(spread.median)))
    return tag("g", joined(parts), class_=style.name)


def _marks(row, spreads):
    point = row.points[0]
    shown = [each for each in row.contenders if (each.name, point) in spreads]
    bottom = TOP + len(shown) * LINE_HEIGHT + 10
    x = Scale([each for spread in spreads.values() for each in (spread.low, spread.high)], LABELS, WIDTH - 30)
    parts = []
    for tick in x.ticks():
        parts.append(tag("line", class_="grid", x1=x.place(tick), x2=x.place(tick), y1=TOP, y2=bottom))
        parts.append(_text(number(tick), x.place(tick), bottom + 18, "middle"))
    styles = styles_of(row.contenders)
    for line, each in enumerate(shown):
        spread, style, height = spreads[each.name, point], styles[each.name], TOP + 15.0 + line * LINE_HEIGHT
        parts.append(_text(each.name, LABELS - 12, height + 4, "end"))
        parts.append(tag("g", _range(x.place(spread.low), height, x.place(spread.high), height),
                         _mark(style, x.place(spread.median), height), class_=style.name))
    parts.append(_text(_axis_title(row, x), (LABELS + WIDTH - 30) / 2, bottom + 40, "middle"))
    return _picture(row, bottom + 50, *parts)
