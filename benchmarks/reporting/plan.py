# SPDX-License-Identifier: MIT
"""Which figures a run measures, in which order, and the fields of a contender's command. Read row.py first."""
import dataclasses
import fnmatch

# An estimate, from which the number of iterations follows for programs that take no duration: seconds of an operation, and bytes
# a second. A wrong one makes a measurement longer or shorter, not wrong.
PACE = {"shm": (0.4e-6, 8e9), "tcp": (10e-6, 2e9)}
FEWEST_ITERATIONS = 50

PAIRS_MILLISECONDS = 500  # of a measurement over connections, of which there are up to 10,000
PAIRS_TURNS = 20000

# Of long points, unless a figure is to take less than 60 ms: a few messages are no stream.
LONG_POINT, LONG_POINT_MILLISECONDS, SHORT_MILLISECONDS = 1 << 20, 500, 60


@dataclasses.dataclass(frozen=True)
class Measurement:
    """One figure of one round."""

    round: int
    row: object
    point: int
    contender: object

    @property
    def key(self):
        return (self.round, self.row.name, self.point, self.contender.name)


def chosen(rows, patterns):
    """The rows, with the points, that match one of the patterns: a set, a row, or ROW@POINT. No pattern: all."""
    if not patterns:
        return list(rows)
    result = []
    for row in rows:
        points = tuple(point for point in row.points if any(_matches(row, point, pattern) for pattern in patterns))
        if points:
            result.append(dataclasses.replace(row, points=points))
    return result


def _matches(row, point, pattern):
    return any(name == pattern and point in points for name, points in row.sets) or any(
        fnmatch.fnmatchcase(name, pattern) for name in (row.name, f"{row.name}@{point}"))


def measurements(rows, rounds):
    """Contenders of a point follow each other, so that they meet the same state of the machine. Every second round goes backwards, so
    that no contender always follows the same one."""
    for turn in range(1, rounds + 1):
        one_round = [Measurement(turn, row, point, each) for row in rows for point in row.points for each in row.contenders_at(point)]
        yield from one_round if turn % 2 else reversed(one_round)


def fields(point, milliseconds, cpus):
    """Of the templates, but for the places of programs and the port."""
    if point >= LONG_POINT and milliseconds >= SHORT_MILLISECONDS:
        milliseconds = max(milliseconds, LONG_POINT_MILLISECONDS)
    values = {
        "point": str(point),
        "milliseconds": str(milliseconds),
        "seconds": f"{milliseconds / 1e3:g}",
        "cpus": ",".join(map(str, cpus)),
        "pairs_seconds": f"{PAIRS_MILLISECONDS / 1e3:g}",
        "pairs_warmup": str(max(1000, 2 * point)),
        "pairs_turns": str(max(PAIRS_TURNS, 2 * point)),
    }
    for transport, (each, bytes_a_second) in PACE.items():
        iterations = milliseconds / 1e3 / (each + point / bytes_a_second)
        values[f"{transport}_iterations"] = str(max(FEWEST_ITERATIONS, int(iterations)))
    return values
