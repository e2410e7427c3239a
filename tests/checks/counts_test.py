#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scripts/counts: what it reads out of a build.ninja, and out of declarations."""
import importlib.machinery
import importlib.util
import sys
import unittest

LOADER = importlib.machinery.SourceFileLoader("counts", sys.argv.pop(1))
counts = importlib.util.module_from_spec(importlib.util.spec_from_loader("counts", LOADER))
sys.dont_write_bytecode = True
LOADER.exec_module(counts)

NINJA = r"""
rule CXX_STATIC_LIBRARY_LINKER__core_Debug
  command = ar $in
build a.o: CXX_COMPILER__core_Debug /x/a.cpp | pch.gch || headers
  DEFINES = -DNDEBUG
build b.o: CXX_COMPILER__core_Debug /x/b.cpp
build lib/libx.a: CXX_STATIC_LIBRARY_LINKER__core_Debug a.o b.o
build lib/libx.so.1: CXX_SHARED_LIBRARY_LINKER__x_Debug $
    a.o b.o
build lib/libx.so | ${cmake_ninja_workdir}lib/libx.so: CMAKE_SYMLINK_LIBRARY lib/libx.so.1
build with$ space: CXX_EXECUTABLE_LINKER__y_Debug y.o lib/libx.a
build behind_the_interface: CXX_EXECUTABLE_LINKER__z_Debug z.o || lib/libx.so
build told: CUSTOM_COMMAND with$ space
build of_told.o: C_COMPILER__w_Debug told
build last: C_EXECUTABLE_LINKER__w_Debug of_told.o | nothing || lib/libx.a
build of_b: CXX_EXECUTABLE_LINKER__b_Debug b.o
build all: phony last of_b
"""


class Links(unittest.TestCase):
    def links(self, source):
        return counts.links_after(NINJA, source)

    def test_follow_a_source_through_archives_programs_and_what_they_write(self):
        self.assertEqual(self.links("/x/a.cpp"), ["last", "libx.a", "libx.so.1", "with$ space"])

    def test_are_those_of_this_source(self):
        self.assertIn("of_b", self.links("/x/b.cpp"))
        self.assertNotIn("of_b", self.links("/x/a.cpp"))

    def test_do_not_follow_an_input_that_only_has_to_be_there(self):
        self.assertNotIn("behind_the_interface", self.links("/x/a.cpp"))

    def test_of_a_file_that_nobody_uses_are_none(self):
        self.assertEqual(self.links("/x/c.cpp"), [])


class MovingWork(unittest.TestCase):
    def moving(self, text):
        return {verb: sorted(names) for verb, names in counts.moving_functions([text]).items()}

    def test_has_functions_that_are_declared_or_defined(self):
        text = "    virtual bool serve() = 0;\n    [[nodiscard]] std::size_t run(Channel& channel,\n                    BiasedLock& lock);\nvoid Crowd::visit(Place place) {\n"
        self.assertEqual(self.moving(text), {"serve": ["serve"], "run": ["run"], "visit": ["visit"]})

    def test_has_no_calls_and_no_other_words(self):
        self.assertEqual(self.moving("    return poll(progress);\n    queue_pair.run();\n    serve(a);\n    // void poll(int)\n    void runs_dry();\n"), {})

    def test_takes_a_verb_with_words_around_it_as_the_verb(self):
        self.assertEqual(self.moving("    bool try_run_once(Progress& progress);\n    void run_once();\n"), {"run": ["run_once"]})

    def test_finds_another_verb_for_it(self):
        self.assertEqual(self.moving("    void retry(std::uint32_t oldest, int times);\n    void do_deferred() override;\n"),
                         {"retry": ["retry"], "do": ["do_deferred"]})


unittest.main()
