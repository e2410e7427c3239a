#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`nd perf` writes one set of figures as table, JSON, CSV and page: they agree, and the page is whole in itself."""
import csv
import json
import pathlib
import sys
import tempfile
import xml.etree.ElementTree as xml

sys.dont_write_bytecode = True
from programs import run  # noqa: E402

HTML = "{http://www.w3.org/1999/xhtml}"
SVG = "{http://www.w3.org/2000/svg}"
SHORT = ("--self", "--iters", "20", "--warmup", "5")


class Reports:
    """One run with all of its documents."""

    def __init__(self, command, folder, *words):
        paths = {name: folder / f"perf.{name}" for name in ("json", "csv", "html")}
        done = run(command, "perf", *words, "--json", "--output", paths["json"], "--csv", paths["csv"], "--report", paths["html"])
        assert done.returncode == 0, done
        self.table = done.stdout
        document = json.loads(paths["json"].read_text())
        assert document["complete"] and not any(result["interrupted"] for result in document["results"]), document
        self.results = document["results"]
        with paths["csv"].open(newline="") as file:
            self.rows = list(csv.DictReader(file))
        self.source = paths["html"].read_text()
        self.page = xml.fromstring(self.source.removeprefix("<!DOCTYPE html>\n"))

    def cells(self):
        """Of the page's tables, by line."""
        return [[cell.text for cell in row] for row in self.page.iter(HTML + "tr")]


def near(one, other):
    return abs(one - other) <= 1e-6 * max(abs(one), abs(other))


def check_rows(reports):
    assert len(reports.rows) == len(reports.results) > 0
    for row, result in zip(reports.rows, reports.results):
        assert row["interrupted"] == "no", row
        assert row["test"] == result["test"] and row["path"] == result["transport"]["path"], (row, result)
        assert int(row["size_bytes"]) == result["size_bytes"] and int(row["iterations"]) == result["iterations"], (row, result)
        if "latency" in result:
            for name in ("min_us", "max_us", "p50_us", "average_us", "deviation_us", "p99_us", "p999_us"):
                assert near(float(row[name]), result["latency"][name]), (name, row, result)
            assert not row["average_bytes_per_second"], row
        else:
            bandwidth = result["bandwidth"]
            assert near(float(row["average_bytes_per_second"]), bandwidth["average_bytes_per_second"]), (row, bandwidth)
            assert near(float(row["peak_bytes_per_second"] or 0), bandwidth["peak_bytes_per_second"]), (row, bandwidth)
            assert not row["p50_us"], row


def check_page(reports):
    assert not list(reports.page.iter(HTML + "script")), "no script"
    for element in reports.page.iter():
        assert not {"src", "href", "onload"} & set(element.attrib), element.attrib
    rest = reports.source.replace("http://www.w3.org/1999/xhtml", "").replace("http://www.w3.org/2000/svg", "")
    assert "://" not in rest and "url(" not in rest and "@import" not in rest, "nothing is elsewhere"
    told = {row[0]: row[1] for row in reports.cells() if len(row) == 2}
    assert told["command line"].startswith("nd perf ") and "--report" in told["command line"] and told["link"] == "none", told
    assert {"OpenND", "ended", "host", "processors", "memory", "system"} <= set(told), told
    assert all(result["link"] is None for result in reports.results), "the server is on this host"
    cells = reports.cells()
    for result in reports.results:
        column, figure = (4, result["latency"]["p50_us"]) if "latency" in result else \
            (3, result["bandwidth"]["average_bytes_per_second"] / 2**20)
        rows = [row for row in cells if row[0] == str(result["size_bytes"]) and len(row) > column]
        assert any(abs(float(row[column]) - figure) <= 0.005 * max(1, figure) for row in rows), (figure, cells)


def titles(reports):
    return [picture.find(SVG + "title").text for picture in reports.page.iter(SVG + "svg")]


def check_pictures(reports):
    """Every mark and bar lies within its picture."""
    for picture in reports.page.iter(SVG + "svg"):
        shown = [text.text for text in picture.iter(SVG + "text")]
        heading = " ".join(text.text for text in picture.iter(SVG + "text") if text.get("class") == "title")
        assert heading == picture.find(SVG + "title").text, "the title is seen"
        units = ("bytes", "usec", "samples", "MiB/sec", "Gb/sec", "Mpps")
        assert sum(text.removesuffix(", logarithmic") in units for text in shown) == 2, ("two axes have a name with the unit", shown)
        _, _, width, height = map(float, picture.get("viewBox").split())
        places = [tuple(map(float, point.split(","))) for line in picture.iter(SVG + "polyline") for point in line.get("points").split()]
        for bar in picture.iter(SVG + "rect"):
            x, y, wide, high = (float(bar.get(name)) for name in ("x", "y", "width", "height"))
            assert wide > 0 and high >= 0, bar.attrib
            places += [(x, y), (x + wide, y + high)]
        assert places and all(0 <= x <= width and 0 <= y <= height for x, y in places), (picture.attrib, places)


def check_all_sizes(command, folder):
    """Two tests over sizes, so that there are lines; the text of the table has the same figures."""
    for test, size in (("send_lat", 8), ("write_bw", 65536)):
        reports = Reports(command, folder, test, "--all", *SHORT)
        check_rows(reports)
        check_page(reports)
        check_pictures(reports)
        assert [result["size_bytes"] for result in reports.results] == [2**power for power in range(24)]
        assert f"{test}: {'latency' if test == 'send_lat' else 'bandwidth'} over size" in titles(reports), titles(reports)
        result = next(each for each in reports.results if each["size_bytes"] == size)
        row = next(line.split() for line in reports.table.splitlines() if line.split()[:1] == [str(size)])
        if test == "send_lat":
            assert abs(float(row[4]) - result["latency"]["p50_us"]) <= 0.5, (row, result)
        else:
            assert abs(float(row[3]) - result["bandwidth"]["average_bytes_per_second"] / 2**20) <= 0.005, (row, result)


def check_all_tests(command, folder):
    reports = Reports(command, folder, "all", "--size", "4096", *SHORT)
    check_rows(reports)
    check_page(reports)
    check_pictures(reports)
    assert [heading.text for heading in reports.page.iter(HTML + "h2")] == ["send_lat", "send_bw", "read_lat", "read_bw", "write_lat", "write_bw"]
    assert "read_lat: distribution of 4096 bytes" in titles(reports), titles(reports)


def check_histogram(command, folder):
    reports = Reports(command, folder, "send_lat", "-H", "--self", "--iters", "2000", "--warmup", "20")
    (result,) = reports.results
    bins = result["latency"]["histogram"]
    assert sum(each["count"] for each in bins) == result["iterations"] == 2000, bins
    assert bins[0]["above_us"] == result["latency"]["min_us"] and bins[-1]["up_to_us"] == result["latency"]["max_us"], bins
    assert all(one["up_to_us"] == other["above_us"] for one, other in zip(bins, bins[1:])), bins
    ratios = [each["up_to_us"] / each["above_us"] for each in bins]
    assert len(bins) <= 20 and all(near(ratio, ratios[0]) for ratio in ratios[:-1]), ("each as many times as long", ratios)
    assert ratios[-1] <= ratios[0] * (1 + 1e-6), ratios
    lines = reports.table.splitlines()
    begin = next(i for i, line in enumerate(lines) if line.split()[:1] == ["above[usec]"]) + 1
    printed = [int(line.split()[2]) for line in lines[begin:begin + len(bins)]]
    assert printed == [each["count"] for each in bins], (printed, bins)
    assert any("#" in line for line in lines[begin:]), lines
    assert "histogram" not in Reports(command, folder, "send_lat", *SHORT).results[0]["latency"]


def bandwidth_row(command, *words):
    done = run(command, "perf", "write_bw", "--self", "--json", "--output", "/dev/stderr", *words)
    assert done.returncode == 0, done
    heading, row = [line.split() for line in done.stdout.splitlines()][-2:]
    return " ".join(heading), row, json.loads(done.stderr)["results"][0]["bandwidth"]


def check_peak(bandwidth):
    # The best span is not below the mean of all.
    assert bandwidth["peak_bytes_per_second"] >= bandwidth["average_bytes_per_second"] * (1 - 1e-9), bandwidth


def check_units_and_peak(command):
    heading, row, bandwidth = bandwidth_row(command, "--duration", "0.3")
    assert "BW peak[MiB/sec] BW average[MiB/sec]" in heading, heading
    assert abs(float(row[3]) - bandwidth["average_bytes_per_second"] / 2**20) <= 0.005, (row, bandwidth)
    assert abs(float(row[2]) - bandwidth["peak_bytes_per_second"] / 2**20) <= 0.005, (row, bandwidth)
    check_peak(bandwidth)
    # Loops of a span and a bit, and of less than one.
    for words in (("--duration", "0.012"), ("--iters", "10")):
        for _ in range(10):
            check_peak(bandwidth_row(command, *words)[2])
    heading, row, bandwidth = bandwidth_row(command, "--duration", "0.1", "--report_gbits")
    assert "BW peak[Gb/sec] BW average[Gb/sec]" in heading, heading
    assert abs(float(row[3]) - bandwidth["average_bytes_per_second"] * 8 / 1e9) <= 0.005, (row, bandwidth)
    _, row, bandwidth = bandwidth_row(command, "--duration", "0.1", "--bidirectional")
    assert row[2] == "-" and bandwidth["peak_bytes_per_second"] == 0, "two directions have no peak in common"


def check_standard_output(command):
    done = run(command, "perf", "send_lat", *SHORT, "--csv", "-")
    assert done.returncode == 0 and len(list(csv.DictReader(done.stdout.splitlines()))) == 1, done
    done = run(command, "perf", "send_lat", *SHORT, "--report", "-")
    assert done.returncode == 0 and done.stdout.startswith("<!DOCTYPE html>"), done
    done = run(command, "perf", "send_lat", *SHORT, "--csv", "-", "--json")
    assert done.returncode == 2 and "only one of" in done.stderr, done
    for options in (("--csv",), ("--json", "--output"), ("--report",)):
        done = run(command, "perf", "send_lat", *SHORT, *options, "/nonexistent/file")
        assert done.returncode == 1 and "cannot write /nonexistent/file: No such file" in done.stderr and not done.stdout, done


def main():
    command = sys.argv[1]
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        check_all_sizes(command, folder)
        check_all_tests(command, folder)
        check_histogram(command, folder)
    check_units_and_peak(command)
    check_standard_output(command)


if __name__ == "__main__":
    main()
