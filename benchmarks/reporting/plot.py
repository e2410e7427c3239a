# SPDX-License-Identifier: MIT
"""A row as a plot: lines over bytes or connections, or a line for each contender where the row has one point. `nd` draws it
(`nd generate plots`), as it draws those of its own reports; a thin line goes from the lowest figure to the highest."""
import json
import subprocess

from .markup import Markup
from .row import BYTES, CONNECTIONS, LESS, ONCE

ACROSS = {BYTES: "bytes of a message or operation", CONNECTIONS: "connections", ONCE: ""}


def described(row, findings):
    """As cli/plot/plot_document.h wants it."""
    direction = "lower is better" if row.better == LESS else "higher is better"
    return {
        "form": "rows" if len(row.points) == 1 else "lines",
        "title": row.title,
        "description": f"Medians in {row.unit}, {direction}. The table below has all figures.",
        "x": ACROSS[row.axis],
        "y": f"{row.unit}, {direction}",
        "along": "counts" if row.axis == CONNECTIONS else "bytes",
        "series": [{"name": each.name, "kind": each.kind, "points": list(_points(row, each, findings))} for each in row.contenders],
    }


def _points(row, contender, findings):
    for point in row.points:
        spread = findings.spread(row, point, contender.name)
        if spread is not None:
            yield point, spread.median, spread.low, spread.high


def draw(nd, plots):
    """The style sheet of a page, and a picture of each plot, None of those without a figure. ValueError: this `nd` cannot."""
    drawn = _drawn(nd, plots)
    return Markup(drawn["style"]), _pictures(drawn)


def draw_alone(nd, plots):
    """As draw(), with the style sheet of pictures that are files of their own."""
    drawn = _drawn(nd, plots)
    return Markup(drawn["plot_style"]), _pictures(drawn)


def _pictures(drawn):
    return [None if each is None else Markup(each) for each in drawn["pictures"]]


def _drawn(nd, plots):
    try:
        done = subprocess.run([nd, "generate", "plots"], input=json.dumps(plots), capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise ValueError(f"{nd} draws the plots of the page, and fails: {getattr(error, 'stderr', '') or error}") from error
    return json.loads(done.stdout)
