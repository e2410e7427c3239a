#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scripts/words on small trees of one text each."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = sys.argv.pop(1)


class Words(unittest.TestCase):
    def run_on(self, path, text, *options):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / path
            file.parent.mkdir(parents=True)
            file.write_text(text)
            return subprocess.run([SCRIPT, "--root", folder, *options], capture_output=True, text=True)

    def counts(self, path, text, folder, lines, hits):
        rows = {line[:28].strip(): line[28:].split()[:2] for line in self.run_on(path, text).stdout.splitlines()}
        self.assertEqual(rows[folder], [str(lines), str(hits)])

    def test_counts_lines_of_comments(self):
        self.counts("src/fresh/a.h", "int a; // for whoever asks\n/* A queue\n * of what came */\n", "src/fresh", 3, 2)

    def test_counts_words_and_no_parts_of_words(self):
        self.counts("src/fresh/a.h", "// the whole, somewhat\n// in whole or in part; So many.\n", "src/fresh", 2, 1)

    def test_leaves_code_and_licence_lines_out(self):
        self.counts("src/fresh/a.h", "// SPDX-License-Identifier: MIT\nint what = '\"'; // a number\n", "src/fresh", 1, 0)

    def test_counts_a_message_of_several_literals_once(self):
        self.counts("src/fresh/a.cpp", 'f("the queue is full of ",\n  "it knows what "\n  "the peer sent");', "src, messages", 1, 1)

    def test_leaves_short_strings_out(self):
        self.counts("src/fresh/a.cpp", '// a\nf("what", "what is it");', "src/fresh", 1, 0)
        self.assertNotIn("messages", self.run_on("src/fresh/a.cpp", 'f("what", "what is it");').stdout)

    def test_leaves_blocks_of_code_out_of_documents(self):
        self.counts("docs/a.md", "A queue.\n\n```\nwhat\n```\n\nWhat it does.\n", "docs", 2, 1)

    def test_counts_blocks_that_begin_without_a_subject(self):
        text = "// Of its own.\nint a;\n// As above,\n// and so on.\nint b;  // Officers and nothings.\n"
        self.assertRegex(self.run_on("src/fresh/a.h", text).stdout, r"src/fresh .* 3 +2 +66.7 +3.0\n")
        self.assertIn("66.7 % of the blocks begin without a subject", self.run_on("src/fresh/a.h", text, "--check").stderr)
        self.assertEqual(self.run_on("src/fresh/a.h", text, "--beginnings").stdout, "src/fresh/a.h:1: Of its own.\nsrc/fresh/a.h:3: As above,\n")

    def test_counts_no_beginnings_of_documents_and_messages(self):
        self.assertEqual(self.run_on("docs/a.md", "Of its own, and so on a page.\n", "--check").returncode, 0)

    def test_check_fails_above_the_bar(self):
        result = self.run_on("src/fresh/a.h", "// whose\n", "--check")
        self.assertEqual(result.returncode, 1)
        self.assertIn("src/fresh: 100.0 %", result.stderr)

    def test_check_lets_a_plain_text_pass(self):
        self.assertEqual(self.run_on("src/fresh/a.h", "// The queue is full.\n", "--check").returncode, 0)

    def test_lists_the_worst_sentence_where_it_begins(self):
        text = "// A queue. What it holds is\n// what the peer sent; who knows.\n"
        result = self.run_on("src/fresh/a.h", text, "--worst", "1")
        self.assertEqual(result.stdout, "src/fresh/a.h:1: 2: What it holds is what the peer sent;\n")


if __name__ == "__main__":
    unittest.main()
