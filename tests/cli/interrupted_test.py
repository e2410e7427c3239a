#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Ctrl-C and SIGTERM: `nd perf` writes what it measured until then and marks it, `nd ping` blames nobody."""
import csv
import fcntl
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import struct
import sys
import tempfile
import termios
import xml.etree.ElementTree as xml

sys.dont_write_bytecode = True
from programs import DEADLINE_S, wait_for  # noqa: E402
from terminals import OnTerminal  # noqa: E402

HTML = "{http://www.w3.org/1999/xhtml}"
EXITS = {signal.SIGINT: 130, signal.SIGTERM: 143}
SIGNALS = tuple(EXITS)


def files_in(folder):
    return {name: folder / f"perf.{name}" for name in ("json", "csv", "html")}


def options_of(files):
    return "--json", "--output", files["json"], "--csv", files["csv"], "--report", files["html"]


def rows_of(files):
    with files["csv"].open(newline="") as file:
        return list(csv.DictReader(file))


def facts_of(files):
    page = xml.fromstring(files["html"].read_text().removeprefix("<!DOCTYPE html>\n"))
    return [cell.text for cell in page.iter(HTML + "th")]


def check_point_is_marked(command, folder, number):
    """The signal goes to the server too, as a terminal and timeout(1) send it."""
    files = files_in(folder)
    with OnTerminal(command, "perf", "send_bw", "--self", "--duration", "600", *options_of(files)) as perf:
        perf.wait_for_text(re.escape("send_bw 65536 bytes [") + r".*%")
        os.killpg(perf.process.pid, number)
        assert perf.end() == EXITS[number], perf.text()
    document = json.loads(files["json"].read_text())
    (result,) = document["results"]
    assert not document["complete"] and result["interrupted"] and result["iterations"] > 0, document
    assert result["bandwidth"]["peak_bytes_per_second"] >= result["bandwidth"]["average_bytes_per_second"] * (1 - 1e-9) > 0, result
    (row,) = rows_of(files)
    assert row["interrupted"] == "yes" and int(row["iterations"]) == result["iterations"], row
    assert "not complete" in facts_of(files), facts_of(files)
    assert "interrupted: the row has what was measured until then" in perf.text(), perf.text()


def check_earlier_points_are_kept(command, folder, number):
    files = files_in(folder)
    with OnTerminal(command, "perf", "send_lat", "--self", "-a", "--duration", "1.5", *options_of(files)) as perf:
        perf.wait_for_text(re.escape("send_lat 2 bytes [") + r".*%")
        perf.process.send_signal(number)
        assert perf.end() == EXITS[number], perf.text()
    document = json.loads(files["json"].read_text())
    results, rows = document["results"], rows_of(files)
    assert not document["complete"] and len(rows) == len(results) > 0, document
    assert results[0]["size_bytes"] == 1 and all(result["iterations"] > 0 for result in results), results
    assert not any(result["interrupted"] for result in results[:-1]), results


def check_endless_run_has_rows_until_then(command, folder, number):
    files = files_in(folder)
    words = (command, "perf", "write_lat", "--self", "--run_infinitely", "--duration", "0.2", *options_of(files))
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        lines = [process.stdout.readline() for _ in range(6)]  # title, two lines of heading, three rows
        process.send_signal(number)
        output, errors = process.communicate(timeout=DEADLINE_S)
    assert process.returncode == EXITS[number] and not errors, (process.returncode, errors)
    assert [line.split()[0] for line in lines[3:]] == ["8"] * 3 and "#bytes" not in output, (lines, output)
    results = json.loads(files["json"].read_text())["results"]
    assert len(results) >= 3 and not any(result["interrupted"] for result in results[:3]), results


def processor_time_s(process):
    user, system = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def check_warm_up_is_no_row(command, folder, number):
    files = files_in(folder)
    words = (command, "perf", "send_lat", "--self", "--warmup", "4000000000", *options_of(files))
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        wait_for(lambda: processor_time_s(process) > 0.5, "the warm-up goes on")
        process.send_signal(number)
        output, errors = process.communicate(timeout=DEADLINE_S)
    assert process.returncode == EXITS[number] and not output and not errors, (process.returncode, output, errors)
    document = json.loads(files["json"].read_text())
    assert not document["complete"] and not document["results"] and not rows_of(files), document
    assert "not complete" in facts_of(files), facts_of(files)


def check_no_empty_file_is_left(command, folder, number):
    """A server that never answers; nothing is measured, and nothing written."""
    files = files_in(folder)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        words = (command, "perf", "send_lat", f"127.0.0.1:{silent.getsockname()[1]}", "--transport", "iwarp", *options_of(files))
        with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            assert process.stderr.readline().startswith("connecting to "), process
            process.send_signal(number)
            output, _ = process.communicate(timeout=DEADLINE_S)
    assert process.returncode == EXITS[number] and not output, (process.returncode, output)
    assert not [file for file in files.values() if file.exists()], files


def is_full(pipe):
    waiting = struct.unpack("i", fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)))[0]
    return waiting >= fcntl.fcntl(pipe, fcntl.F_GETPIPE_SZ) - 4096


def check_slow_reader_gets_all(command, number):
    """The signal finds `nd` in the middle of a write that waits for the reader."""
    words = (command, "ping", "--self", "--count", "4000000000")
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        wait_for(lambda: is_full(process.stdout), "nd waits for its reader")
        process.send_signal(number)
        output, errors = process.communicate(timeout=DEADLINE_S)
    assert process.returncode == EXITS[number] and not errors, (process.returncode, errors)
    rounds = [int(line.split()[1].rstrip(":")) for line in output.splitlines() if line.startswith("round ")]
    assert rounds == list(range(1, len(rounds) + 1)), "no line is lost"


def check_ping_blames_nobody(command, number, whole_group, *side):
    words = (command, "ping", *side, "--self", "--count", "4000000000")
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
        while not process.stdout.readline().startswith("round 3:"):
            assert process.poll() is None
        if whole_group:
            os.killpg(process.pid, number)
        else:
            process.send_signal(number)
        output, errors = process.communicate(timeout=DEADLINE_S)
    assert process.returncode == EXITS[number] and not errors, (process.returncode, errors)
    assert re.search(r"\d+ of 4000000000 rounds verified, 0 failed", output.splitlines()[-1]), output.splitlines()[-3:]


def main():
    command = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        check_endless_run_has_rows_until_then(command, pathlib.Path(folder), signal.SIGINT)
    for number in SIGNALS:
        for check in (check_point_is_marked, check_earlier_points_are_kept, check_warm_up_is_no_row, check_no_empty_file_is_left):
            with tempfile.TemporaryDirectory() as folder:
                check(command, pathlib.Path(folder), number)
        check_slow_reader_gets_all(command, number)
        for whole_group in (False, True):
            check_ping_blames_nobody(command, number, whole_group)
            check_ping_blames_nobody(command, number, whole_group, "--rping")


if __name__ == "__main__":
    main()
