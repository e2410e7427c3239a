# SPDX-License-Identifier: MIT
"""The tables of results/report.md, out of the results alone; and their place in that document."""
from . import heading
from .findings import Findings
from .row import BEFORE, BEST_FLOOR, BEST_PEER, CONNECTIONS, EACH, OURS, before_name, point_name
from .spread import number, with_range

BEGIN = "<!-- benchmarks/report writes the lines between these marks: begin -->"
END = "<!-- benchmarks/report writes the lines between these marks: end -->"
NOTHING = "–"


def markdown(results):
    findings = Findings(results)
    parts = [_introduction(results)]
    over_connections = [row for row in results.rows if row.axis == CONNECTIONS]
    others = [row for row in results.rows if row.axis != CONNECTIONS]
    parts += [_table_of_rows(others, findings)] if others else []
    parts += [_table_over_connections(over_connections, findings)] if over_connections else []
    return "\n\n".join(parts) + "\n"


def _introduction(results):
    facts = dict(results.head["facts"]["machine"])
    compiler = dict(results.head["facts"]["build"]).get("compiler", "an unknown compiler")
    sentences = [
        f"{heading.rounds_text(results)}; median (lowest to highest). {facts.get('processor', 'An unknown processor')}"
        f"{', under a hypervisor' if 'hypervisor' in facts else ''}, {facts.get('kernel', 'Linux')}, {compiler}",
    ]
    for text in (heading.peers_text(results), heading.disturbance_text(results)):
        if text:
            sentences.append(text[0].upper() + text[1:])
    if results.absent:
        sentences.append(f"Absent: {heading.absent_text(results)}")
    sentences.append("A ratio tells how many times as bad OpenND's figure is as the other one of the same round; bold: the bar is not met")
    return ".\n".join(sentences) + "."


def _line(cells):
    return "| " + " | ".join(cells) + " |"


def _table(head, lines):
    return "\n".join([_line(head), "|" + "---|" * len(head), *map(_line, lines)])


def _short_name(name):
    return name.replace("OpenND, ", "")


def _table_of_rows(rows, findings):
    with_before = any(each.kind == BEFORE for row in rows for each in row.contenders)
    head = ["Row", "OpenND", "to the best floor", "to the best peer", "bars"]
    if with_before:
        head.insert(2, "to the build before")
    lines = []
    verdicts = list(findings.verdicts())
    for row in rows:
        for point in row.points:
            for each in (each for each in row.contenders_at(point) if each.kind == OURS):
                spread = findings.spread(row, point, each.name)
                if spread is None:
                    continue
                name = " ".join(filter(None, (row.name, point_name(row.axis, point))))
                name += "" if each.name == "OpenND" else f", {_short_name(each.name)}"
                mine = [verdict for verdict in verdicts if (verdict.row, verdict.point, verdict.bar.ours) == (row, point, each.name)]
                cells = [name, f"{with_range(spread)} {row.unit}", _ratio(findings.ratio(row, point, each.name, BEST_FLOOR)),
                         _ratio(findings.ratio(row, point, each.name, BEST_PEER)), verdicts_text(mine)]
                if with_before:
                    cells.insert(2, _ratio(findings.ratio(row, point, each.name, before_name(each.name))))
                lines.append(cells)
    return _table(head, lines)


def _table_over_connections(rows, findings):
    points = sorted({point for row in rows for point in row.points})
    head = ["Row", "program"] + [f"{point:,}" for point in points] + ["bar"]
    lines = []
    verdicts = list(findings.verdicts())
    for row in rows:
        for each in row.contenders:
            spreads = [findings.spread(row, point, each.name) for point in points]
            if not any(spreads):
                continue
            mine = [verdict for verdict in verdicts if (verdict.row, verdict.bar.ours) == (row, each.name)]
            lines.append([f"{row.name}, {row.unit}", each.name, *(with_range(spread) if spread else NOTHING for spread in spreads),
                          verdicts_text(mine, with_points=True)])
    return _table(head, lines)


def _ratio(spread):
    return NOTHING if spread is None else number(spread.median)


def verdict_text(verdict):
    """two copies 1.4 ≤ 1.6"""
    sign = "≤" if verdict.met else ">"
    over = "each" if verdict.bar.over == EACH else verdict.bar.over
    before = f" (before {number(verdict.before.median)})" if verdict.before else ""
    return f"{over} {number(verdict.measured.median)}{before} {sign} {number(verdict.bar.most)}"


def verdicts_text(verdicts, with_points=False):
    parts = []
    for verdict in verdicts:
        if verdict.met is None:
            continue
        text = f"{point_name(verdict.row.axis, verdict.point)}: {verdict_text(verdict)}" if with_points else verdict_text(verdict)
        parts.append(text if verdict.met else f"**{text}**")
    return "; ".join(parts)


def put_into(document, text):
    """The document with `text` between the marks. ValueError: it has no marks."""
    begin, end = document.find(BEGIN), document.find(END)
    if begin < 0 or end < begin:
        raise ValueError(f"the document has no lines {BEGIN} and {END}")
    return f"{document[: begin + len(BEGIN)]}\n\n{text}\n{document[end:]}"
