#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A browser shows the page of `nd perf --report`: the lines of its plots are there in their colours, light and dark; on a phone nothing but
a table scrolls sideways, and the text of the plots is large enough; there the page of benchmarks/report, too. docs/screens has pictures of the page.

    browser_test.py ND SCREENS [--write]    exit code 77 without chromium; --write: takes the pictures of SCREENS/perf_report.html anew
"""
import html
import json
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

sys.dont_write_bytecode = True
TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path += [str(TESTS / "report"), str(TESTS.parent / "benchmarks")]
import sample  # noqa: E402
from programs import run  # noqa: E402
from reporting import page as report_page  # noqa: E402

LIGHT_LINES = ((0x00, 0x72, 0xB2), (0xC6, 0x53, 0x00))
DARK_LINES = ((0x56, 0xB4, 0xE9), (0xFF, 0x8A, 0x3D))
PHONE = 390  # points
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


LIGHT, DARK = 1, 0  # as the browser has preferredColorScheme


def browse(browser, page, *words, scheme=LIGHT):
    with tempfile.TemporaryDirectory() as profile:
        options = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
                   "--disable-component-update", "--disable-sync", "--hide-scrollbars", f"--user-data-dir={profile}",
                   "--host-resolver-rules=MAP * ~NOTFOUND", f"--blink-settings=preferredColorScheme={scheme}", *words, page.as_uri()]
        done = subprocess.run([browser, *options], capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done
    return done.stdout


def shoot(browser, page, picture, width, height, scheme=LIGHT):
    browse(browser, page, f"--screenshot={picture}", f"--window-size={width},{height}", scheme=scheme)


def check_colours(browser, folder, page):
    shown = browse(browser, page, "--dump-dom")
    assert shown.count("<svg") == page.read_text().count("<svg") > 1 and "parsererror" not in shown, shown[:2000]
    for scheme, lines, ground in ((LIGHT, LIGHT_LINES, (255, 255, 255)), (DARK, DARK_LINES, (0x16, 0x18, 0x1C))):
        picture = folder / "perf.png"
        shoot(browser, page, picture, 1000, 1300, scheme)
        colours = pixels_of(picture.read_bytes())
        assert max(colours, key=colours.get) == ground, (scheme, max(colours, key=colours.get))
        for line in lines:
            assert colours.get(line, 0) > 200, (line, sorted(colours.items(), key=lambda each: -each[1])[:10])


# The page in a frame as wide as a phone, and what a reader would notice.
FRAME = """<!DOCTYPE html><html><body><iframe id="frame" width="{width}" height="844" srcdoc="{page}"></iframe><pre id="seen"></pre><script>
frame.onload = () => {{
    const page = frame.contentDocument, root = page.documentElement, right = box => Math.ceil(box.getBoundingClientRect().right);
    seen.textContent = JSON.stringify({{
        width: root.clientWidth, scrolls: root.scrollWidth,
        boxes: Math.max(...[...page.querySelectorAll('.wide, figure')].map(right)),
        letters: Math.min(...[...page.querySelectorAll('svg')].filter(each => each.clientWidth).map(each =>
            each.getBoundingClientRect().width / each.viewBox.baseVal.width * 14)),
    }});
}};
</script></body></html>"""


def check_phone(browser, folder, page):
    framed = folder / "framed.html"
    framed.write_text(FRAME.format(width=PHONE, page=html.escape(page.read_text())))
    shown = browse(browser, framed, "--dump-dom", "--virtual-time-budget=10000")
    seen = json.loads(html.unescape(re.search(r'<pre id="seen">(.*?)</pre>', shown)[1]))
    assert PHONE - 20 <= seen["width"] <= PHONE, seen  # beside a bar to scroll
    assert seen["scrolls"] <= seen["width"] and seen["boxes"] <= seen["width"], f"the page is wider than a phone: {seen}"
    assert seen["letters"] >= 10, f"the plots' text is too small: {seen}"


# Name, width, height, scheme: of perf_report.html.
PICTURES = (("page_desktop.png", 1100, 1150, LIGHT), ("page_phone.png", PHONE, 1500, LIGHT), ("page_dark.png", 1000, 1050, DARK))


def check_pictures(folder):
    for name, width, height, _ in PICTURES:
        png = (folder / name).read_bytes()
        assert struct.unpack(">II", png[16:24]) == (width, height), name
        assert len(png) < 150_000, (name, len(png))


def main():
    command, screens, write = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:] == ["--write"]
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if not browser:
        check_pictures(screens)
        print("no chromium here: the page was not looked at")
        return 77
    if write:
        for name, width, height, scheme in PICTURES:
            shoot(browser, (screens / "perf_report.html").resolve(), screens / name, width, height, scheme)
    check_pictures(screens)
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        page = folder / "perf.html"
        for test in ("write_bw", "read_lat"):
            done = run(command, "perf", test, "--self", "--all", "--iters", "20", "--warmup", "5", "--report", page)
            assert done.returncode == 0, done
            check_phone(browser, folder, page)
        check_colours(browser, folder, page)
        page.write_text(report_page.page(sample.sample(), command))
        check_phone(browser, folder, page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
