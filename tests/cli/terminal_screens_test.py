#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The pictures in docs/screens/terminal are what a terminal of 80 and one of 120 columns shows, dark and light: nothing passes the edge,
and nothing is cut but notes of objects. Text that is the same on every host is compared as it is, of other text the words. A picture has
the lines of its screen as text, so that it can be made anew from itself.

    terminal_screens_test.py ND STUCK_PROGRAM FOLDER [--write]    --write: makes all of them anew, of this host
"""
import pathlib
import shlex
import subprocess
import sys

sys.dont_write_bytecode = True
from programs import running  # noqa: E402
from screen_pictures import SCHEMES, lines_of, picture, runs_of, text_of  # noqa: E402
from screen_shapes import facts, shape  # noqa: E402
from terminals import cells_shown, on_terminal  # noqa: E402

WIDTHS = (80, 120)
CUT = ".."
EXACT, SHAPE, FACTS, COUNT = (lambda lines: lines), shape, facts, len
# Tables of one line for each object, whose last column has notes. In 80 columns they are cut, and the width of numbers decides which of the
# other columns have room.
WITH_NOTES = {"show_conn", "show_qp"}
PROCESS = "PID"  # of the program that stands
# Name, words behind nd, what is compared.
SCREENS = (
    ("help", "--help", EXACT),
    ("perf_help", "perf --help", EXACT),
    ("explain", "explain ND_IO_TIMEOUT", EXACT),
    ("info", "info", FACTS),
    ("doctor", "doctor", lambda lines: []),
    ("perf", "perf write_lat --self --transport shm --report-histogram", SHAPE),
    ("show_conn", f"show conn {PROCESS}", SHAPE),
    ("show_qp", f"show qp {PROCESS}", SHAPE),
    ("show_mr", f"show mr {PROCESS}", SHAPE),
)


def shown(command, words, columns, pid):
    """Lists of runs, with the command line as the first; doctor's exit code may tell of this host."""
    typed = words.replace(PROCESS, pid)
    raw = on_terminal(command, *shlex.split(typed), columns=columns, codes=(0, 1))
    lines = [runs_of(cells) for cells in cells_shown(raw)]
    while lines and not lines[-1]:
        lines.pop()
    return [[("", f"$ nd {typed}")], *lines]


def is_narrow(name, columns):
    return name in WITH_NOTES and columns == WIDTHS[0]


def clipped(name, columns, lines):
    """The lines that a terminal would not show whole."""
    texts = [text_of(line) for line in lines]
    yield from (text for text in texts if len(text) > columns)
    if not is_narrow(name, columns):
        yield from (text for text in texts if text.endswith(CUT))


def path_of(folder, name, columns, scheme):
    return folder / f"{name}_{columns}_{scheme}.svg"


def problems_of(folder, name, compared, columns, now):
    kept = {scheme: lines_of(path_of(folder, name, columns, scheme).read_text()) for scheme in SCHEMES}
    for scheme, lines in kept.items():
        path = path_of(folder, name, columns, scheme)
        if path.read_text() != picture(lines, columns, scheme):
            yield f"{path.name} is not drawn as screen_pictures.py draws"
        yield from (f"{path.name}: '{text}' is cut" for text in clipped(name, columns, lines))
    if kept["dark"] != kept["light"]:
        yield f"{name}, {columns} columns: dark and light differ"
    texts, texts_now = ([text_of(line) for line in lines] for lines in (kept["dark"], now))
    if compared(texts) != compared(texts_now):
        yield f"{name}, {columns} columns, looks otherwise now; terminal_screens_test.py ... --write\n" + "\n".join(texts_now)


def main():
    command, stuck, folder, write = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]), sys.argv[4:] == ["--write"]
    wrong, known = [], set()
    with running(stuck, stdin=subprocess.PIPE) as program:
        assert program.stdout.readline() == "stuck\n"
        for name, words, compared in SCREENS:
            for columns in WIDTHS:
                now = shown(command, words, columns, str(program.pid))
                wrong += [f"nd {words}, {columns} columns: '{text}' is cut" for text in clipped(name, columns, now)]
                known |= {path_of(folder, name, columns, scheme) for scheme in SCHEMES}
                if write:
                    for scheme in SCHEMES:
                        path_of(folder, name, columns, scheme).write_text(picture(now, columns, scheme))
                else:
                    wrong += problems_of(folder, name, COUNT if is_narrow(name, columns) else compared, columns, now)
    wrong += [f"{path.name}: no screen has that name" for path in sorted(set(folder.glob("*.svg")) - known)]
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
