# SPDX-License-Identifier: MIT
"""reporting.findings: ratios within a round, growth, and bars."""
import dataclasses
import unittest

import sample
from reporting.findings import Findings, bar_text
from reporting.row import BEST_FLOOR, BEST_PEER, EACH, FLOORS_GROWTH, ONE_CONNECTION, Bar, with_before


class Ratios(unittest.TestCase):
    def setUp(self):
        self.findings = Findings(sample.sample())

    def test_divide_within_the_round_by_its_best_floor(self):
        # 0.2 / 0.1, 0.4 / 0.1, 0.3 / 0.1: one copy is the best floor in two rounds, two copies in the third
        spread = self.findings.ratio(sample.LATENCY, 8, "OpenND", BEST_FLOOR)
        self.assertAlmostEqual(spread.median, 3)
        self.assertAlmostEqual(spread.low, 2)
        self.assertAlmostEqual(spread.high, 4)

    def test_tell_how_many_times_as_bad_a_rate_is(self):
        self.assertEqual(self.findings.ratio(sample.RATE, 8, "OpenND", BEST_PEER).median, 0.25)

    def test_divide_by_one_connection(self):
        self.assertEqual(self.findings.ratio(sample.PAIRS, 1001, "OpenND", ONE_CONNECTION).median, 7)

    def test_give_the_growth_beyond_the_floors(self):
        row = dataclasses.replace(sample.PAIRS, contenders=sample.PAIRS.contenders + (sample.contender("floor", "floor"),),
                                  bars=(Bar(1.3, FLOORS_GROWTH, (1001,)),))
        figures = {(row.name, 1, "OpenND"): (3.0, 2.0), (row.name, 1, "floor"): (2.0, 1.0),
                   (row.name, 1001, "OpenND"): (9.0, 4.0), (row.name, 1001, "floor"): (4.0, None)}
        verdicts = list(Findings(sample.sample((row,), figures)).verdicts())
        self.assertEqual([(each.point, each.measured.median, each.met) for each in verdicts], [(1001, 1.5, False)])

    def test_leave_rounds_without_one_of_the_figures_out(self):
        figures = {("tcp.send_rate", 8, "OpenND"): (30.0, 40.0), ("tcp.send_rate", 8, "UCX"): (None, 10.0)}
        spread = Findings(sample.sample((sample.RATE,), figures)).ratio(sample.RATE, 8, "OpenND", "UCX")
        self.assertEqual((spread.median, spread.count), (0.25, 1))

    def test_are_none_without_a_figure(self):
        self.assertIsNone(self.findings.ratio(sample.LATENCY, 4096, "OpenND", "two copies"))
        self.assertIsNone(self.findings.ratio(sample.LATENCY, 4096, "OpenND", BEST_PEER))

    def test_give_the_growth_with_each_connection(self):
        self.assertEqual(self.findings.growth(sample.PAIRS, 1001, "OpenND").median, 6)


class Verdicts(unittest.TestCase):
    def verdicts(self, **arguments):
        return {(each.name, each.bar.over): each for each in Findings(sample.sample(**arguments)).verdicts()}

    def test_judge_the_median(self):
        verdicts = self.verdicts()
        self.assertIs(verdicts["shm.send_lat 8 B", BEST_FLOOR].met, False)  # 3 of 1.5
        self.assertIs(verdicts["shm.send_lat 4 KiB", BEST_FLOOR].met, True)  # 1.25
        self.assertIs(verdicts["tcp.send_rate", BEST_PEER].met, True)  # 0.25 of 0.5
        self.assertIs(verdicts["tcp.pairs_memory 1,001", EACH].met, False)  # 6 of 4

    def test_judge_nothing_without_figures(self):
        self.assertIsNone(self.verdicts()["shm.send_lat 4 KiB", "two copies"].met)

    def test_hold_at_their_points_alone(self):
        self.assertNotIn(("shm.send_lat 4 KiB", BEST_PEER), self.verdicts())
        self.assertNotIn(("tcp.pairs_memory 1", ONE_CONNECTION), self.verdicts())

    def test_of_growth_need_the_figure_of_one_connection(self):
        row = dataclasses.replace(sample.PAIRS, points=(1001,))
        self.assertEqual(self.verdicts(rows=(row,)), {})

    def test_tell_the_ratio_of_the_build_before(self):
        row = with_before(sample.RATE)
        figures = {("tcp.send_rate", 8, "OpenND"): (40.0,), ("tcp.send_rate", 8, "OpenND, before"): (20.0,), ("tcp.send_rate", 8, "UCX"): (10.0,)}
        verdict = self.verdicts(rows=(row,), figures=figures)["tcp.send_rate", BEST_PEER]
        self.assertEqual((verdict.measured.median, verdict.before.median), (0.25, 0.5))

    def test_are_text(self):
        self.assertEqual(bar_text(sample.LATENCY, Bar(1.6, "two copies")), "1.6 times two copies")
        self.assertEqual(bar_text(sample.PAIRS, Bar(4, EACH)), "4 KiB a connection")


if __name__ == "__main__":
    unittest.main()
