# SPDX-License-Identifier: MIT
"""Medians, ratios within a round, and whether a bar is met, out of the results alone. Read results.py and row.py first."""
import dataclasses

from .row import BEST_FLOOR, BEST_PEER, EACH, FLOOR, FLOORS_GROWTH, LESS, ONE_CONNECTION, PEER, before_name, point_name
from .spread import Spread, number, spread_of


@dataclasses.dataclass(frozen=True)
class Verdict:
    """`measured` and `before` are ratios, or the growth with each connection (EACH); None where figures are missing."""

    row: object
    point: int
    bar: object
    figure: Spread
    measured: Spread
    before: Spread

    @property
    def met(self):
        """None: nothing to judge."""
        return None if self.measured is None else self.measured.median <= self.bar.most

    @property
    def name(self):
        return f"{self.row.name} {point_name(self.row.axis, self.point)}".strip()


class Findings:
    def __init__(self, results):
        self.results = results
        self._rounds = sorted({turn for turn, _, _, _ in results.figures})

    def spread(self, row, point, contender):
        """None if the contender has no figure."""
        return spread_of(self._values(row, point, contender).values())

    def failure(self, row, point, contender):
        """The reason of the last failure, where no round has a figure."""
        if self._values(row, point, contender):
            return ""
        return next((reason for key, reason in reversed(list(self.results.failures.items())) if key[1:] == (row.name, point, contender)), "")

    def ratio(self, row, point, ours, over):
        """How many times `ours` is as bad as `over`, a spread over the rounds that have both."""
        return spread_of(self._ratios(row, point, ours, over).values())

    def growth_over_floor(self, row, point, ours):
        """How many times as much `ours` grows from one connection on as the best floor."""
        here, there = self._ratios(row, 1, ours, BEST_FLOOR), self._ratios(row, point, ours, BEST_FLOOR)
        return spread_of(there[turn] / here[turn] for turn in self._rounds if turn in here and turn in there)

    def _ratios(self, row, point, ours, over):
        """{round: ratio}"""
        mine, other = self._values(row, point, ours), self._divisors(row, point, ours, over)
        return {turn: _worse(row, mine[turn], other[turn]) for turn in self._rounds
                if turn in mine and turn in other and mine[turn] > 0 and other[turn] > 0}

    def growth(self, row, point, contender):
        """Of a figure with each connection, from one on."""
        here, there = self._values(row, 1, contender), self._values(row, point, contender)
        return spread_of((there[turn] - here[turn]) / (point - 1) for turn in self._rounds if turn in here and turn in there)

    def verdicts(self):
        """Of each bar at each point that was measured."""
        for row in self.results.rows:
            for point in row.points:
                for bar in row.bars:
                    if (not bar.points or point in bar.points) and not self._pointless(row, point, bar):
                        yield Verdict(row, point, bar, self.spread(row, point, bar.ours), self._measured(row, point, bar, bar.ours),
                                      self._measured(row, point, bar, before_name(bar.ours)))

    def _pointless(self, row, point, bar):
        return bar.over in (EACH, FLOORS_GROWTH, ONE_CONNECTION) and (point == 1 or 1 not in row.points)

    def _measured(self, row, point, bar, ours):
        if bar.over == EACH:
            return self.growth(row, point, ours)
        return self.growth_over_floor(row, point, ours) if bar.over == FLOORS_GROWTH else self.ratio(row, point, ours, bar.over)

    def _values(self, row, point, contender):
        """{round: figure}"""
        wanted = ((turn, (turn, row.name, point, contender)) for turn in self._rounds)
        return {turn: self.results.figures[key] for turn, key in wanted if key in self.results.figures}

    def _divisors(self, row, point, ours, over):
        if over == ONE_CONNECTION:
            return self._values(row, 1, ours)
        kind = {BEST_FLOOR: FLOOR, BEST_PEER: PEER}.get(over)
        if kind is None:
            return self._values(row, point, over)
        choose = min if row.better == LESS else max
        found = [self._values(row, point, each.name) for each in row.contenders_at(point) if each.kind == kind]
        return {turn: choose(each[turn] for each in found if turn in each) for turn in self._rounds if any(turn in each for each in found)}


def _worse(row, mine, other):
    return mine / other if row.better == LESS else other / mine


def bar_text(row, bar):
    """1.3 times one connection"""
    if bar.over == EACH:
        return f"{number(bar.most)} {row.unit} a connection"
    return f"{number(bar.most)} times {bar.over}"
