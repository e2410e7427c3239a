# SPDX-License-Identifier: MIT
"""reporting.page and reporting.plot: well-formed, alone in its file, and with the figures of the results."""
import pathlib
import re
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml

import sample
from reporting import findings, plot
from reporting.page import page
from reporting.spread import number

ND = sys.argv.pop(1)
HTML, SVG = "{http://www.w3.org/1999/xhtml}", "{http://www.w3.org/2000/svg}"


def text_of(element):
    return "".join(element.itertext())


class Page(unittest.TestCase):
    def setUp(self):
        self.results = sample.sample()
        self.text = page(self.results, ND)
        self.tree = xml.fromstring(self.text)

    def table(self, name):
        """{(contender, column): text} of the table whose caption begins with the name."""
        table = next(each for each in self.tree.iter(f"{HTML}table")
                     if each.find(f"{HTML}caption") is not None and text_of(each.find(f"{HTML}caption")).startswith(name + ":"))
        head = [text_of(each) for each in table.iter(f"{HTML}th") if each.get("scope") == "col"]
        cells = {}
        for line in table.find(f"{HTML}tbody"):
            texts = [[*each.itertext()] for each in line]
            cells.update({(texts[0][0], column): text for column, text in zip(head[1:], texts[1:])})
        return cells

    def test_has_the_median_and_the_range_of_each_figure(self):
        for (name, point, contender), values in sample.FIGURES.items():
            column = {8: "8 B", 4096: "4 KiB", 1: "1", 1001: "1,001"}[point] if name != "tcp.send_rate" else "million/s"
            cell = self.table(name)[contender, column]
            if None in values:
                self.assertEqual(cell, ["–"])
            else:
                self.assertEqual(cell[0], number(sorted(values)[1]))
                self.assertEqual(cell[1], f"{number(min(values))} to {number(max(values))}")

    def test_has_quartiles_of_many_rounds(self):
        figures = {("tcp.send_rate", 8, "OpenND"): (10.0, 20.0, 30.0, 40.0, 50.0)}
        self.assertIn("quartiles 20, 40", page(sample.sample((sample.RATE,), figures), ND))

    def test_names_absent_programs_and_failures_with_their_reason(self):
        self.assertIn("absent peer: peer is not installed (Debian: peer)", text_of(self.tree))
        self.assertIn("two copies 4 KiB: it <ended>", text_of(self.tree))

    def test_judges_bars(self):
        self.assertIn("3 of 7 bars are met; 0 have", page(sample.sample(figures={**sample.FIGURES, ("shm.send_lat", 4096, "two copies"): (1.0, 1.0, 1.0)}), ND))
        self.assertIn("2 of 6 bars are met; 1 have no figure to judge.", text_of(self.tree))

    def test_needs_no_other_file_and_no_script(self):
        self.assertEqual([each.tag for each in self.tree.iter() if each.tag.rpartition("}")[2] in ("script", "link", "img", "iframe", "object")], [])
        for each in self.tree.iter():
            self.assertFalse([key for key in each.keys() if key.rpartition("}")[2] in ("href", "src")])
        self.assertNotRegex(self.text, r"url\(|@import")

    def test_has_a_table_behind_each_plot(self):
        pictures = list(self.tree.iter(f"{SVG}svg"))
        self.assertEqual(len(pictures), 3)
        body = list(self.tree.find(f"{HTML}body"))
        for place, each in enumerate(body):
            if each.tag == f"{HTML}figure":
                self.assertIsNotNone(next(body[place + 1].iter(f"{HTML}table"), None))

    def test_names_command_machine_compiler_kernel_and_peers(self):
        for words in ("benchmarks/report --rows 'tcp.*'", "Example & Sons 3000", "Linux 6.1", "g++ 12.2.0", "1.13.1", "3 interleaved rounds", "12.5 %"):
            self.assertIn(words, text_of(self.tree))


class Plot(unittest.TestCase):
    def picture(self, row, figures=None):
        found = findings.Findings(sample.sample((row,), sample.FIGURES if figures is None else figures))
        (picture,) = plot.draw(ND, [plot.described(row, found)])[1]
        return picture

    def texts(self, row):
        return [text_of(each) for each in xml.fromstring(self.picture(row)).iter(f"{SVG}text")]

    def test_is_named_for_readers_who_see_none(self):
        tree = xml.fromstring(self.picture(sample.LATENCY))
        self.assertEqual(tree.get("role"), "img")
        self.assertEqual(text_of(tree.find(f"{SVG}title")), sample.LATENCY.title)
        self.assertIn("Medians in us, lower is better", text_of(tree.find(f"{SVG}desc")))

    def test_has_its_title_and_names_axes_with_units_and_points(self):
        for text in (sample.LATENCY.title, "8", "4K", "us, lower is better, logarithmic", "bytes of a message or operation, logarithmic",
                     "OpenND", "one copy"):
            self.assertIn(text, self.texts(sample.LATENCY))

    def test_leaves_contenders_without_a_figure_out(self):
        self.assertNotIn("absent peer", self.texts(sample.LATENCY))

    def test_stays_within_its_picture(self):
        for row in (sample.LATENCY, sample.RATE, sample.PAIRS):
            tree = xml.fromstring(self.picture(row))
            _, _, width, height = map(float, tree.get("viewBox").split())
            for each in tree.iter():
                for key, most in (("x", width), ("x1", width), ("x2", width), ("cx", width), ("y", height), ("y1", height), ("y2", height), ("cy", height)):
                    if key in each.keys():
                        self.assertTrue(0 <= float(each.get(key)) <= most, xml.tostring(each))
                for x, y in re.findall(r"([\d.-]+),([\d.-]+)", each.get("points", "")):
                    self.assertTrue(0 <= float(x) <= width and 0 <= float(y) <= height, each.get("points"))

    def test_places_a_larger_figure_higher(self):
        tree = xml.fromstring(self.picture(sample.PAIRS))
        way = next(each for each in tree.iter(f"{SVG}polyline")).get("points")
        (x1, y1), (x2, y2) = [map(float, each.split(",")) for each in way.split()]
        self.assertTrue(x1 < x2 and y1 > y2)

    def test_shows_the_range_of_the_figures(self):
        ranges = [each for each in xml.fromstring(self.picture(sample.LATENCY)).iter(f"{SVG}line") if each.get("class") == "range"]
        spread = [values for (name, _, _), values in sample.FIGURES.items() if name == "shm.send_lat" and None not in values and len(set(values)) > 1]
        self.assertEqual(len(ranges), len(spread))
        self.assertTrue(all(each.get("y1") != each.get("y2") for each in ranges))

    def test_has_one_line_of_marks_for_each_contender_of_one_point(self):
        texts = self.texts(sample.RATE)
        self.assertTrue({"OpenND", "UCX", "million/s, higher is better"} <= set(texts), texts)
        self.assertNotIn(f"{SVG}polyline", [each.tag for each in xml.fromstring(self.picture(sample.RATE)).iter()])

    def test_is_none_without_a_figure(self):
        self.assertIsNone(self.picture(sample.RATE, {}))

    def test_shows_equal_figures_and_zeros(self):
        for values in ((0.0, 0.0), (5.0, 5.0)):
            xml.fromstring(self.picture(sample.PAIRS, {("tcp.pairs_memory", 1, "OpenND"): values, ("tcp.pairs_memory", 1001, "OpenND"): values}))

    def test_needs_a_program_that_draws(self):
        with tempfile.TemporaryDirectory() as folder:
            silent = pathlib.Path(folder) / "nd"
            silent.write_text("#!/bin/sh\necho 'no such document' >&2; exit 2\n")
            silent.chmod(0o755)
            for program in (silent, pathlib.Path(folder) / "none"):
                self.assertRaisesRegex(ValueError, "draws the plots of the page, and fails: .*[Nn]o such", plot.draw, program, [])


def luminance(colour):
    parts = [int(colour[at:at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


class Colours(unittest.TestCase):
    def setUp(self):
        self.style = plot.draw(ND, [])[0]

    def grounds(self):
        """The variables of light pages, and of dark ones."""
        return [dict(re.findall(r"--([\w-]+): (#\w+);", rules)) for rules in re.findall(r":root {(.*?)}", self.style)]

    def test_stand_out_from_light_and_dark_pages(self):
        light, dark = self.grounds()
        self.assertEqual(set(light), set(dark))
        self.assertEqual((light["ground"], dark["ground"]), ("#ffffff", "#16181c"))
        for colours in (light, dark):
            for name, colour in colours.items():
                if name.startswith("colour-"):
                    self.assertGreaterEqual(contrast(colour, colours["ground"]), 3.0, name)
            self.assertGreaterEqual(contrast(colours["text"], colours["ground"]), 7.0)

    def test_are_not_the_only_difference_within_a_plot(self):
        names = ("one", "two", "three", "four", "five", "six")
        for kind in ("plain", "ours", "before", "floor", "peer"):
            series = [{"name": name, "kind": kind, "points": [[1, 1], [2, 2]]} for name in names]
            (picture,) = plot.draw(ND, [{"form": "lines", "title": "t", "y": "us", "series": series}])[1]
            marks = set()
            for each in xml.fromstring(picture).iter(f"{SVG}g"):
                mark = [part for part in each if part.get("class") in ("mark", "hollow")][0]
                place = [float(number) for number in re.findall(r"[\d.]+", mark.get("points") or f"{mark.get('cx')},{mark.get('cy')}")]
                marks.add((mark.tag, *(round(number - place[at % 2], 1) for at, number in enumerate(place))))
            self.assertEqual(len(marks), len(names), kind)

    def test_are_for_kinds_that_are_known(self):
        series = [{"name": "one", "kind": "fast", "points": [[1, 1]]}]
        self.assertRaisesRegex(ValueError, "no lines of kind 'fast'", plot.draw, ND, [{"form": "lines", "title": "t", "y": "us", "series": series}])
        self.assertRaisesRegex(ValueError, "no description of a plot", plot.draw, ND, [{"form": "lines"}])


if __name__ == "__main__":
    unittest.main()
