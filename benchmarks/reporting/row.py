# SPDX-License-Identifier: MIT
"""A row of the report: a quantity at some points, its contenders, and the bars for OpenND."""
from __future__ import annotations

import dataclasses
from typing import Optional, Tuple

OURS, BEFORE, FLOOR, PEER = "ours", "before", "floor", "peer"
LESS, MORE = "less", "more"  # which of two figures is the better one
BYTES, CONNECTIONS, ONCE = "bytes", "connections", "once"  # the axis that points lie on

# Divisors of a bar, beside the name of a contender.
BEST_FLOOR, BEST_PEER = "the best floor", "the best peer"
ONE_CONNECTION = "one connection"  # the same contender at that point
FLOORS_GROWTH = "the best floor from one connection on"  # the ratio to it, divided by that at one connection
EACH = "each"  # no ratio: the growth from one connection on, divided by the number of connections


@dataclasses.dataclass(frozen=True)
class Command:
    """A program as a template of words; its fields are those of `plan.fields`. With `server` it is the client of a second program.

    program      the executable without which the contender is absent
    environment  pairs of a name and a value
    pinned       the runner pins server and client; programs that pin themselves get BENCH_CPUS
    sampled      the runner appends the peak of the client's resident memory and descriptors to the output
    connections  both sides may need a descriptor for each of many connections
    mtu          of a network between server and client, {server_address} in the template; 0: they are on one host
    crowded      it has more threads than processors, which wait for each other
    """

    program: str
    words: str
    server: Optional[str] = None
    environment: Tuple[Tuple[str, str], ...] = ()
    pinned: bool = False
    sampled: bool = False
    connections: bool = False
    crowded: bool = False
    mtu: int = 0


@dataclasses.dataclass(frozen=True)
class Contender:
    """`parser` names a function of `parsers`, `argument` is its second argument. Without `points` it takes part at all of the row's."""

    name: str
    kind: str
    command: Command
    parser: str
    argument: str = ""
    points: Tuple[int, ...] = ()


@dataclasses.dataclass(frozen=True)
class Bar:
    """The figure of `ours` is at most `most` times as bad as that of `over`: for times the quotient, for rates its inverse."""

    most: float
    over: str
    points: Tuple[int, ...] = ()  # none: all of the row
    ours: str = "OpenND"


@dataclasses.dataclass(frozen=True)
class Row:
    """`sets` are pairs of a set's name and the points of the row that belong to it."""

    name: str
    title: str
    unit: str
    better: str
    axis: str
    points: Tuple[int, ...]
    contenders: Tuple[Contender, ...]
    bars: Tuple[Bar, ...] = ()
    sets: Tuple[Tuple[str, Tuple[int, ...]], ...] = ()

    def contenders_at(self, point):
        return [each for each in self.contenders if not each.points or point in each.points]


def point_name(axis, point):
    """8 B, 4 KiB; 1,000 connections are 1,000; nothing where the row has one point."""
    if axis == ONCE:
        return ""
    if axis == CONNECTIONS:
        return f"{point:,}"
    for unit, size in (("MiB", 1 << 20), ("KiB", 1 << 10)):
        if point % size == 0:
            return f"{point // size} {unit}"
    return f"{point} B"


def with_before(row):
    """The row with a second build of OpenND: each contender of ours that is `nd` has a twin."""
    twins = tuple(
        dataclasses.replace(
            each,
            name=before_name(each.name),
            kind=BEFORE,
            command=dataclasses.replace(each.command, program="{before_nd}", words=each.command.words.replace("{nd}", "{before_nd}")),
        )
        for each in row.contenders
        if each.kind == OURS and each.command.program == "{nd}"
    )
    return dataclasses.replace(row, contenders=row.contenders + twins)


def before_name(name):
    return f"{name}, before"


def to_json(row):
    return dataclasses.asdict(row)


def from_json(value):
    contenders = tuple(
        Contender(**{**each, "command": Command(**{**each["command"], "environment": _pairs(each["command"]["environment"])}),
                     "points": tuple(each["points"])})
        for each in value["contenders"]
    )
    bars = tuple(Bar(**{**each, "points": tuple(each["points"])}) for each in value["bars"])
    sets = tuple((name, tuple(points)) for name, points in value["sets"])
    return Row(**{**value, "points": tuple(value["points"]), "contenders": contenders, "bars": bars, "sets": sets})


def _pairs(values):
    return tuple((name, value) for name, value in values)
