#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests windows_functions.py (the first argument): exports, version scripts and pages that it must refuse and such that it must let through."""
import importlib.util
import pathlib
import sys
import unittest

SCRIPT = "V {\nglobal:\n    /* b.h */\n    Two;\n    opennd_printf;\n\n    /* sys/a.h */\n    One;\n    opennd_winsock_bind;\n\nlocal:\n    *;\n};"
EXPORTED = {"One", "Two", "opennd_printf", "opennd_winsock_bind"}
TABLE = "| Header | Functions |\n|---|---|\n| [b.h](x/b.h) | `printf` `Two` |\n| [sys/a.h](x/sys/a.h) | `bind` `One` |\n"


class WindowsFunctions(unittest.TestCase):
    def setUp(self):
        self.sections = windows_functions.by_header(SCRIPT)

    def table(self, exported):
        return windows_functions.table(exported, self.sections, lambda header: f"x/{header}")

    def faults(self, exported, text):
        return list(windows_functions.faults(exported, self.sections, text, self.table(exported)))

    def test_has_each_function_under_its_header_by_the_name_that_programs_call(self):
        self.assertEqual(self.table(EXPORTED), TABLE)

    def test_lists_what_the_library_shows_alone(self):
        self.assertEqual(self.table({"One"}), "| Header | Functions |\n|---|---|\n| [sys/a.h](x/sys/a.h) | `One` |\n")

    def test_lets_through_the_page_with_the_table(self):
        self.assertEqual(self.faults(EXPORTED, f"Before.\n\n{TABLE}\nBehind."), [])

    def test_refuses_a_page_that_lacks_a_function_or_has_one_too_many(self):
        self.assertEqual(len(self.faults(EXPORTED, TABLE.replace("`One`", ""))), 1)
        self.assertEqual(len(self.faults(EXPORTED - {"Two"}, TABLE)), 1)

    def test_refuses_a_symbol_without_a_header(self):
        self.assertEqual(len(self.faults(EXPORTED | {"Three"}, TABLE)), 1)


if __name__ == "__main__":
    path = pathlib.Path(sys.argv.pop(1))
    sys.path.insert(0, str(path.parent))  # it reads a library as exported_symbols.py does
    spec = importlib.util.spec_from_file_location("windows_functions", path)
    windows_functions = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(windows_functions)
    unittest.main()
