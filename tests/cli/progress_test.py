#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`nd perf` on a terminal: a bar while it warms up and measures, which has gone when the row is printed, and a word at once where memory
takes long."""
import re
import sys

sys.dont_write_bytecode = True
from terminals import OnTerminal, lines_shown  # noqa: E402

BAR = "send_lat 8 bytes ["


def lines_left(perf):
    code = perf.end()
    while perf.read():
        pass
    lines = [line.rstrip() for line in lines_shown(perf.raw)]
    assert code == 0, lines
    assert not [line for line in lines if " [#" in line or " [." in line], f"a bar is left: {lines}"
    assert all(len(line) <= 80 for line in lines), lines
    return lines


def check_bars(command):
    """Each turn takes two delays, so that the warm-up takes a second on any machine."""
    with OnTerminal(command, "perf", "send_lat", "--self", "--warmup", "400", "--duration", "1", OPENND_FAULTS="wire:delay=2ms") as perf:
        perf.wait_for_text(re.escape(BAR) + r"#+\.*\] +\d+%")
        assert re.search(r"send_lat 8 bytes: warming up \[#+\.*\] +\d+%", perf.text()), perf.text()
        lines = lines_left(perf)
    heading = next(i for i, line in enumerate(lines) if line.split()[:2] == ["#bytes", "#iterations"])
    row = lines[heading + 2].split()
    assert row[0] == "8" and len(row) == 9, lines


def check_huge_operations(command):
    """Of a stream all are posted at once, and each takes long."""
    with OnTerminal(command, "perf", "write_bw", "--self", "--size", "352M", "--iters", "2") as perf:
        assert lines_left(perf)[-2].split()[:2] == ["369098752", "2"]
    assert "write_bw 369098752 bytes: preparing memory" in perf.text(), perf.text()


def main():
    check_bars(sys.argv[1])
    check_huge_operations(sys.argv[1])


if __name__ == "__main__":
    main()
