# SPDX-License-Identifier: MIT
"""The median and the spread of figures, and numbers as text."""
import dataclasses
import statistics

FEWEST_FOR_QUARTILES = 5


@dataclasses.dataclass(frozen=True)
class Spread:
    median: float
    low: float
    high: float
    quartiles: tuple  # of FEWEST_FOR_QUARTILES figures and more; otherwise ()
    count: int


def spread_of(values):
    """None if there is no value."""
    values = list(values)
    if not values:
        return None
    quartiles = ()
    if len(values) >= FEWEST_FOR_QUARTILES:
        lower, _, upper = statistics.quantiles(values, n=4, method="inclusive")
        quartiles = (lower, upper)
    return Spread(statistics.median(values), min(values), max(values), quartiles, len(values))


def number(value):
    """Three digits that count, without an exponent; thousands in groups."""
    if value == 0:
        return "0"
    if abs(value) >= 100:
        return f"{value:,.0f}"
    digits = 0
    while abs(value) * 10**digits < 99.95 and digits < 6:
        digits += 1
    text = f"{value:.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def with_range(spread):
    """median (low to high); the median alone where there is one figure."""
    if spread.count == 1:
        return number(spread.median)
    return f"{number(spread.median)} ({number(spread.low)} to {number(spread.high)})"
