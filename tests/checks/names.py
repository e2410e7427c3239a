#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every `Class::member` that a page names is there: the class has the member, or a class that it derives from. And so is every `Suite.Test`.
    names.py ROOT"""
import pathlib
import re
import sys

NAMED = re.compile(r"`((?:\w+::)*)(\w+)::(~?\w+)(?:\([^`]*\))?`")
CLASS = re.compile(r"^[ \t]*(?:template <[^\n]*>\n)?[ \t]*(?:class|struct|enum class|union)(?: \[\[[^\]]*\]\]| alignas\([^)]*\))? (\w+)(?: final)?(?: : ([^;{]*))?\s*\{", re.M)
TEST = re.compile(r"\b(?:TYPED_)?TEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\)")
NAMED_TEST = re.compile(r"`(\w+)\.([A-Z]\w+)`")
NO_TESTS = {"Overlapped.Internal"}  # a field, written as elsewhere
HISTORY = ("docs/decisions", "CHANGELOG.md")  # pages that say what was
# Names of other projects, and of targets of CMake; and COM's interfaces, which a macro declares for C too.
OTHERS = {"std", "testing", "OpenND", "CConn", "NdDualListenServer", "NdMValServer", "NdTestBase"}
INTERFACE = re.compile(r"I[A-Z]")


def definitions(root):
    """For each class the texts of the files that define it, and the names of its bases; and all texts."""
    texts, bases, all_texts = {}, {}, []
    for tree in ("src", "include", "cli", "companions", "tests", "examples", "benchmarks"):
        for path in (root / tree).rglob("*"):
            if path.suffix not in (".h", ".cpp", ".c"):
                continue
            text = path.read_text(errors="replace")
            all_texts.append(text)
            for found in CLASS.finditer(text):
                texts.setdefault(found[1], []).append(text)
                bases.setdefault(found[1], set()).update(re.findall(r"\w+", found[2] or ""))
    return texts, bases, all_texts


def has(name, member, texts, bases, seen=()):
    word = re.compile(rf"\b{re.escape(member.lstrip('~'))}\b")
    if any(word.search(text) for text in texts.get(name, ())):
        return True
    return any(has(base, member, texts, bases, (*seen, name)) for base in bases.get(name, ()) if base not in seen and base in texts)


def suites(root):
    """For each suite of tests the names of its tests."""
    tests = {}
    for path in (root / "tests").rglob("*.cpp"):
        for found in TEST.finditer(path.read_text(errors="replace")):
            tests.setdefault(found[1], set()).add(found[2])
    return tests


def main():
    root = pathlib.Path(sys.argv[1])
    texts, bases, all_texts = definitions(root)
    tests, tests_named = suites(root), 0
    namespaces = set(re.findall(r"\bnamespace (?:\w+::)*(\w+)", "\n".join(all_texts)))
    wrong, count = 0, 0
    pages = [page for page in root.glob("**/*.md") if page.relative_to(root).parts[0] in ("docs", "src", "tests", "README.md", "CONTRIBUTING.md")]
    for page in sorted(pages):
        place = page.relative_to(root).as_posix()
        if place.startswith(HISTORY):
            continue
        for number, line in enumerate(page.read_text().splitlines(), 1):
            for suite, test in NAMED_TEST.findall(line):
                if (suite in tests or suite.endswith("Test")) and f"{suite}.{test}" not in NO_TESTS:
                    tests_named += 1
                    if test not in tests.get(suite, ()):
                        wrong += 1
                        print(f"{place}:{number}: there is no test {suite}.{test}")
            for found in NAMED.finditer(line):
                outer, name, member = found[1].split("::")[0], found[2], found[3]
                if outer in OTHERS or name in OTHERS or INTERFACE.match(name) or name in namespaces and name not in texts:
                    continue
                count += 1
                of_function = name not in texts and any(name in text and member in text for text in all_texts)  # its static variable
                if not of_function and not has(name, member, texts, bases):
                    wrong += 1
                    print(f"{place}:{number}: {name} has no {member}")
    print(f"names: {count} members of classes and {tests_named} tests in pages, {wrong} of them not in the source")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
