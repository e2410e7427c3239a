#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests process_wide.py (the first argument): variables, pages and sources that it must refuse and such that it must let through."""
import importlib.util
import sys
import unittest

PAGE = "| `a::table` | step | a table |\n| `a::count` | value | a count |\n"
SOURCES = "const bool table_listed = table.list();"


class ProcessWide(unittest.TestCase):
    def faults(self, variables, page=PAGE, sources=SOURCES):
        return list(process_wide.faults(set(variables), page, sources))

    def test_lets_through_the_variables_of_the_page(self):
        self.assertEqual(self.faults(["a::table", "a::count", "a::table_listed"]), [])

    def test_refuses_a_variable_that_the_page_lacks(self):
        self.assertEqual(len(self.faults(["a::table", "a::count", "a::lock"])), 1)

    def test_refuses_a_row_without_a_variable(self):
        self.assertEqual(len(self.faults(["a::table"])), 1)

    def test_refuses_a_step_outside_of_the_list(self):
        self.assertEqual(len(self.faults(["a::table", "a::count"], sources="")), 1)

    def test_refuses_a_variable_that_is_made_at_its_first_use(self):
        self.assertEqual(len(self.faults(["a::table", "a::count", "guard variable for a::count"])), 1)


if __name__ == "__main__":
    spec = importlib.util.spec_from_file_location("process_wide", sys.argv.pop(1))
    process_wide = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(process_wide)
    unittest.main()
