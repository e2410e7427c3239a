#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The screens in docs/screens look as the commands print today: the same words, headings and columns; numbers, adapters and transports are
the host's of then. A screen begins with the command line that printed it. perf_report.html is a page of nd perf.

    screens_test.py ND DOCS [--write]    --write: makes the screens and the page anew; some minutes
"""
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from programs import run  # noqa: E402
from screen_shapes import facts, shape  # noqa: E402

OF_THE_HOST = {"info_of_an_adapter.txt"}


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


# The page has every benchmark over all sizes, of fewer iterations than by default: half a minute. Its host has no name.
REPORT = "perf all --self --transport shm --iters 500 --report".split()
QUICK = "perf all --self --transport shm --iters 3 --warmup 1 --report".split()


def write_report(command, path):
    subprocess.run(["unshare", "--uts", "sh", "-c", 'hostname host && exec "$@"', "sh", pathlib.Path(command).resolve(), *REPORT, path.name],
                   check=True, stdout=subprocess.DEVNULL, cwd=path.parent)


def style_of(page):
    return re.search(r"<style>\n(.*?)</style>", page, re.DOTALL)[1]


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


def main():
    command, docs, write = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:] == ["--write"]
    wrong, screens = [], sorted((docs / "screens").glob("*.txt"))
    assert len(screens) >= 4, screens
    for path in screens:
        prompt, *shown = path.read_text().splitlines()
        words = shlex.split(prompt.removeprefix("$ nd "))
        if write:
            path.write_text(f"{prompt}\n{run(command, *words).stdout}")
        else:
            wrong += problems_of(path.name, command, words, shown)
    if write:
        write_report(command, docs / "screens/perf_report.html")
    else:
        wrong += report_problems(command, docs)
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
