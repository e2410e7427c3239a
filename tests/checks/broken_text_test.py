#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tests/checks/broken_text.py on small texts."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = sys.argv.pop(1)


class BrokenText(unittest.TestCase):
    def run_on(self, text):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "a.cpp"
            file.write_text(text)
            return subprocess.run([sys.executable, SCRIPT, folder, str(file)], capture_output=True, text=True)

    def test_refuses_a_word_alone_in_its_line(self):
        done = self.run_on('f("adapters have room for the "\n  "depth "\n  "asked for");\n')
        self.assertEqual(done.returncode, 1)
        self.assertIn('a.cpp:2: a string is broken at "depth "', done.stderr)

    def test_lets_the_last_and_the_first_part_be_short(self):
        self.assertEqual(self.run_on('f("a "\n  "long part of a string that fills its line, nearly all of it, "\n  "end");\n').returncode, 0)

    def test_lets_lines_of_a_page_be_short(self):
        self.assertEqual(self.run_on('f("usage: "\n  "one\\n"\n  "two\\n");\n').returncode, 0)

    def test_refuses_a_star_behind_a_word(self):
        done = self.run_on("int a; /* is NULL\n * or* pBufferSize is 0 */\n")
        self.assertEqual(done.returncode, 1)
        self.assertIn('a.cpp:2: a star has moved to the word before it: "or* p"', done.stderr)

    def test_lets_types_and_stress_pass(self):
        self.assertEqual(self.run_on("// takes a const void* and\n// *before* it a char* name\nvoid f(node* next);\n").returncode, 0)


if __name__ == "__main__":
    unittest.main()
