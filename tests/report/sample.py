# SPDX-License-Identifier: MIT
"""Results of a small run, for the tests of benchmarks/reporting."""
from reporting import results, row
from reporting.row import (BEST_FLOOR, BEST_PEER, BYTES, CONNECTIONS, EACH, ONE_CONNECTION, FLOOR, LESS, MORE, ONCE, OURS, PEER, Bar,
                           Command, Contender, Row)


def contender(name, kind, points=()):
    program = {OURS: "{nd}", FLOOR: "{floors}/floor", PEER: "peer"}[kind]
    return Contender(name, kind, Command(program, f"{program} {{point}}"), "floor_line", points=points)


LATENCY = Row("shm.send_lat", "A message & its <answer>", "us", LESS, BYTES, (8, 4096),
              (contender("OpenND", OURS), contender("one copy", FLOOR), contender("two copies", FLOOR), contender("UCX", PEER, (8,)),
               contender("absent peer", PEER)),
              (Bar(1.5, BEST_FLOOR), Bar(1, BEST_PEER, (8,)), Bar(3, "two copies", (4096,))))
RATE = Row("tcp.send_rate", "Messages", "million/s", MORE, ONCE, (8,), (contender("OpenND", OURS), contender("UCX", PEER)), (Bar(0.5, BEST_PEER),))
PAIRS = Row("tcp.pairs_memory", "Memory", "KiB", LESS, CONNECTIONS, (1, 1001), (contender("OpenND", OURS),),
            (Bar(4, EACH, (1001,)), Bar(1.3, ONE_CONNECTION, (1001,))))

# (row, point, contender): the figures of the rounds; None is a failure.
FIGURES = {
    ("shm.send_lat", 8, "OpenND"): (0.2, 0.4, 0.3),
    ("shm.send_lat", 8, "one copy"): (0.1, 0.1, 0.2),
    ("shm.send_lat", 8, "two copies"): (0.2, 0.3, 0.1),
    ("shm.send_lat", 8, "UCX"): (0.25, 0.25, 0.25),
    ("shm.send_lat", 4096, "OpenND"): (1.5, 1.25, 1.0),
    ("shm.send_lat", 4096, "one copy"): (1.0, 1.0, 1.0),
    ("shm.send_lat", 4096, "two copies"): (None, None, None),
    ("tcp.send_rate", 8, "OpenND"): (30.0, 40.0, 50.0),
    ("tcp.send_rate", 8, "UCX"): (10.0, 10.0, 10.0),
    ("tcp.pairs_memory", 1, "OpenND"): (1000.0, 1000.0, 1000.0),
    ("tcp.pairs_memory", 1001, "OpenND"): (6000.0, 7000.0, 8000.0),
}


def head(rows, before=()):
    return {
        "kind": "run",
        "plan": {"rounds": 3, "milliseconds": 60, "cpus": [0, 1], "builds": ["build"], "rows": [row.to_json(each) for each in rows]},
        "facts": {
            "begun": "2026-01-02 03:04 UTC",
            "command": "benchmarks/report --rows 'tcp.*'",
            "machine": [["processor", "Example & Sons 3000"], ["kernel", "Linux 6.1"]],
            "build": [["version", "nd 0.1.0"], ["compiler", "g++ 12.2.0"]],
            "before": list(before),
            "peers": [["UCX", "1.13.1"]],
            "settings": [],
            "absent": {"absent peer": "peer is not installed (Debian: peer)"},
        },
    }


def lines(figures):
    for (name, point, contender_name), values in figures.items():
        for turn, value in enumerate(values, 1):
            line = {"round": turn, "row": name, "point": point, "contender": contender_name}
            yield {"kind": "failure", **line, "reason": "it <ended>"} if value is None else {"kind": "figure", **line, "value": value}
    yield {"kind": "round", "round": 1, "seconds": 2.0, "waiting": 12.5, "stolen": 0.0}


def sample(rows=(LATENCY, RATE, PAIRS), figures=None):
    return results.Results(head(rows), lines(FIGURES if figures is None else figures))
