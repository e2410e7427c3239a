#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A server of `nd` gives a client no more memory than its --client-memory, whatever it is asked for, and goes on to serve."""
import re
import subprocess
import sys

LIMIT = 1 << 20


class Server:
    def __init__(self, nd, command):
        self.process = subprocess.Popen([nd, command, "--server", "--persist", "--port", "0", "--local", "127.0.0.1",
                                         "--client-memory", str(LIMIT)], stdout=subprocess.PIPE, text=True)
        self.port = re.search(r"port (\d+)", self.process.stdout.readline()).group(1)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def largest(self):
        """Bytes that it ever had in memory."""
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
            return 1024 * int(re.search(r"VmHWM:\s+(\d+)", status.read()).group(1))


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout + done.stderr


def problems_of_ping(nd, hostile):
    with Server(nd, "ping") as server:
        before = server.largest()
        for size in (2**64 - 1, 2**64 - 4096, 2**63, 1 << 40, 1 << 30, LIMIT + 1, 0):
            code, text = run(hostile, server.port, str(size))
            if code != 0:
                yield f"ping: a client that asks for {size} bytes is not refused: {text}"
        if server.largest() > before + 16 * LIMIT:
            yield f"ping: the server has grown by {server.largest() - before} bytes"
        code, text = run(nd, "ping", "127.0.0.1", "-p", server.port, "-c", "1", "-s", str(LIMIT))
        if code != 0 or "1 of 1 rounds verified" not in text:
            yield f"ping: the server does not serve any more: {text}"


def problems_of_perf(nd):
    with Server(nd, "perf") as server:
        common = ["-p", server.port, "--iters", "10", "--warmup", "0"]
        code, text = run(nd, "perf", "write_bw", "127.0.0.1", *common, "-s", "4M")
        if code == 0 or "--client-memory" not in text:
            yield f"perf: a client that asks for three times 4 MiB is not refused: {text}"
        code, text = run(nd, "perf", "write_bw", "127.0.0.1", *common, "-s", "4K")
        if code != 0:
            yield f"perf: the server does not serve any more: {text}"


def main(nd, hostile):
    found = [*problems_of_ping(nd, hostile), *problems_of_perf(nd)]
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
