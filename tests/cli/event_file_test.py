#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""With OPENND_DUMP_TO, SIGUSR2 makes a process write its last events to a file, as `nd dump` prints them; it goes on in any case."""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from programs import line_with, port_of, run, running, wait_for  # noqa: E402

LINE = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}[+-]\d{4} \d+ (error|warning|info): .+")


def server_with(command, place, **environment):
    return running(command, "perf", "--server", "--persist", "--local", "127.0.0.1", "--port", "0", "--transport", "shm",
                   OPENND_DUMP_TO=str(place), **environment)


def connect_once(command, port):
    done = run(command, "perf", "send_lat", "127.0.0.1", "--port", port, "--transport", "shm", "--iters", "10")
    assert done.returncode == 0, done


def events_of(command, pid):
    return json.loads(run(command, "dump", str(pid), "--json").stdout)["events"]


def written(place):
    """Its lines, once they are there."""
    return wait_for(lambda: place.exists() and place.read_text().splitlines(), f"{place} is written")


def check_file(command, folder):
    with server_with(command, folder / "of %p") as server:
        port = port_of(server)
        place = folder / f"of {server.pid}"
        connect_once(command, port)
        server.send_signal(signal.SIGUSR2)
        first = written(place)
        assert all(LINE.fullmatch(line) for line in first) and any("up: this side accepted; over shm" in line for line in first), first
        assert place.stat().st_mode & 0o777 == 0o600, "nobody else reads it"
        told = [each["text"] for each in events_of(command, server.pid)]
        assert [line.split(": ", 1)[1] for line in first] == told[:len(first)], (first, told)
        # A second one replaces it, and the process goes on.
        place.unlink()
        connect_once(command, port)
        server.send_signal(signal.SIGUSR2)
        assert len(written(place)) > len(first)
        assert list(folder.iterdir()) == [place] and server.poll() is None


def check_file_of_another_user(command, folder):
    """Its owner may read or withdraw it whenever it likes: it stays as it is."""
    if os.geteuid() != 0:
        return print("only root can make a file of another user: it was not tried")
    folder = folder / "shared"
    folder.mkdir()
    place = folder / "foreign"
    place.write_text("content")
    os.chown(place, 12345, 12345)
    with server_with(command, place, OPENND_LOG="warn") as server:
        port_of(server)
        server.send_signal(signal.SIGUSR2)
        line_with(server, r"(OPENND_DUMP_TO: cannot write .*foreign)")
    assert place.read_text() == "content" and list(folder.iterdir()) == [place]


def check_refusals(command, folder):
    with server_with(command, folder / "missing" / "file", OPENND_LOG="warn") as server:
        port = port_of(server)
        server.send_signal(signal.SIGUSR2)
        wait_for(lambda: "No such file" in server.stdout.readline(), "the log tells why there is no file")
        connect_once(command, port)


def check_program_with_a_handler(command, folder):
    place = folder / "never"
    ignoring = subprocess.Popen([command, "ping", "--server", "--local", "127.0.0.1", "--port", "0"], stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True, env={**os.environ, "OPENND_DUMP_TO": str(place), "OPENND_LOG": "warn"},
                                preexec_fn=lambda: signal.signal(signal.SIGUSR2, signal.SIG_IGN))
    with ignoring:
        wait_for(lambda: "the program handles SIGUSR2 itself" in ignoring.stdout.readline(), "the log says that there will be no file")
        port_of(ignoring)
        ignoring.send_signal(signal.SIGUSR2)
        assert events_of(command, ignoring.pid) is not None and not place.exists()
        ignoring.kill()


def main():
    command = sys.argv[1]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_file(command, folder)
        check_file_of_another_user(command, folder)
        check_refusals(command, folder)
        check_program_with_a_handler(command, folder)


if __name__ == "__main__":
    main()
