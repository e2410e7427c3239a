#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The Debian packages name what the project has: every symbol of the libraries' lists, and the version of CMakeLists.txt."""
import pathlib
import re
import sys

LISTS = {
    "libopennd0": "src/library/opennd.map",
    "libopennd-windows0": "companions/windows/opennd_windows.map",
    "libopennd-wdm0": "companions/wdm/opennd_wdm.map",
}
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


def versioned_symbols(text):
    """A linker's list as names@VERSION, the version itself among them, as dpkg-gensymbols has it."""
    version = re.search(r"^(\w+) \{", text, re.MULTILINE).group(1)
    shown = re.search(r"global:(.*?)local:", COMMENT.sub("", text), re.DOTALL).group(1)
    return {f"{name}@{version}" for name in [version, *re.findall(r"[\w.]+(?=;)", shown)]}


def packaged_symbols(text):
    return {line.split()[0] for line in text.splitlines()[1:] if line.startswith(" ")}


def main(root):
    debian = root / "packaging/debian"
    wrong = []
    for package, listed in LISTS.items():
        expected = versioned_symbols((root / listed).read_text())
        found = packaged_symbols((debian / f"{package}.symbols").read_text())
        wrong += [f"packaging/debian/{package}.symbols lacks {name}" for name in sorted(expected - found)]
        wrong += [f"packaging/debian/{package}.symbols has {name}, {listed} does not" for name in sorted(found - expected)]
    version = re.search(r"^\s*VERSION (\S+)", (root / "CMakeLists.txt").read_text(), re.MULTILINE).group(1)
    packaged = re.match(r"opennd \((.+)-[^-]+\) ", (debian / "changelog").read_text())
    if packaged is None or packaged.group(1) != version:
        wrong.append(f"packaging/debian/changelog does not begin with version {version}, which CMakeLists.txt has")
    if f"\n## {version}" not in (root / "CHANGELOG.md").read_text():
        wrong.append(f"CHANGELOG.md has no section {version}")
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
