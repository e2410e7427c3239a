# SPDX-License-Identifier: MIT
"""Programs that a test runs, to their end or beside it."""
import contextlib
import os
import re
import subprocess
import time

DEADLINE_S = 60


def run(*words, **options):
    return subprocess.run(words, capture_output=True, text=True, timeout=DEADLINE_S, **options)


@contextlib.contextmanager
def running(*words, stdin=None, **environment):
    process = subprocess.Popen(words, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               env={**os.environ, **environment})
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def wait_for(condition, what):
    """Its first value that counts as true."""
    end = time.monotonic() + DEADLINE_S
    while time.monotonic() < end:
        if value := condition():
            return value
    raise AssertionError(f"within {DEADLINE_S} s: {what}")


def line_with(process, pattern):
    """The pattern's group in the first line that has it."""
    for line in process.stdout:
        if found := re.search(pattern, line):
            return found.group(1)
    raise AssertionError(f"no line has {pattern}")


def port_of(server):
    return line_with(server, r"port (\d+)")
