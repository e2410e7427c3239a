#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`nd ps` and `nd show` tell of running processes from outside: who listens, who is connected to whom and over which wire, who was
lost, and who does not answer."""
import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time

DEADLINE_S = 60


def report(command, *words):
    done = subprocess.run([command, *words, "--json"], capture_output=True, text=True, timeout=DEADLINE_S)
    return json.loads(done.stdout) if done.returncode == 0 else []


def of_process(command, pid):
    return next((each for each in report(command, "ps") if each["pid"] == pid), None)


def counts(command, pid, name):
    process = of_process(command, pid)
    return sum(each["counts"][name] for each in process["interfaces"]) if process else None


def wait_for(condition, what):
    end = time.monotonic() + DEADLINE_S
    while time.monotonic() < end:
        if condition():
            return
    raise AssertionError(f"within {DEADLINE_S} s: {what}")


@contextlib.contextmanager
def running(*words, **environment):
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env={**os.environ, **environment})
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def port_of(server):
    for line in server.stdout:
        if found := re.search(r"port (\d+)", line):
            return found.group(1)
    raise AssertionError("the server tells no port")


def check_connection(command, transport):
    with running(command, "perf", "--server", "--persist", "--local", "127.0.0.1", "--port", "0", "--transport", transport) as server:
        port = port_of(server)
        wait_for(lambda: any(each["pid"] == server.pid and each["listens"] for each in report(command, "show", "listen")),
                 "nd show listen has the server")
        with running(command, "perf", "send_lat", "127.0.0.1", "--port", port, "--transport", transport, "--size", "8",
                     "--iters", "100000000") as client:
            # One to measure, one to speak of it.
            wait_for(lambda: len(report(command, "show", "conn", str(client.pid))) == 2, "nd show conn has the client's connections")
            connection = report(command, "show", "conn", str(client.pid))[0]
            assert connection["wire"] == transport and connection["peer"] == f"127.0.0.1:{port}", connection
            assert connection.get("peer_pid") == (server.pid if transport == "shm" else None), connection
            assert ("tcp" in connection) == (transport == "iwarp"), connection
            text = subprocess.run([command, "show", "conn"], capture_output=True, text=True, timeout=DEADLINE_S).stdout
            assert re.search(rf"^ *{client.pid} +127\.0\.0\.1:\d+ +127\.0\.0\.1:{port} ", text, re.MULTILINE), text
            assert counts(command, server.pid, "active") == 2
            client.send_signal(signal.SIGKILL)
            client.wait()
            wait_for(lambda: counts(command, server.pid, "active") == 0, "the server's connections are gone")
            # TCP ends in order if nothing was on its way. The server may end the other one as soon as it has lost one.
            if transport == "shm":
                assert counts(command, server.pid, "errors") >= 1, "a killed client's connection is a lost one"


def check_silence(command):
    with running(command, "ping", "--server", "--local", "127.0.0.1", "--port", "0", OPENND_INSPECTION="off") as hidden:
        port_of(hidden)
        assert of_process(command, hidden.pid) is None
        done = subprocess.run([command, "show", "conn", str(hidden.pid)], capture_output=True, text=True, timeout=DEADLINE_S)
        assert done.returncode == 1 and "no such process" in done.stderr, done
    with running(command, "ping", "--server", "--local", "127.0.0.1", "--port", "0") as stopped:
        port_of(stopped)
        wait_for(lambda: of_process(command, stopped.pid), "nd ps has the server")
        stopped.send_signal(signal.SIGSTOP)
        answer = of_process(command, stopped.pid)
        assert "does not answer" in answer["refusal"], answer
        text = subprocess.run([command, "ps"], capture_output=True, text=True, timeout=DEADLINE_S).stdout
        assert f"process {stopped.pid}: it does not answer" in text, text


def main():
    command = sys.argv[1]
    for transport in ("shm", "iwarp"):
        check_connection(command, transport)
    check_silence(command)


if __name__ == "__main__":
    main()
