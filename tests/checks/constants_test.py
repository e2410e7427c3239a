#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""constants.py on small trees of one header and one page each."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = sys.argv.pop(1)


class Constants(unittest.TestCase):
    def run_on(self, header, page, *options):
        with tempfile.TemporaryDirectory() as folder:
            for path, text in (("src/a.h", header), ("docs/a.md", page)):
                file = pathlib.Path(folder) / path
                file.parent.mkdir(parents=True)
                file.write_text(text)
            return subprocess.run([sys.executable, SCRIPT, folder, *options], capture_output=True, text=True)

    def passes(self, header, page, *options):
        result = self.run_on(header, page, *options)
        self.assertEqual(result.returncode, 0, result.stderr)

    def refuses(self, header, page, text, *options):
        result = self.run_on(header, page, *options)
        self.assertEqual(result.returncode, 1)
        self.assertIn(text, result.stderr)

    def test_compares_a_number(self):
        self.passes("constexpr int kMost = 8;", "up to 8 (`kMost`) of them")
        self.refuses("constexpr int kMost = 8;", "up to 9 (`kMost`) of them", "9 (kMost): the constant has 8")

    def test_compares_units_of_bytes_and_of_time(self):
        self.passes("inline constexpr std::uint32_t kChunk = 16 * 1024;", "16 KiB (`kChunk`)")
        self.passes("constexpr std::size_t kRoom = std::size_t{1} << 20;", "1 MiB (`kRoom`)")
        self.passes("constexpr std::chrono::milliseconds kPause{20};", "20 ms (`kPause`)")
        self.passes("constexpr std::chrono::nanoseconds kPause = std::chrono::milliseconds(20);", "20 ms (`kPause`)")
        self.refuses("constexpr std::chrono::seconds kPause{20};", "20 ms (`kPause`)", "the constant has 20000000000")

    def test_reads_each_constant_of_a_statement(self):
        self.passes("static constexpr int kFirst = 64, kLast = 64 << 9;", "64 (`kFirst`) and 32,768 (`kLast`)")

    def test_refuses_a_constant_that_is_not_there(self):
        self.refuses("// constexpr int kMost = 8;\n", "8 (`kMost`)", "no value in src")

    def test_refuses_a_constant_of_two_values(self):
        self.refuses("constexpr int kMost = 8; struct A { static constexpr int kMost = 9; };", "8 (`kMost`)", "8 or 9")

    def test_leaves_other_numbers_alone(self):
        self.passes("constexpr int kMost = 8;", "9 of them; 7 others (`most`); `kMost`")

    def test_needs_as_many_numbers_as_before(self):
        self.passes("constexpr int kMost = 8;", "8 (`kMost`)", "--needs", "docs/a.md", "1")
        self.refuses("constexpr int kMost = 8;", "8 of them", "0 numbers name their constants, 1 did", "--needs", "docs/a.md", "1")


if __name__ == "__main__":
    unittest.main()
