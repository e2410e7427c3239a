#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The screens in docs/screens look as the commands print today: the same words, headings and columns; numbers, adapters and transports are
the host's of then. A screen begins with the command line that printed it. perf_report.html is a page of nd perf, and the pictures of
README.md are its first two.

    screens_test.py ND DOCS [--write]    --write: makes the screens, the page and the pictures anew; some minutes
"""
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from programs import run  # noqa: E402

NUMBER = re.compile(r"^[-+]?[\d.]+[%,;]?$")
PATH = re.compile(r"(transport \w+) \([^)]*\)")  # of bulk data, as the kernel lets it
FACT = re.compile(r"^ *([A-Z]+[a-z]\w*|INTERFACE|MTU)\b")
OF_THE_HOST = {"info.txt", "info_of_an_adapter.txt"}


def shape(lines):
    """Their words, with N for numbers, without bars. Lines of one shape that follow each other are one."""
    shapes = []
    for line in lines:
        words = ["N" if NUMBER.match(word) or word == "-" else word for word in PATH.sub(r"\1", line).split() if set(word) != {"#"}]
        if words not in shapes[-1:]:
            shapes.append(words)
    return shapes


def facts(lines):
    """The names of limits, and the headings of a table: the rest is the host's."""
    return [found[1] for line in lines if (found := FACT.match(line))]


def problems_of(screen, command, words, shown):
    done = run(command, *words)
    if done.returncode != 0:
        yield f"{screen}: {words}: {done}"
        return
    now = done.stdout.splitlines()
    if any(len(line) > 80 for line in [*now, *shown]):
        yield f"{screen}: a line has more than 80 columns"
    parts = facts if screen in OF_THE_HOST else shape
    if parts(shown) != parts(now):
        yield f"{screen}: nd {shlex.join(words)} prints something else now; tests/cli/screens_test.py ND docs --write\n{done.stdout}"


# The page has every benchmark over all sizes. Its host has no name.
REPORT = "perf all --self --transport shm --iters 2000 --report".split()
QUICK = "perf all --self --transport shm --iters 3 --warmup 1 --report".split()
PICTURES = ("latency.svg", "bandwidth.svg")


def write_report(command, path):
    subprocess.run(["unshare", "--uts", "sh", "-c", 'hostname host && exec "$@"', "sh", command, *REPORT, path], check=True,
                   stdout=subprocess.DEVNULL)


def style_of(page):
    return re.search(r"<style>\n(.*?)</style>", page, re.DOTALL)[1]


def pictures_of(page):
    """The first plots, each with the page's style and background, as files of their own."""
    style = f"<style>\n{style_of(page)}svg {{ background: var(--background); font-family: system-ui, sans-serif; }}\n</style>"
    return {name: re.sub(r"^<svg[^>]*>", lambda begin: begin[0] + style, plot, count=1) + "\n"
            for name, plot in zip(PICTURES, re.findall(r"<svg.*?</svg>", page, re.DOTALL))}


def outline_of(page):
    """Its headings, the names of columns and facts, and its style: the rest is of the run."""
    return re.findall(r"<(h1|h2|th)>(.*?)</", page), style_of(page)


def report_problems(command, docs):
    page = (docs / "screens/perf_report.html").read_text()
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "now.html"
        done = run(command, *QUICK, path)
        if done.returncode != 0:
            yield f"{QUICK}: {done}"
            return
        if outline_of(page) != outline_of(path.read_text()):
            yield "perf_report.html: the page looks otherwise now; tests/cli/screens_test.py ND docs --write"
    for name, picture in pictures_of(page).items():
        if (docs / "pictures" / name).read_text() != picture:
            yield f"{name} is not the plot of perf_report.html"


def main():
    command, docs, write = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:] == ["--write"]
    wrong, screens = [], sorted((docs / "screens").glob("*.txt"))
    assert len(screens) >= 5, screens
    for path in screens:
        prompt, *shown = path.read_text().splitlines()
        words = shlex.split(prompt.removeprefix("$ nd "))
        if write:
            path.write_text(f"{prompt}\n{run(command, *words).stdout}")
        else:
            wrong += problems_of(path.name, command, words, shown)
    if write:
        write_report(command, docs / "screens/perf_report.html")
        for name, picture in pictures_of((docs / "screens/perf_report.html").read_text()).items():
            (docs / "pictures" / name).write_text(picture)
    else:
        wrong += report_problems(command, docs)
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
