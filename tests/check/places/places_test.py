#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Diagnostics name function, file and line of the program's place: places_test.py PROGRAM PLAIN LIBRARY OBJCOPY BY-CLANG

PROGRAM and LIBRARY have debug information and are optimised, PLAIN is the same program without, BY-CLANG the same by the other compiler, or empty. Where libdw cannot be loaded, diagnostics have file
and offset, and one line says which package is missing."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PROGRAM, PLAIN, LIBRARY, OBJCOPY, BY_CLANG = sys.argv[1:]
SOURCES = pathlib.Path(__file__).parent
RULE = " error: CHECK-STARTUP: "
MISSING = " info: the places above have no source lines: libdw.so.1: "


def line_of(source, words):
    """The "file:line" of the line that ends in a comment with these words."""
    lines = (SOURCES / source).read_text().splitlines()
    numbers = [number for number, line in enumerate(lines, 1) if line.endswith(f"// place: {words}")]
    assert len(numbers) == 1, f"{source}: {words}"
    return f"{source}:{numbers[0]}"


def run(program, *arguments, **variables):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("OPENND_")}
    environment.update({"OPENND_CHECK": "warn"} | variables)
    done = subprocess.run([program, *arguments], env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done
    return done


def told(program, *arguments, **variables):
    """The lines on standard error."""
    return run(program, *arguments, **variables).stderr.splitlines()


def frames(line):
    """The frames of a diagnostic, the innermost first."""
    return re.search(r"; at ([^;]*); ", line).group(1).split(" < ")


class Places(unittest.TestCase):
    def expect_frames(self, line, *expected):
        """Each as its function and "file:line", where the file is named by its end."""
        found = frames(line)
        self.assertEqual(len(found), len(expected), line)
        for frame, (function, place) in zip(found, expected):
            self.assertTrue(frame.startswith(f"{function} in "), line)
            self.assertTrue(frame.endswith(f"/{place}"), f"{frame} is not {place}: {line}")

    def expect_here(self, line):
        main = frames(line)[-1]
        self.assertRegex(main, r"^main in .*/program\.cpp:\d+$")
        self.expect_frames(line, ("open_before_startup()", line_of("misuse.h", "call")),
                           ("(anonymous namespace)::misuse_here()", line_of("program.cpp", "here")),
                           ("main", main.rsplit("/", 1)[1]))

    def test_have_function_and_line(self):
        lines = told(PROGRAM, "here")
        self.assertEqual(len(lines), 1, lines)
        self.assertIn(RULE, lines[0])
        self.expect_here(lines[0])

    def expect_inlined(self, program, inlined):
        lines = told(program, "inlined")
        self.assertEqual(len(lines), 1, lines)
        self.expect_frames(lines[0], ("open_before_startup()", line_of("misuse.h", "call")),
                           (inlined, line_of("program.cpp", "inlined")),
                           ("(anonymous namespace)::misuse_inlined()", line_of("program.cpp", "around")),
                           ("main", frames(lines[0])[-1].rsplit("/", 1)[1]))

    def test_have_functions_that_were_compiled_into_their_callers(self):
        self.expect_inlined(PROGRAM, "compiled_into_its_caller")

    @unittest.skipUnless(BY_CLANG, "there is no clang")
    def test_are_found_in_a_program_by_clang(self):
        self.expect_inlined(BY_CLANG, "(anonymous namespace)::compiled_into_its_caller()")

    def test_are_found_without_an_index_of_addresses(self):
        with tempfile.TemporaryDirectory() as folder:
            copy = os.path.join(folder, "program")
            subprocess.run([OBJCOPY, "--remove-section", ".debug_aranges", PROGRAM, copy], check=True)
            lines = told(copy, "here")
        self.assertEqual(len(lines), 1, lines)
        self.expect_here(lines[0])

    def test_are_found_in_a_library_that_the_program_loads(self):
        lines = told(PROGRAM, "library", LIBRARY)
        self.assertEqual(len(lines), 1, lines)
        self.assertTrue(frames(lines[0])[1].endswith("/" + line_of("library.cpp", "library")), lines)

    def test_are_found_by_threads_at_once(self):
        lines = told(PROGRAM, "threads")
        self.assertEqual(sum(RULE + "helper" in line for line in lines), 1, lines)
        self.assertTrue(any("800 times in all: CHECK-STARTUP" in line for line in lines), lines)
        self.assertIn(line_of("program.cpp", "here"), lines[0])

    def test_are_found_by_a_child_of_fork(self):
        lines = told(PROGRAM, "child")
        self.assertTrue(any(line_of("program.cpp", "inlined") in line for line in lines), lines)

    def test_of_a_program_without_debug_information_have_the_function_and_the_offset(self):
        lines = told(PLAIN, "here")
        self.assertEqual(len(lines), 1, lines)
        name = re.escape(os.path.basename(PLAIN))
        self.assertRegex(frames(lines[0])[0], rf"^\(anonymous namespace\)::misuse_here\(\) in {name}\+0x[0-9a-f]+$")
        self.assertRegex(frames(lines[0])[-1], rf"^main in {name}\+0x[0-9a-f]+$")

    def test_of_a_stripped_program_are_offsets(self):
        with tempfile.TemporaryDirectory() as folder:
            copy = os.path.join(folder, "program")
            subprocess.run([OBJCOPY, "--strip-all", PLAIN, copy], check=True)
            lines = told(copy, "here")
        self.assertEqual(len(lines), 1, lines)
        for frame in frames(lines[0]):
            self.assertRegex(frame, r"^program\+0x[0-9a-f]+$")

    def test_ask_no_server_for_debug_information(self):
        # A closed port: a question would be refused at once, and would leave its folder.
        with tempfile.TemporaryDirectory() as folder:
            cache = os.path.join(folder, "cache")
            told(PLAIN, "here", DEBUGINFOD_URLS="http://127.0.0.1:9", DEBUGINFOD_CACHE_PATH=cache)
            self.assertFalse(os.path.exists(cache))


class WithoutLibdw(unittest.TestCase):
    def told(self, *arguments, library=b""):
        """The lines where libdw.so.1 is this file."""
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "libdw.so.1").write_bytes(library)
            return told(PROGRAM, *arguments, LD_LIBRARY_PATH=folder)

    def test_places_are_offsets_and_one_line_names_the_package(self):
        lines = self.told("inlined")
        self.assertEqual(len(lines), 2, lines)
        self.assertIn(RULE, lines[0])
        self.assertRegex(frames(lines[0])[0], rf"^{re.escape(os.path.basename(PROGRAM))}\+0x[0-9a-f]+$")
        self.assertIn(MISSING, lines[1])
        self.assertTrue(lines[1].endswith("; install libdw1 (elfutils)"), lines)

    def test_the_package_is_named_once(self):
        lines = self.told("threads")
        self.assertEqual(sum(MISSING in line for line in lines), 1, lines)

    def test_a_library_without_the_functions_is_as_good_as_none(self):
        lines = self.told("here", library=pathlib.Path(LIBRARY).read_bytes())
        self.assertIn("it has no dwfl_begin", lines[1])
        self.assertRegex(frames(lines[0])[0], r"\+0x[0-9a-f]+$")


class Libdw(unittest.TestCase):
    def test_is_loaded_by_a_diagnostic_alone(self):
        self.assertEqual(run(PROGRAM, "libdw").stdout, "libdw is not loaded\n")
        self.assertEqual(run(PROGRAM, "libdw", OPENND_CHECK="off").stdout, "libdw is not loaded\n")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
