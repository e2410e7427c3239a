# SPDX-License-Identifier: MIT
"""reporting.markdown: the tables of benchmarks/results/report.md."""
import unittest

import sample
from reporting.markdown import BEGIN, END, markdown, put_into
from reporting.row import with_before


def cells(text, name):
    """Those of the line that begins with this name."""
    line = next(line for line in text.splitlines() if line.startswith(f"| {name} |"))
    return [cell.strip() for cell in line.strip("|").split("|")]


class Tables(unittest.TestCase):
    def test_have_figures_ratios_and_bars(self):
        text = markdown(sample.sample())
        self.assertEqual(cells(text, "shm.send_lat 8 B"),
                         ["shm.send_lat 8 B", "0.3 (0.2 to 0.4) us", "3", "1.2", "**the best floor 3 > 1.5**; **the best peer 1.2 > 1**"])
        self.assertEqual(cells(text, "tcp.send_rate"), ["tcp.send_rate", "40 (30 to 50) million/s", "–", "0.25", "the best peer 0.25 ≤ 0.5"])

    def test_have_a_column_for_each_number_of_connections(self):
        text = markdown(sample.sample())
        self.assertIn("| Row | program | 1 | 1,001 | bar |", text)
        self.assertEqual(cells(text, "tcp.pairs_memory, KiB")[1:4], ["OpenND", "1,000 (1,000 to 1,000)", "7,000 (6,000 to 8,000)"])
        self.assertIn("**1,001: each 6 > 4**", text)

    def test_are_as_wide_as_their_heads(self):
        for rows in ((sample.LATENCY, sample.RATE, sample.PAIRS), tuple(map(with_before, (sample.LATENCY, sample.RATE, sample.PAIRS)))):
            for table in markdown(sample.sample(rows)).split("\n\n")[1:]:
                self.assertEqual(len({line.count("|") for line in table.strip().splitlines()}), 1, table)

    def test_name_machine_peers_and_absent_programs(self):
        text = markdown(sample.sample())
        for words in ("3 interleaved rounds, some 60 ms a figure", "Example & Sons 3000, Linux 6.1, g++ 12.2.0", "UCX 1.13.1",
                      "absent peer: peer is not installed", "some task waited for a processor for 12.5 %"):
            self.assertIn(words.lower(), text.lower())

    def test_have_a_column_for_the_build_before(self):
        figures = {("tcp.send_rate", 8, "OpenND"): (40.0,), ("tcp.send_rate", 8, "OpenND, before"): (20.0,), ("tcp.send_rate", 8, "UCX"): (10.0,)}
        text = markdown(sample.sample((with_before(sample.RATE),), figures))
        self.assertIn("| to the build before |", text)
        self.assertEqual(cells(text, "tcp.send_rate")[1:], ["40 million/s", "0.5", "–", "0.25", "the best peer 0.25 (before 0.5) ≤ 0.5"])


class Documents(unittest.TestCase):
    def test_get_the_text_between_their_marks(self):
        document = f"# Costs\n\n{BEGIN}\n\nold\n\n{END}\n\nMore.\n"
        once = put_into(document, "new\n")
        self.assertEqual(once, f"# Costs\n\n{BEGIN}\n\nnew\n\n{END}\n\nMore.\n")
        self.assertEqual(put_into(once, "new\n"), once)

    def test_need_the_marks(self):
        self.assertRaises(ValueError, put_into, "# Costs\n", "new\n")


if __name__ == "__main__":
    unittest.main()
