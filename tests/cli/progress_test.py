#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`nd perf` on a terminal: a bar while it measures, which has gone when the row is printed."""
import re
import sys

sys.dont_write_bytecode = True
from terminals import OnTerminal, lines_shown  # noqa: E402

BAR = "send_lat 8 bytes ["


def main():
    with OnTerminal(sys.argv[1], "perf", "send_lat", "--self", "--duration", "1.5") as perf:
        perf.wait_for_text(re.escape(BAR) + r"#+\.*\] +\d+%")
        code = perf.end()
        while perf.read():
            pass
    lines = [line.rstrip() for line in lines_shown(perf.raw)]
    assert code == 0, lines
    assert not [line for line in lines if BAR in line], f"a bar is left: {lines}"
    heading = next(i for i, line in enumerate(lines) if line.split()[:2] == ["#bytes", "#iterations"])
    row = lines[heading + 2].split()
    assert row[0] == "8" and len(row) == 9, lines
    assert all(len(line) <= 80 for line in lines), lines


if __name__ == "__main__":
    main()
