# SPDX-License-Identifier: MIT
"""reporting.rows, and the plan of a run."""
import json
import string
import unittest

from reporting import plan, row
from reporting.parsers import PARSERS
from reporting.row import BEFORE, BEST_FLOOR, BEST_PEER, EACH, FLOOR, FLOORS_GROWTH, ONE_CONNECTION, OURS, PEER
from reporting.rows import ANY_PROCESSOR, OVER_CONNECTIONS, ROWS, SHORT


class Table(unittest.TestCase):
    def test_names_each_row_once(self):
        names = [each.name for each in ROWS]
        self.assertEqual(len(names), len(set(names)))

    def test_names_each_contender_of_a_row_once(self):
        for each in ROWS:
            names = [contender.name for contender in each.contenders]
            self.assertEqual(len(names), len(set(names)), each.name)

    def test_has_a_parser_for_each_contender(self):
        for each in ROWS:
            for contender in each.contenders:
                self.assertIn(contender.parser, PARSERS)

    def test_has_fields_that_the_plan_knows(self):
        known = set(plan.fields(8, 60, (0, 1))) | {"nd", "floors", "port", "server_address"}
        for each in ROWS:
            for contender in each.contenders:
                for template in (contender.command.words, contender.command.server or "", contender.command.program, contender.argument):
                    self.assertLessEqual({name for _, name, _, _ in string.Formatter().parse(template) if name}, known)

    def test_has_bars_over_contenders_and_points_that_exist(self):
        for each in ROWS:
            for bar in each.bars:
                for point in bar.points or each.points:
                    self.assertIn(point, each.points, each.name)
                    there = each.contenders_at(point)
                    self.assertIn(bar.ours, [contender.name for contender in there if contender.kind == OURS], each.name)
                    kinds = {BEST_FLOOR: FLOOR, FLOORS_GROWTH: FLOOR, BEST_PEER: PEER}
                    if bar.over in kinds:
                        self.assertIn(kinds[bar.over], [contender.kind for contender in there], each.name)
                    elif bar.over not in (EACH, ONE_CONNECTION):
                        self.assertIn(bar.over, [contender.name for contender in there], each.name)

    def test_gives_long_points_time_unless_the_run_is_short(self):
        self.assertEqual(plan.fields(1 << 20, 60, (0, 1))["milliseconds"], "500")
        self.assertEqual(plan.fields(1 << 20, 10, (0, 1))["milliseconds"], "10")
        self.assertEqual(plan.fields(1 << 16, 60, (0, 1))["milliseconds"], "60")

    def test_has_sets_of_points_of_the_row(self):
        names = set()
        for each in ROWS:
            for name, points in each.sets:
                names.add(name)
                self.assertLessEqual(set(points), set(each.points), each.name)
        self.assertEqual(names, {OVER_CONNECTIONS, ANY_PROCESSOR, SHORT})

    def test_comes_back_from_json(self):
        for each in ROWS:
            self.assertEqual(row.from_json(json.loads(json.dumps(row.to_json(each)))), each)

    def test_names_points(self):
        names = [row.point_name(axis, point) for axis, point in
                 (("bytes", 8), ("bytes", 4096), ("bytes", 1 << 20), ("connections", 10000), ("once", 8))]
        self.assertEqual(names, ["8 B", "4 KiB", "1 MiB", "10,000", ""])


class Choice(unittest.TestCase):
    def names(self, *patterns):
        return {(each.name, point) for each in plan.chosen(ROWS, patterns) for point in each.points}

    def test_is_everything_without_a_pattern(self):
        self.assertEqual(plan.chosen(ROWS, []), list(ROWS))

    def test_takes_rows_and_points(self):
        self.assertEqual(self.names("shm.send_lat@8", "tcp.send_l*@64"), {("shm.send_lat", 8), ("tcp.send_lat", 64)})
        self.assertEqual(self.names("shm.wake_lat"), {("shm.wake_lat", 8)})

    def test_takes_sets(self):
        self.assertEqual(self.names(SHORT), {("shm.send_lat", 8), ("tcp.send_lat", 8)})
        self.assertIn(("tcp.pairs_all_events", 10000), self.names(OVER_CONNECTIONS))

    def test_takes_nothing_that_does_not_match(self):
        self.assertEqual(plan.chosen(ROWS, ["no_such_row"]), [])


class Order(unittest.TestCase):
    def keys(self, turn, rounds=2):
        return [each.key[1:] for each in plan.measurements(plan.chosen(ROWS, [SHORT]), rounds) if each.round == turn]

    def test_goes_backwards_in_every_second_round(self):
        self.assertEqual(self.keys(2), self.keys(1)[::-1])

    def test_has_the_contenders_of_a_point_together(self):
        self.assertEqual([name for name, _, _ in self.keys(1)], sorted(name for name, _, _ in self.keys(1)))

    def test_puts_the_build_before_beside_the_other(self):
        twins = [each for each in row.with_before(ROWS[0]).contenders if each.kind == BEFORE]
        self.assertEqual([each.name for each in twins], ["OpenND, before", "OpenND, private memory, before"])
        self.assertTrue(all("{nd}" not in each.command.words and each.command.program == "{before_nd}" for each in twins))


if __name__ == "__main__":
    unittest.main()
