#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests first_ten_minutes.py (the first argument): pages that tell the truth pass, and pages that lie do not."""
import pathlib
import subprocess
import sys
import tempfile
import unittest


class FirstTenMinutesTest(unittest.TestCase):
    def run_page(self, text, *options):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "page.md"
            page.write_text(text)
            done = subprocess.run([sys.executable, SCRIPT, page, *options], capture_output=True, text=True)
            return done.returncode, done.stderr

    def passes(self, text, *options):
        self.assertEqual(self.run_page(text, *options), (0, ""))

    def fails(self, text, complaint, *options):
        code, errors = self.run_page(text, *options)
        self.assertEqual(code, 1, errors)
        self.assertIn(complaint, errors)

    def test_output_as_shown(self):
        self.passes("```sh\necho one; echo two\n```\n\n```text\none\ntwo\n```\n")

    def test_output_that_is_not_shown(self):
        self.fails("```sh\necho one; echo two\n```\n\n```text\none\n```\n", "and gave\none\ntwo")

    def test_output_that_does_not_come(self):
        self.fails("```sh\necho one\n```\n\n```text\none\ntwo\n```\n", "is shown with")

    def test_dots_in_a_line_and_dots_for_lines(self):
        self.passes("```sh\necho 12 us; echo a; echo b; echo end\n```\n```text\n... us\n...\nend\n```\n")
        self.fails("```sh\necho 12 us; echo end\n```\n```text\n... ms\n...\nend\n```\n", "is shown with")

    def test_a_command_that_fails(self):
        self.fails("```sh\necho first\n```\n\n```sh\nfalse\n```\n", "exit code 1 in this block:\nfalse")

    def test_a_command_that_there_is_not(self):
        self.fails("```sh\nno-such-command\n```\n", "exit code 127")

    def test_a_mistake_of_syntax(self):
        self.fails("```sh\necho $(\n```\n", "exit code 2")

    def test_errors_belong_to_the_output(self):
        self.passes("```sh\necho oh >&2\n```\n```text\noh\n```\n")

    def test_blocks_share_one_shell_and_one_folder(self):
        self.passes("```sh\nname=value; echo text >file\n```\n```sh\necho $name; cat file\n```\n```text\nvalue\ntext\n```\n")

    def test_a_file_of_the_page(self):
        self.passes("```cpp main.cpp\nint main() {}\n```\n```sh\ncat main.cpp\n```\n```text\nint main() {}\n```\n")

    def test_indented_blocks_are_not_run(self):
        self.passes("    false\n\n```sh\ntrue\n```\n")

    def test_a_page_without_commands(self):
        self.fails("# A page\n", "nothing to run")

    def test_what_runs_in_the_background_ends_with_the_page(self):
        self.passes("```sh\nsleep 1000 &\n```\n")

    def test_a_page_that_hangs(self):
        self.fails("```sh\nsleep 1000\n```\n", "stopped after 1 s", "--timeout", "1")

    def test_the_home_is_a_new_one(self):
        self.passes("```sh\nls -A ~; test \"$PWD\" = ~/work\n```\n```text\nwork\n```\n")

    def test_a_unit_whose_command_was_not_run(self):
        self.fails("```ini a.service\n[Service]\nExecStart=/usr/bin/nd top\n```\n```sh\ntrue\n```\n", "no block runs its command")


if __name__ == "__main__":
    SCRIPT = sys.argv.pop(1)
    unittest.main()
