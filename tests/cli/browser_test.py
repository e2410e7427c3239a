#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A browser shows the page of `nd perf --report`: the lines of its pictures are there in their colours, and nothing was asked of a network.

    browser_test.py ND [PICTURE]    exit code 77 without chromium; PICTURE: keep the picture there
"""
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

sys.dont_write_bytecode = True
from programs import run  # noqa: E402

FIRST_LINE = (0x00, 0x72, 0xB2)  # on a light page
SECOND_LINE = (0xC6, 0x53, 0x00)
BROWSERS = ("chromium", "chromium-headless-shell", "chromium-browser", "google-chrome")


def pixels_of(png):
    """A set of its colours, each with the number of its pixels: 8 bits a sample, RGB or RGBA."""
    chunks, at = {}, 8
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at:at + 8])
        chunks[kind] = chunks.get(kind, b"") + png[at + 8:at + 8 + length]
        at += 12 + length
    width, height, depth, colour = struct.unpack(">IIBB", chunks[b"IHDR"][:10])
    assert depth == 8 and colour in (2, 6), (depth, colour)
    size = 3 if colour == 2 else 4
    data, stride, above, counts = zlib.decompress(chunks[b"IDAT"]), width * size, bytearray(width * size), {}
    for y in range(height):
        begin = y * (stride + 1)
        line = bytearray(data[begin + 1:begin + 1 + stride])
        unfilter(data[begin], line, above, size)
        for x in range(0, stride, size):
            pixel = tuple(line[x:x + 3])
            counts[pixel] = counts.get(pixel, 0) + 1
        above = line
    return counts


def unfilter(kind, line, above, size):
    for i in range(len(line)):
        left = line[i - size] if i >= size else 0
        corner = above[i - size] if i >= size else 0
        if kind == 1:
            line[i] = (line[i] + left) & 255
        elif kind == 2:
            line[i] = (line[i] + above[i]) & 255
        elif kind == 3:
            line[i] = (line[i] + (left + above[i]) // 2) & 255
        elif kind == 4:
            guess = left + above[i] - corner
            distances = (abs(guess - left), abs(guess - above[i]), abs(guess - corner))
            line[i] = (line[i] + (left, above[i], corner)[distances.index(min(distances))]) & 255


def browse(browser, folder, page, *words):
    options = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder / 'profile'}", "--host-resolver-rules=MAP * ~NOTFOUND",
               "--blink-settings=preferredColorScheme=1", *words, page.as_uri()]
    done = subprocess.run([browser, *options], capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done
    return done.stdout


def main():
    command, kept = sys.argv[1], sys.argv[2:]
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if not browser:
        print("no chromium here")
        return 77
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        page = folder / "perf.html"
        done = run(command, "perf", "read_lat", "--self", "--all", "--iters", "20", "--warmup", "5", "--report", page)
        assert done.returncode == 0, done
        shown = browse(browser, folder, page, "--dump-dom")
        assert shown.count("<svg") == page.read_text().count("<svg") > 1 and "parsererror" not in shown, shown[:2000]
        picture = folder / "perf.png"
        browse(browser, folder, page, f"--screenshot={picture}", "--window-size=1000,800")
        colours = pixels_of(picture.read_bytes())
        for line in (FIRST_LINE, SECOND_LINE):
            assert colours.get(line, 0) > 200, (line, sorted(colours.items(), key=lambda each: -each[1])[:10])
        for path in kept:
            shutil.copy(picture, path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
