# SPDX-License-Identifier: MIT
"""reporting.results: a broken run goes on, another run is moved aside."""
import json
import pathlib
import tempfile
import unittest

import sample
from reporting import results

FIGURE = {"kind": "figure", "round": 1, "row": "tcp.send_rate", "point": 8, "contender": "OpenND", "value": 30.0}
KEY = (1, "tcp.send_rate", 8, "OpenND")


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "results.jsonl"
        head = sample.head((sample.RATE,))
        self.plan, self.facts = head["plan"], head["facts"]

    def record(self, *lines, plan=None):
        found, recorder = results.open_run(self.path, plan or self.plan, self.facts)
        for line in lines:
            recorder.record(line)
        recorder.close()
        return found

    def test_keep_each_figure_at_once(self):
        found, recorder = results.open_run(self.path, self.plan, self.facts)
        self.addCleanup(recorder.close)
        recorder.record(FIGURE)
        self.assertEqual(results.read(self.path).figures, {KEY: 30.0})
        self.assertTrue(found.has(KEY))

    def test_continue_a_run_of_the_same_plan(self):
        self.record(FIGURE)
        self.assertTrue(self.record().has(KEY))

    def test_continue_behind_a_line_that_was_cut_off(self):
        self.record(FIGURE)
        with self.path.open("a") as stream:
            stream.write('{"kind": "figure", "rou')
        self.assertEqual(self.record({**FIGURE, "round": 2, "value": 40.0}).figures[KEY], 30.0)
        self.assertEqual(len(results.read(self.path).figures), 2)

    def test_move_a_run_of_another_plan_aside(self):
        self.record(FIGURE)
        self.assertFalse(self.record(plan={**self.plan, "rounds": 9}).has(KEY))
        self.assertFalse(self.record(plan={**self.plan, "rounds": 8}).has(KEY))
        self.assertEqual(results.read(self.path.with_suffix(".1.jsonl")).figures, {KEY: 30.0})
        self.assertTrue(self.path.with_suffix(".2.jsonl").exists())

    def test_count_the_figure_of_a_repeated_failure(self):
        failure = {**{key: FIGURE[key] for key in FIGURE if key != "value"}, "kind": "failure", "reason": "took too long"}
        self.assertEqual(self.record(failure).failures, {KEY: "took too long"})
        found = self.record(FIGURE)
        self.assertEqual((found.failures, found.figures), ({}, {KEY: 30.0}))

    def test_need_a_head(self):
        self.path.write_text(json.dumps(FIGURE) + "\n")
        self.assertRaises(ValueError, results.read, self.path)


if __name__ == "__main__":
    unittest.main()
