# SPDX-License-Identifier: MIT
"""reporting.machine: facts out of files and outputs."""
import json
import unittest

from reporting import machine

INFO = json.dumps({"version": "0.1.0", "adapters": [{"limits": {"AdapterId": 1}}], "tuning": [
    {"subject": "long copies", "value": "library", "ground": "measured", "reason": "library 1220", "setting": "OPENND_COPY"},
    {"subject": "CRC over TCP", "value": "instruction", "ground": "setting", "reason": "by the setting", "setting": "OPENND_IWARP_CRC_WAY"}]})


class Facts(unittest.TestCase):
    def test_have_the_choices_of_nd_without_its_adapters(self):
        self.assertEqual(machine.choices(INFO), [["long copies", "library; decided by measured: library 1220"],
                                                 ["CRC over TCP", "instruction; decided by setting: by the setting"]])

    def test_have_no_choices_of_a_build_that_tells_none(self):
        self.assertEqual(machine.choices('{"version": "0.1.0"}'), [])
        self.assertEqual(machine.choices(""), [])

    def test_take_the_word_in_brackets(self):
        self.assertEqual(machine.chosen_of("always [madvise] never"), "madvise")

    def test_leave_unknown_ones_out(self):
        self.assertTrue(all(value for _, value in machine.machine()))
        self.assertEqual(machine.output_of("/nonexistent/program"), "")

    def test_tell_shares_of_time(self):
        shares = machine.Disturbance().shares()
        self.assertEqual(set(shares), {"stolen", "waiting"})
        self.assertTrue(all(each >= 0 for each in shares.values()))


if __name__ == "__main__":
    unittest.main()
