#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scripts/requirements on small trees: what it joins, and what it refuses."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = sys.argv.pop(1)
DEFINITIONS = "".join(f"- ND2-ABC-0{n}: rule {n}\n" for n in range(1, 5))


class Requirements(unittest.TestCase):
    def run_on(self, files, *options):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in ({"docs/requirements/nd2.md": DEFINITIONS} | files).items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text)
            return subprocess.run([SCRIPT, "--root", folder, *options], capture_output=True, text=True)

    def test_counts_code_and_tests(self):
        result = self.run_on({"src/a.cpp": "// ND2-ABC-01\n", "tests/unit/a_test.cpp": 'proves("ND2-ABC-02");\n'})
        self.assertIn("4 requirements: 1 cited in code, 1 proved by tests", result.stdout)
        self.assertEqual(result.returncode, 0)

    def test_reads_abbreviations_and_ranges(self):
        self.assertIn(" 2 cited in code", self.run_on({"src/a.cpp": "// ND2-ABC-01, -03\n"}).stdout)
        self.assertIn(" 3 cited in code", self.run_on({"src/a.cpp": "// ND2-ABC-01 to -03\n"}).stdout)

    def test_what_tests_only_use_is_no_proof(self):
        self.assertIn(" 0 proved", self.run_on({"tests/support/a.h": "// ND2-ABC-01\n"}).stdout)

    def test_tests_in_python_are_tests_but_not_those_of_the_house(self):
        files = {"tests/network/a_test.py": '"""Proves ND2-ABC-01."""\n', "tests/checks/b_test.py": "# ND2-ABC-02\n"}
        self.assertIn(" 1 proved by tests", self.run_on(files).stdout)

    def test_refuses_an_unknown_id(self):
        result = self.run_on({"src/a.cpp": "\n// ND2-XYZ-01\n"})
        self.assertEqual(result.returncode, 1)
        self.assertIn("src/a.cpp:2: ND2-XYZ-01 is cited and not defined", result.stderr)

    def test_strict_wants_a_test_or_a_reason(self):
        tested = {"tests/unit/a_test.cpp": '"ND2-ABC-01", "ND2-ABC-02", "ND2-ABC-03"\n'}
        reason = {"docs/requirements/open.md": "- ND2-ABC-04: waits for hardware\n"}
        self.assertEqual(self.run_on(tested).returncode, 0)
        refused = self.run_on(tested, "--strict")
        self.assertEqual(refused.returncode, 1)
        self.assertIn("open: ND2-ABC-04 rule 4", refused.stdout)
        self.assertIn("1 requirements have neither a test nor a reason", refused.stderr)
        self.assertEqual(self.run_on(tested | reason, "--strict").returncode, 0)

    def test_strict_refuses_a_reason_that_a_test_overtook(self):
        files = {
            "tests/unit/a_test.cpp": '"ND2-ABC-01", "ND2-ABC-02", "ND2-ABC-03", "ND2-ABC-04"\n',
            "docs/requirements/open.md": "- ND2-ABC-04: waits for hardware\n",
        }
        self.assertIn("strike it out", self.run_on(files, "--strict").stderr)

    def test_one_reason_may_stand_for_several(self):
        files = {
            "tests/unit/a_test.cpp": '"ND2-ABC-02"\n',
            "docs/requirements/open.md": "- ND2-ABC-01, -03 to -04: wait for hardware\n",
        }
        self.assertEqual(self.run_on(files, "--strict").returncode, 0)
        files["tests/unit/a_test.cpp"] = '"ND2-ABC-02", "ND2-ABC-04"\n'
        self.assertIn("ND2-ABC-04 is proved", self.run_on(files, "--strict").stderr)

    def test_numbers_may_have_three_digits(self):
        files = {
            "docs/requirements/other.md": "- IW-NEG-99: a\n- IW-NEG-100: b\n",
            "tests/unit/a_test.cpp": "// IW-NEG-99 to -100\n",
        }
        self.assertIn("2 proved by tests", self.run_on(files).stdout)

    def test_sums_up_by_section(self):
        definitions = "## First\n\n- ND2-ABC-01: a\n- ND2-ABC-02: b\n\n## Second\n\n- ND2-ABC-03: c\n- ND2-ABC-04: d\n"
        output = self.run_on(
            {
                "docs/requirements/nd2.md": definitions,
                "docs/requirements/open.md": "- ND2-ABC-03: waits for hardware\n",
                "tests/unit/a_test.cpp": '"ND2-ABC-01", "ND2-ABC-02"\n',
            }
        ).stdout
        self.assertRegex(output, r"2 of +2 proved: First\n")
        self.assertRegex(output, r"0 of +2 proved, 1 open with a reason, 1 open without one: Second\n")

    def test_refuses_an_id_defined_twice(self):
        self.assertIn("listed twice", self.run_on({"docs/requirements/other.md": "- ND2-ABC-01: again\n"}).stderr)


if __name__ == "__main__":
    unittest.main()
