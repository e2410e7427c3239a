#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every number of a document that names its constant, as in "16 KiB (`kLongCopyBytes`)", is the value of that constant in src.

A constant that several files define must have one value in all of them. `--needs N` fails if a document has fewer such numbers.
"""
import argparse
import pathlib
import re
import sys

CLAIM = re.compile(r"(?<![\w.,])(\d[\d,]*)(?:th)?(?:\s+(KiB|MiB|GiB|ns|us|ms|s))?\s+\(`(k[A-Z]\w*)`\)")
BYTES = {"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
NANOSECONDS = {"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9}
CHRONO = {"nanoseconds": 1, "microseconds": 10**3, "milliseconds": 10**6, "seconds": 10**9, "minutes": 60 * 10**9}
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
STATEMENT = re.compile(r"\bconstexpr\s+([\w:]+)\s+(k[A-Z][^;()]*(?:\([^;()]*\)[^;()]*)*);")
DEFINITION = re.compile(r"(k[A-Z]\w*)\s*(?:=\s*([^,{]*(?:\{[^}]*\}[^,{]*)*)|\{([^}]*)\})")


def value(kind, expression):
    """The number of an expression of literals, times in nanoseconds; None: it is something else."""
    unit = CHRONO.get(kind.split("::")[-1], 1)
    for name, length in CHRONO.items():
        expression, count = re.subn(rf"(?:std::chrono::)?{name}[({{]([\w' ]+)[)}}]", r"\1", expression)
        if count:
            unit = length
    expression = re.sub(r"std::\w+\{([\w']+)\}", r"\1", expression)
    expression = re.sub(r"(?<=[\da-fA-F])'(?=[\da-fA-F])|(?<=\d)[uUlLzZ]+\b", "", expression).strip()
    if not expression or not re.fullmatch(r"[\d\s+*<>()x-]+", expression):
        return None
    try:
        return eval(expression, {"__builtins__": {}}) * unit  # digits and operators alone
    except SyntaxError:
        return None


def constants(root):
    """The values of each constant of src."""
    found = {}
    for path in sorted((root / "src").rglob("*")):
        if path.suffix not in {".h", ".cpp"}:
            continue
        for kind, names in STATEMENT.findall(COMMENT.sub(" ", path.read_text(errors="replace"))):
            for name, assigned, braced in DEFINITION.findall(names):
                number = value(kind, assigned or braced)
                if number is not None:
                    found.setdefault(name, set()).add(number)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--needs", nargs=2, action="append", default=[], metavar=("DOCUMENT", "N"))
    arguments = parser.parse_args()
    values, wrong, seen = constants(arguments.root), [], {}
    for document in sorted((arguments.root / "docs").rglob("*.md")) + sorted((arguments.root / "src").rglob("*.md")):
        name = document.relative_to(arguments.root).as_posix()
        for number, unit, constant in CLAIM.findall(document.read_text()):
            seen[name] = seen.get(name, 0) + 1
            claimed = int(number.replace(",", "")) * BYTES.get(unit, 1) * NANOSECONDS.get(unit, 1)
            actual = values.get(constant, set())
            if actual != {claimed}:
                has = " or ".join(map(str, sorted(actual))) or "no value in src"
                wrong.append(f"{name}: {number} {unit}".rstrip() + f" ({constant}): the constant has {has}")
    for name, count in arguments.needs:
        if seen.get(name, 0) < int(count):
            wrong.append(f"{name}: {seen.get(name, 0)} numbers name their constants, {count} did")
    for line in wrong:
        print(line, file=sys.stderr)
    print(f"constants: {sum(seen.values())} numbers of documents, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
