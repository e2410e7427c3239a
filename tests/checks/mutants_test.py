#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scripts/mutants: the places that it finds, and what it writes there."""
import importlib.machinery
import importlib.util
import pathlib
import sys
import tempfile
import unittest

LOADER = importlib.machinery.SourceFileLoader("mutants", sys.argv.pop(1))
mutants = importlib.util.module_from_spec(importlib.util.spec_from_loader("mutants", LOADER))
sys.modules["mutants"] = mutants
sys.dont_write_bytecode = True
LOADER.exec_module(mutants)
try:
    import clang.cindex
except ImportError:
    clang = None

SOURCE = """
constexpr int kMost = 3;
void log(const char* text);
bool take(int* count, bool full) {
    if (*count <= kMost && !full) {
        ++*count;
        log("taken");
        return true;
    }
    return *count - 1 == 2;
}
"""


def mutant(number, span, operator, replaced):
    return mutants.Mutant("a.cpp", 1, span, operator, "", replaced, number)


class Rewriting(unittest.TestCase):
    def test_a_place_chooses_by_its_number(self):
        self.assertEqual(mutants.rewritten(b"if (a) b();", [mutant(7, (4, 5), "negate", "(::opennd_mutant({number}) != {whole})")]),
                         b"if ((::opennd_mutant(7) != a)) b();")

    def test_places_lie_within_one_another_and_hold_several(self):
        inner = mutant(2, (2, 3), "constant", "[{number} {whole}]")
        outer, again = mutant(1, (0, 4), "drop", "{{ {number} {whole} }}"), mutant(3, (2, 3), "sign", "<{number} {whole}>")
        self.assertEqual(mutants.rewritten(b"f(a) g", [outer, inner, again]), b"{ 1 f(<3 [2 a]>) } g")


@unittest.skipUnless(clang, "python3-clang is not installed")
class Places(unittest.TestCase):
    def test_are_those_of_the_syntax_tree(self):
        with tempfile.TemporaryDirectory() as folder:
            mutants.ROOT = pathlib.Path(folder)
            (mutants.ROOT / "src").mkdir()
            (mutants.ROOT / "src/a.cpp").write_text(SOURCE)
            found = {each.key() for each in mutants.find_places("a.cpp")}
        self.assertEqual(found, {f"a.cpp {each}" for each in (
            "negate: *count <= kMost && !full", "negate: *count <= kMost", "compare: *count <= kMost", "negate: !full",
            "drop: ++*count;", "constant: true", "negate: *count - 1 == 2", "sign: *count - 1", "constant: 1", "constant: 2")})


if __name__ == "__main__":
    unittest.main()
