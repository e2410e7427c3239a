#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests paths.py (the first argument) on small trees: citations that it must refuse and such that it must let through."""
import pathlib
import subprocess
import sys
import tempfile
import unittest


class PathsTest(unittest.TestCase):
    def look(self, files):
        with tempfile.TemporaryDirectory() as root:
            for name, text in {"data/profiles/x.json": "{}", "docs/decisions/0007-a-choice.md": "# 0007", **files}.items():
                path = pathlib.Path(root) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            done = subprocess.run([sys.executable, SCRIPT, root], capture_output=True, text=True)
            return done.returncode, done.stderr

    def refused(self, files, complaint):
        code, errors = self.look(files)
        self.assertEqual(code, 1, errors)
        self.assertIn(complaint, errors)

    def taken(self, files):
        self.assertEqual(self.look(files), (0, ""))

    def test_a_decision_is_there(self):
        self.taken({"src/a.cpp": "// See decision 0007, docs/decisions/0007.\n", "docs/a.md": "So it is (0007), [0007](decisions/0007-a-choice.md).\n"})

    def test_a_decision_that_is_not_there(self):
        self.refused({"src/a.cpp": "// See decision 0009.\n"}, "src/a.cpp: there is no decision 0009")
        self.refused({"docs/a.md": "Decisions 0007 and 0009 say so.\n"}, "there is no decision 0009")
        self.refused({"docs/a.md": "It was tried (0009).\n"}, "there is no decision 0009")
        self.refused({"tests/run.sh": "# decision 0009\n"}, "there is no decision 0009")

    def test_a_number_of_code_is_none(self):
        self.taken({"src/a.cpp": "int year = 2024; // in (0123)\n", "docs/a.md": "From 0600 on, with mode 0640.\n"})

    def test_a_folder_of_docs(self):
        self.taken({"src/a.cpp": "// docs/decisions has more.\n"})
        self.refused({"src/a.cpp": "// docs/designs has more.\n"}, "docs/designs does not exist")
        self.refused({"cmake/a.cmake": "# docs/decisions/0009\n"}, "docs/decisions/0009 does not exist")

    def test_a_file_of_docs(self):
        self.refused({"scripts/run": "# docs/missing.md tells why\n"}, "docs/missing.md does not exist")

    def test_made_up_files_of_tests(self):
        self.taken({"tests/checks/a_test.py": "# docs/missing.md\n"})

    def test_a_paper_that_readers_of_a_header_do_not_have(self):
        for citation in ("section 3.9", "Table 2.8", 'section "Statuses"', "sections 2 and 3", "as the specification has it"):
            self.refused({"include/opennd/a.h": f"/* See {citation}. */\n"}, "include/opennd/a.h: a reader of the header does not have this")
            self.taken({"src/a.cpp": f"// See {citation}.\n"})

    def test_a_table_in_a_header(self):
        self.taken({"include/opennd/a.h": "/* The table of functions, and its sections. */\n#define TABLE \"section 1\"\n"})


if __name__ == "__main__":
    SCRIPT = sys.argv.pop(1)
    unittest.main()
