#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The plots in docs/pictures are what `nd` draws of the figures beside them; all pictures there have no ground of their own, and are read on a
light page and on a dark one.

    pictures_test.py ND SOURCE
"""
import pathlib
import re
import sys
import tempfile
import xml.etree.ElementTree as xml

sys.dont_write_bytecode = True
from programs import run  # noqa: E402

SVG = "{http://www.w3.org/2000/svg}"


def check_drawing(command, source):
    with tempfile.TemporaryDirectory() as folder:
        done = run(sys.executable, source / "benchmarks/pictures", "--nd", command, "--out", folder)
        assert done.returncode == 0, done
        drawn = sorted(pathlib.Path(folder).iterdir())
        assert [each.name for each in drawn] == ["bandwidth.svg", "latency.svg"], drawn
        for each in drawn:
            assert each.read_text() == (source / "docs/pictures" / each.name).read_text(), f"{each.name} is another; benchmarks/pictures draws it"


def check_ground(path):
    """Nothing is painted behind everything, and there are colours for dark pages."""
    picture = xml.parse(path).getroot()
    _, _, width, height = map(float, picture.get("viewBox").split())
    for each in picture.iter(f"{SVG}rect"):
        assert each.get("width") != "100%" and float(each.get("width")) * float(each.get("height")) < width * height / 2, (path, each.attrib)
    style = "".join(each.text for each in picture.iter(f"{SVG}style"))
    assert "prefers-color-scheme: dark" in style and not re.search(r"svg {[^}]*background", style), (path, style)


def main():
    command, source = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    check_drawing(command, source)
    pictures = sorted((source / "docs/pictures").glob("*.svg"))
    assert len(pictures) == 3, pictures
    for path in pictures:
        check_ground(path)


if __name__ == "__main__":
    main()
