# SPDX-License-Identifier: MIT
"""The file of a run: JSON lines, each appended when it is known, so that a broken run is continued.

The first line is the head: {"kind": "run", "plan": {...}, "facts": {...}}; the plan has the rows in full. Then come
{"kind": "figure", "round", "row", "point", "contender", "value"},
{"kind": "failure", "round", "row", "point", "contender", "reason"} and, behind a round, {"kind": "round", "round", "seconds", ...}.
"""
import json

from . import row as rows


class Results:
    """What a file holds. Of several lines for one figure the last one counts."""

    def __init__(self, head, lines=()):
        self.head = head
        self.rows = [rows.from_json(each) for each in head["plan"]["rows"]]
        self.figures = {}  # (round, row, point, contender): value
        self.failures = {}  # the same: reason
        self.rounds = []
        for line in lines:
            self.take(line)

    def take(self, line):
        if line["kind"] == "round":
            self.rounds.append(line)
            return
        key = (line["round"], line["row"], line["point"], line["contender"])
        if line["kind"] == "figure":
            self.figures[key] = line["value"]
            self.failures.pop(key, None)
        elif line["kind"] == "failure":
            self.failures[key] = line["reason"]

    @property
    def absent(self):
        """{contender: reason}"""
        return self.head["facts"]["absent"]

    def has(self, key):
        return key in self.figures


def read(path):
    """The results in a file. A last line that was cut off is left out."""
    lines = []
    for number, text in enumerate(path.read_text().splitlines()):
        try:
            lines.append(json.loads(text))
        except ValueError:
            if number == 0:
                raise
            break
    if not lines or lines[0].get("kind") != "run":
        raise ValueError(f"{path} does not begin with the head of a run")
    return Results(lines[0], lines[1:])


class Recorder:
    """Appends lines to the file, and takes them into the results."""

    def __init__(self, path, results):
        self._results = results
        self._stream = path.open("a")

    def record(self, line):
        self._results.take(line)
        self._stream.write(json.dumps(line) + "\n")
        self._stream.flush()

    def close(self):
        self._stream.close()


def open_run(path, plan, facts):
    """The results and the recorder of a run of this plan. Results of the same plan are continued, others are moved aside."""
    if path.exists():
        try:
            results = read(path)
        except ValueError:
            results = None
        if results is not None and results.head["plan"] == json.loads(json.dumps(plan)):
            _drop_cut_line(path)
            return results, Recorder(path, results)
        number = 1
        while path.with_suffix(f".{number}{path.suffix}").exists():
            number += 1
        path.rename(path.with_suffix(f".{number}{path.suffix}"))
    head = {"kind": "run", "plan": plan, "facts": facts}
    path.write_text(json.dumps(head) + "\n")
    results = Results(json.loads(json.dumps(head)))
    return results, Recorder(path, results)


def _drop_cut_line(path):
    text = path.read_text()
    if not text.endswith("\n"):
        path.write_text(text[: text.rfind("\n") + 1])
