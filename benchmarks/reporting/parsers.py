# SPDX-License-Identifier: MIT
"""One figure out of the output of a program. Each parser takes the text and an argument, and raises Unreadable."""
import json
import re


class Unreadable(Exception):
    """The text has no figure."""


def bench_row(text, variant):
    """`nd perf --bench`: an object on each line; the first of this variant."""
    for line in text.splitlines():
        if line.startswith("{"):
            row = json.loads(line)
            if row["variant"] == variant:
                return float(row["value"])
    raise Unreadable(f"no line of the variant {variant}")


def perf_json(text, path):
    """`nd perf --json`: a member of the one result, such as latency.p50_us."""
    document, _ = json.JSONDecoder().raw_decode(text, _first_brace(text))
    value = document["results"][0]
    for key in path.split("."):
        value = value[key]
    return float(value)


def floor_line(text, _):
    """A floor: a number and its unit are the last two words of its last line."""
    found = re.search(r"[:,] (?:median )?([\d.e+-]+) (?:us|GB/s|million/s|thousand/s)\s*\Z", text)
    if not found:
        raise Unreadable("the last line has no number and unit")
    return float(found[1])


def number_before(text, words):
    """The number in front of these words."""
    found = re.search(r"([\d.]+) " + re.escape(words), text)
    if not found:
        raise Unreadable(f"no number stands before '{words}'")
    return float(found[1])


def _ucx_columns(text):
    """`ucx_perftest -v -f`: a line of names and one of numbers. The overall ones are of the whole run."""
    lines = [line.split(",") for line in text.splitlines() if "," in line]
    for names, values in zip(lines, lines[1:]):
        if "overall_lat" in names and len(names) == len(values):
            return dict(zip(names, map(float, values)))
    raise Unreadable("no line of numbers below the names of columns")


def ucx_latency(text, _):
    return _ucx_columns(text)["overall_lat"]


def ucx_bandwidth(text, size):
    """GB/s; the column of bandwidth has few digits for short messages."""
    return _ucx_columns(text)["overall_mr"] * int(size) / 1e9


def ucx_rate(text, _):
    return _ucx_columns(text)["overall_mr"] / 1e6


def pingpong_table(text, _):
    """`fi_pingpong`: names of columns, then a line for each size."""
    lines = [line.split() for line in text.splitlines() if line.strip()]
    for names, values in zip(lines, lines[1:]):
        if "usec/xfer" in names:
            return float(values[names.index("usec/xfer")])
    raise Unreadable("no column usec/xfer")


def sockperf_summary(text, _):
    found = re.search(r"Latency is ([\d.]+) usec", text)
    if not found:
        raise Unreadable("no summary of the latency")
    return float(found[1])


def iperf_json(text, _):
    """GB/s at the receiver."""
    end = json.loads(text[_first_brace(text):]).get("end", {})
    if "sum_received" not in end:
        raise Unreadable("no sum of what was received")
    return end["sum_received"]["bits_per_second"] / 8e9


def _sample(text, name):
    found = re.search(rf"^{name} (\d+)$", text, re.MULTILINE)
    if not found:
        raise Unreadable(f"no sample of {name}")
    return float(found[1])


def resident_kib(text, _):
    return _sample(text, "resident_kib")


def descriptors(text, _):
    return _sample(text, "descriptors")


def _first_brace(text):
    if "{" not in text:
        raise Unreadable("no JSON")
    return text.index("{")


PARSERS = {each.__name__: each for each in (bench_row, perf_json, floor_line, ucx_latency, ucx_bandwidth, ucx_rate, pingpong_table,
                                            sockperf_summary, iperf_json, resident_kib, descriptors, number_before)}


def parse(name, text, argument):
    """A figure; any text that is not of the expected form is Unreadable."""
    try:
        value = PARSERS[name](text, argument)
    except (ValueError, KeyError, IndexError, TypeError) as error:
        raise Unreadable(f"{name}: {type(error).__name__} {error}") from error
    if not value >= 0:
        raise Unreadable(f"{name}: {value} is no figure")
    return value
