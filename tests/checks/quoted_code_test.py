#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests quoted_code.py (the first argument): quotes that are in step pass, and others do not."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = "int main() {\n    first();\n    second();\n\n    third();\n}\n"
LINK = "[the program](../../examples/tutorial/program.cpp)\n\n"


class QuotedCodeTest(unittest.TestCase):
    def run_check(self, page, program=PROGRAM):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "docs/tutorial").mkdir(parents=True)
            (root / "examples/tutorial").mkdir(parents=True)
            (root / "docs/tutorial/page.md").write_text(page)
            (root / "examples/tutorial/program.cpp").write_text(program)
            done = subprocess.run([sys.executable, SCRIPT, root], capture_output=True, text=True)
            return done.returncode, done.stderr

    def passes(self, page, **more):
        self.assertEqual(self.run_check(page, **more), (0, ""))

    def fails(self, page, complaint, **more):
        code, errors = self.run_check(page, **more)
        self.assertEqual(code, 1, errors)
        self.assertIn(complaint, errors)

    def test_lines_of_the_program(self):
        self.passes(LINK + "```cpp\n    second();\n\n    third();\n```\n")

    def test_another_indent(self):
        self.passes(LINK + "```cpp\nfirst();\nsecond();\n```\n")

    def test_an_indent_that_differs_between_lines(self):
        self.fails(LINK + "```cpp\nfirst();\n    second();\n```\n", "has these lines:\nfirst();")

    def test_a_line_that_is_not_there(self):
        self.fails(LINK + "```cpp\nfourth();\n```\n", "has these lines:\nfourth();")

    def test_a_line_that_is_left_out(self):
        self.fails(LINK + "```cpp\nfirst();\nthird();\n```\n", "has these lines:\nfirst();")

    def test_a_part_of_a_line(self):
        self.fails(LINK + "```cpp\nfirst()\n```\n", "has these lines:\nfirst()")

    def test_a_page_that_links_no_program(self):
        self.fails("```cpp\nfirst();\n```\n", "has these lines:\nfirst();")

    def test_a_program_that_does_not_exist(self):
        self.fails("[the program](../../examples/tutorial/other.cpp)\n", "does not exist")

    def test_a_program_that_is_too_long(self):
        self.passes(LINK + "```cpp\nfirst();\n```\n", program="first();\n" * 149)
        self.fails(LINK + "```cpp\nfirst();\n```\n", "more than 149 lines", program="first();\n" * 150)

    def test_pages_without_a_quote(self):
        self.assertEqual(self.run_check(LINK)[0], 1)


if __name__ == "__main__":
    SCRIPT = sys.argv.pop(1)
    unittest.main()
