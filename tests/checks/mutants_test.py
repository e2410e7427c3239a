#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scripts/mutants: what it writes for a place, and which lines it refuses."""
import importlib.machinery
import importlib.util
import sys
import unittest

LOADER = importlib.machinery.SourceFileLoader("mutants", sys.argv.pop(1))
mutants = importlib.util.module_from_spec(importlib.util.spec_from_loader("mutants", LOADER))
sys.modules["mutants"] = mutants
sys.dont_write_bytecode = True
LOADER.exec_module(mutants)


def mutant(number, original, mutated=""):
    return mutants.Mutant(number, "a.cpp", original, mutated, "", [], "")


class Rewriting(unittest.TestCase):
    def rewrites(self, source, wanted, *chosen):
        self.assertEqual(mutants.rewritten(source, list(chosen)), wanted)

    def refuses(self, source, why, *chosen):
        with self.assertRaises(mutants.Bad) as refused:
            mutants.rewritten(source, list(chosen))
        self.assertIn(why, str(refused.exception))

    def test_an_expression_is_chosen(self):
        self.rewrites("if (a < b) c();", "if ((::opennd_mutant(1) ? (a <= b) : (a < b))) c();", mutant(1, "a < b", "a <= b"))

    def test_a_statement_is_left_out(self):
        self.rewrites("a();\nb();", "a();\n{ if (::opennd_mutant(1)) {  } else { b(); } }", mutant(1, "b();"))

    def test_white_space_and_context_do_not_count(self):
        self.rewrites("a(x);\n    b(x);", "a(x);\n    b((::opennd_mutant(1) ? (y) : (x)));", mutant(1, "a(x); b($[x]$);", "y"))

    def test_a_place_holds_several(self):
        self.rewrites("f(a)", "f((::opennd_mutant(2) ? (c) : ((::opennd_mutant(1) ? (b) : (a)))))",
                      mutant(1, "f($[a]$)", "b"), mutant(2, "f($[a]$)", "c"))

    def test_one_lies_within_another(self):
        self.rewrites("return a + b;",
                      "{ if (::opennd_mutant(1)) { return 0; } else { return a + (::opennd_mutant(2) ? (c) : (b)); } }",
                      mutant(1, "return a + b;", "return 0;"), mutant(2, "a + $[b]$", "c"))

    def test_what_stands_twice_or_never_is_refused(self):
        self.refuses("a; a;", "2 times", mutant(1, "a;"))
        self.refuses("b;", "0 times", mutant(1, "a;"))

    def test_what_is_cut_is_refused(self):
        self.refuses("if (a && b) c();", "neither a statement nor an expression", mutant(1, "a &&"))
        self.refuses("if (a.b()) c();", "part of a longer operand", mutant(1, "b()"))
        self.refuses("a + b + c", "overlap", mutant(1, "a + b"), mutant(2, "b + c"))

    def test_what_would_not_compile_is_refused(self):
        self.refuses("return a ? b : c;", "where an expression does", mutant(1, "a ? b : c;"))
        self.refuses("rows({{a, b}, {c, d}});", "where an expression does", mutant(1, "{a, b}"))
        self.refuses("if (a) b(); else c();", "the `if` of an `else`", mutant(1, "if (a) b();"))
        self.refuses("return a;", "is none", mutant(1, "return a;", "b"))
        for declared in ("const bool a = b;", "const Held a(mutex_);", "std::vector<int> a{1, 2};", "const auto& a = b;", "Ref<X> a;"):
            self.refuses(f"{{ {declared} use(a); }}", "declares `a`", mutant(1, declared))
        self.refuses("constexpr auto rows = list({1, 2});", "before the program runs", mutant(1, "2", "3"))

    def test_statements_of_every_kind_fit(self):
        for statement in ("a = b;", "a(b);", "a->b(c);", "++a;", "return a;", "if (const X a = b) c(a);", "delete a;", "a[1].b = c;"):
            self.rewrites(f"{{ {statement} }}", f"{{ {{ if (::opennd_mutant(1)) {{  }} else {{ {statement} }} }} }}",
                          mutant(1, statement))
        for before in ("if (a) ", "case 1: ", "else ", "if (a) [[unlikely]]\n    ", "// Why.\n"):
            self.rewrites(f"{before}b();", f"{before}{{ if (::opennd_mutant(1)) {{  }} else {{ b(); }} }}", mutant(1, "b();"))


if __name__ == "__main__":
    unittest.main()
