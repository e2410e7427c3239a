# SPDX-License-Identifier: MIT
"""The page: one file of HTML, well-formed XML, without a script or a reference elsewhere; out of the results alone."""
from . import heading
from .findings import Findings, bar_text
from .markup import Markup, joined, tag
from .plot import described, draw
from .row import CONNECTIONS, LESS, point_name
from .spread import number

NOTHING = "–"
RULES = """caption { text-align: left; font-weight: bold; padding: 1.2rem 0.5rem 0.3rem; }
th:first-child { text-align: left; white-space: nowrap; }
small { display: block; opacity: 0.8; }
code { overflow-wrap: anywhere; }
.missed { font-weight: bold; }
"""


def page(results, nd):
    """`nd`: the program that draws its plots."""
    findings = Findings(results)
    style, pictures = draw(nd, [described(row, findings) for row in results.rows])
    picture_of = {row.name: picture for row, picture in zip(results.rows, pictures)}
    body = [tag("h1", "OpenND beside floors and peers"), *_run(results), tag("h2", "Bars"), _bars(findings)]
    for title, rows in _chapters(results):
        body.append(tag("h2", title))
        for row in rows:
            body += _section(row, findings, picture_of[row.name])
    head = tag("head", tag("meta", charset="utf-8"), tag("title", "OpenND beside floors and peers"),
               tag("meta", name="viewport", content="width=device-width, initial-scale=1"), tag("style", Markup(style + RULES)))
    html = tag("html", head, tag("body", *body), xmlns="http://www.w3.org/1999/xhtml", lang="en")
    return f"<!DOCTYPE html>\n{html}\n"


def _chapters(results):
    """Rows over connections, and the others by transport or interface."""
    titles = {"shm": "Shared memory", "tcp": "TCP", "faces": "Interfaces"}
    chapters = {}
    for row in results.rows:
        title = titles.get(row.name.split(".")[0], "Others")
        chapters.setdefault("Over connections" if row.axis == CONNECTIONS else title, []).append(row)
    return chapters.items()


def _run(results):
    facts = results.head["facts"]
    yield tag("p", f"{heading.rounds_text(results)}. Begun {facts['begun']}. Figures are medians over the rounds, with the lowest and the "
                   "highest; ratios are taken within a round. A ratio tells how many times as bad OpenND's figure is as the other.")
    if heading.disturbance_text(results):
        yield tag("p", f"Meanwhile {heading.disturbance_text(results)}; tasks of the measured programs count among those.")
    yield tag("h2", "Machine and programs")
    if facts.get("command"):
        yield _pairs("run", [["command line", facts["command"]]])
    yield _pairs("machine", facts["machine"])
    for title, pairs in heading.builds(results):
        yield _pairs(title, pairs)
    if facts["peers"]:
        yield _pairs("peers", facts["peers"])
    if facts["settings"]:
        yield _pairs("settings of the environment", facts["settings"])
    if results.absent:
        yield _pairs("absent", results.absent.items())


def _pairs(caption, pairs):
    lines = [tag("tr", tag("th", name, scope="row"), tag("td", value)) for name, value in pairs]
    return tag("div", tag("table", tag("caption", caption), tag("tbody", *lines), class_="words"), class_="wide")


def _header(words, numbers):
    """Names of columns of words, and of those of numbers behind them."""
    names = [tag("th", name, scope="col", class_="words") for name in words] + [tag("th", name, scope="col") for name in numbers]
    return tag("thead", tag("tr", *names))


def _bars(findings):
    verdicts = list(findings.verdicts())
    judged = [each for each in verdicts if each.met is not None]
    with_before = any(each.before for each in judged)
    lines = []
    for each in judged:
        met = tag("td", "met", class_="word") if each.met else tag("td", "not met", class_="word missed")
        cells = [tag("th", each.name, scope="row"), tag("td", each.bar.ours, class_="words"), tag("td", bar_text(each.row, each.bar), class_="words"),
                 _spread_cell(each.measured)]
        if with_before:
            cells.append(_spread_cell(each.before))
        lines.append(tag("tr", *cells, met))
    words = f"{sum(each.met for each in judged)} of {len(judged)} bars are met; {len(verdicts) - len(judged)} have no figure to judge."
    before = ["before"] if with_before else []
    table = tag("table", _header(["row", "program", "bar: at most"], ["measured", *before, ""]), tag("tbody", *lines)) if lines else ""
    return joined([tag("p", words), tag("div", table, class_="wide")])


def _section(row, findings, picture):
    yield tag("h3", row.title)
    if picture is not None:
        yield tag("figure", picture)
    yield _figures(row, findings)
    commands = [tag("li", f"{each.name}: ", tag("code", _command_text(each.command))) for each in row.contenders]
    yield tag("details", tag("summary", "Commands"), tag("ul", *commands))


def _command_text(command):
    environment = "".join(f"{name}={value} " for name, value in command.environment)
    server = f", beside {command.server}" if command.server else ""
    return f"{environment}{command.words}{server}"


def _figures(row, findings):
    """A line for each contender, absent ones with the reason."""
    reasons, lines = [], []
    for each in row.contenders:
        cells = [_spread_cell(findings.spread(row, point, each.name)) for point in row.points]
        lines.append(tag("tr", tag("th", each.name, scope="row"), tag("td", each.kind, class_="words"), *cells))
        if each.name in findings.results.absent:
            reasons.append(f"{each.name}: {findings.results.absent[each.name]}")
        for point in row.points:
            reason = findings.failure(row, point, each.name)
            if reason:
                reasons.append(" ".join(filter(None, (each.name, point_name(row.axis, point)))) + f": {reason}")
    direction = "lower is better" if row.better == LESS else "higher is better"
    names = [point_name(row.axis, point) or row.unit for point in row.points]
    table = tag("table", tag("caption", f"{row.name}: {row.unit}, {direction}"), _header(["program", "kind"], names), tag("tbody", *lines))
    notes = [tag("p", tag("small", reason)) for reason in reasons]
    return tag("div", table, *notes, class_="wide")


def _spread_cell(spread):
    """The median, with the range and the quartiles below it; a dash for None."""
    if spread is None:
        return tag("td", NOTHING)
    notes = [tag("small", f"{number(spread.low)} to {number(spread.high)}")] if spread.count > 1 else []
    if spread.quartiles:
        notes.append(tag("small", f"quartiles {number(spread.quartiles[0])}, {number(spread.quartiles[1])}"))
    return tag("td", number(spread.median), *notes)
