# SPDX-License-Identifier: MIT
"""reporting.spread: medians, quartiles and numbers as text."""
import unittest

from reporting.spread import number, spread_of, with_range


class Spreads(unittest.TestCase):
    def test_have_median_and_range(self):
        spread = spread_of([3.0, 1.0, 2.0, 10.0])
        self.assertEqual((spread.median, spread.low, spread.high, spread.count), (2.5, 1.0, 10.0, 4))

    def test_have_quartiles_from_five_figures_on(self):
        self.assertEqual(spread_of([1, 2, 3, 4]).quartiles, ())
        self.assertEqual(spread_of([5, 1, 2, 3, 4]).quartiles, (2, 4))

    def test_are_none_of_no_figure(self):
        self.assertIsNone(spread_of([]))

    def test_are_text(self):
        self.assertEqual(with_range(spread_of([0.2, 0.4, 0.3])), "0.3 (0.2 to 0.4)")
        self.assertEqual(with_range(spread_of([0.25])), "0.25")


class Numbers(unittest.TestCase):
    def test_have_three_digits_that_count(self):
        for value, text in ((0, "0"), (0.2134, "0.213"), (1.0, "1"), (5.678, "5.68"), (12.34, "12.3"), (99.97, "100"), (123.4, "123"),
                            (17820, "17,820"), (0.0028236, "0.00282"), (40.0, "40"), (9.999, "10")):
            self.assertEqual(number(value), text, value)


if __name__ == "__main__":
    unittest.main()
