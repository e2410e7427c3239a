#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scripts/layers on small trees of one include each."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = sys.argv.pop(1)
TABLE = """
| Folder | What it holds | May include |
|---|---|---|
| `base` | words | `<fmt>` |
| `platform` | the system | `base`, `Linux` |
| `seam` | the seam | `base` |
| `seam/soft` | one side of it | `seam`, `platform`, `base` |
| `face` | the face | `include/`, `seam`, `base` |
| `library` | the root | everything |
"""


class Layers(unittest.TestCase):
    def run_on(self, path, include, table=TABLE, others={}):
        return self.run_on_text(path, f"#include {include}\n", table, others)

    def run_on_text(self, path, text, table=TABLE, others={}):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            texts = {"src/README.md": table, "companions/README.md": table, "include/opennd/api.h": "", path: text} | others
            for name, content in texts.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(content)
            return subprocess.run([SCRIPT, "--root", folder], capture_output=True, text=True)

    def allows(self, path, include):
        self.assertEqual(self.run_on(path, include).returncode, 0)

    def refuses(self, path, include, why):
        result = self.run_on(path, include)
        self.assertEqual(result.returncode, 1)
        self.assertIn(f"{path}:1: ", result.stderr)
        self.assertIn(why, result.stderr)

    def test_allows_downward(self):
        self.allows("src/seam/soft/a.cpp", '"seam/a.h"')

    def test_allows_the_folder_itself(self):
        self.allows("src/base/a.cpp", '"base/a.h"')

    def test_allows_anything_at_the_root(self):
        self.allows("src/library/a.cpp", '"seam/soft/a.h"')

    def test_judges_each_tree_by_its_own_table(self):
        self.allows("companions/seam/soft/a.cpp", '"seam/a.h"')
        self.refuses("companions/base/a.h", '"seam/a.h"', "points from base to seam")

    def test_draws_the_includes_and_compares_the_page(self):
        files = {"src/base/a.h": "", "src/spi/nd1/a.h": '#include "base/a.h"\n', "src/spi/nd2/a.h": '#include "base/a.h"\n'}
        files["src/top/a.cpp"] = '#include "spi/nd1/a.h"\n#include "spi/nd2/a.h"\n#include "base/a.h"\n'
        drawn = "top              -> spi/nd1, spi/nd2\nspi/nd1, spi/nd2 -> base\nbase\n"
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, content in files.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(content)
            self.assertEqual(subprocess.run([SCRIPT, "--root", folder, "--picture"], capture_output=True, text=True).stdout, drawn)
        page = {"docs/architecture.md": f"```layers\n{drawn}```\n"}
        self.assertIn("its picture is not that of the includes", self.run_on("src/base/a.cpp", "<vector>", others=page).stderr)
        self.assertEqual(self.run_on("src/base/a.cpp", "<vector>", others={"docs/architecture.md": "```layers\nbase\n```\n"}).returncode, 0)

    def test_refuses_upward(self):
        self.refuses("src/base/a.h", '"seam/a.h"', "points from base to seam")

    def test_refuses_a_folder_inside_an_allowed_one(self):
        self.refuses("src/face/a.cpp", '"seam/soft/a.h"', "points from face to seam/soft")

    def test_refuses_relative(self):
        self.refuses("src/seam/soft/a.cpp", '"../a.h"', "is not written from the top of its tree")

    def test_refuses_an_unknown_folder(self):
        self.refuses("src/base/a.cpp", '"util/a.h"', "is in no folder")

    def test_refuses_a_file_in_an_unknown_folder(self):
        self.assertIn("src/util/a.h: its folder", self.run_on("src/util/a.h", "<vector>").stderr)

    def test_allows_the_system_in_its_place_only(self):
        self.allows("src/platform/a.cpp", "<sys/mman.h>")
        self.refuses("src/seam/a.h", "<sys/mman.h>", "is a system or third-party header")

    def test_allows_a_named_library_in_its_place_only(self):
        self.allows("src/base/a.h", "<fmt/format.h>")
        self.refuses("src/seam/a.h", "<fmt/format.h>", "is a system or third-party header")

    def test_allows_public_headers_in_the_face_only(self):
        self.allows("src/face/a.cpp", '"api.h"')
        self.refuses("src/seam/a.h", '"api.h"', "is a public header")

    def test_allows_the_environment_at_the_root_only(self):
        for read in ('std::getenv("A")', '::secure_getenv(name)', "char** each = ::environ;"):
            self.assertEqual(self.run_on_text("src/library/a.cpp", read).returncode, 0)
            result = self.run_on_text("src/seam/a.cpp", f"\n{read}")
            self.assertIn("src/seam/a.cpp:2: reads the environment", result.stderr)
        self.assertEqual(self.run_on_text("src/seam/a.cpp", "// as getenv() does, my_getenv(1)").returncode, 0)

    def test_refuses_internals_in_the_command(self):
        self.allows("cli/a.cpp", "<api.h>")
        self.refuses("cli/a.cpp", '"seam/a.h"', "is neither a public header")

    def test_keeps_the_library_of_command_and_benchmarks_apart(self):
        others = {"cli/perf/a.h": "", "cli/network/a.h": "", "benchmarks/own.h": ""}
        for path, header, refused in (("cli/network/b.cpp", "perf/a.h", "of the library that the benchmarks share"),
                                      ("cli/network/b.cpp", "network/a.h", ""), ("benchmarks/b.cpp", "network/a.h", ""), ("benchmarks/b.cpp", "own.h", ""),
                                      ("benchmarks/b.cpp", "api.h", ""), ("benchmarks/b.cpp", "perf/a.h", "nor of cli/network")):
            result = self.run_on(path, f'"{header}"', others=others)
            self.assertEqual((result.returncode != 0, refused in result.stderr), (refused != "", True), result.stderr)

    def test_refuses_internals_in_public_headers(self):
        self.refuses("include/opennd/b.h", '"base/a.h"', "is not installed beside it")

    def knot(self, texts, rows=""):
        """The answer for headers of src/base with these includes, and rows of the table of larger knots."""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "include/opennd").mkdir(parents=True)
            for tree in ("src", "companions"):
                (root / tree / "base").mkdir(parents=True)
                (root / tree / "README.md").write_text(TABLE + (rows if tree == "src" else ""))
            for name, others in texts.items():
                (root / "src/base" / name).write_text("".join(f'#include "base/{other}.h"\n' for other in others))
            return subprocess.run([SCRIPT, "--root", folder], capture_output=True, text=True)

    def test_allows_two_nouns_that_need_each_other(self):
        self.assertEqual(self.knot({"a.h": ["b"], "b.h": [], "b.cpp": ["b", "a"], "c.h": ["a", "b"]}).returncode, 0)

    def test_refuses_three_by_way_of_their_sources(self):
        result = self.knot({"a.h": ["b"], "b.h": ["c"], "c.h": [], "c_end.cpp": ["c", "a"]})
        self.assertEqual(result.returncode, 1)
        self.assertIn("src/base: 3 nouns need each other: a, b, c", result.stderr)

    def test_a_source_belongs_to_the_longest_name(self):
        self.assertEqual(self.knot({"a.h": [], "a_b.h": [], "c.h": ["a_b"], "a_b_end.cpp": ["a_b", "c"], "a_end.cpp": ["a"]}).returncode, 0)

    def test_a_row_allows_a_larger_knot_until_it_is_cut(self):
        three = {"a.h": ["b"], "b.h": ["c"], "c.h": ["a"]}
        self.assertEqual(self.knot(three, "\n| `base` | 3 nouns | b. |\n").returncode, 0)
        self.assertIn("no more of 4", self.knot(three, "\n| `base` | 4 nouns | b. |\n").stderr)
        two = {"a.h": ["b"], "b.h": ["a"]}
        self.assertIn("no knot any more", self.knot(two, "\n| `base` | 3 nouns | b. |\n").stderr)

    def test_refuses_a_table_that_points_upward(self):
        upward = TABLE.replace("| `<fmt>` |", "| `face` |")
        self.assertIn("which stands below it", self.run_on("src/base/a.h", "<vector>", upward).stderr)


if __name__ == "__main__":
    unittest.main()
