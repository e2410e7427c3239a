#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What docs/containers.md says of namespaces: a server in namespaces of its own is reached over shared memory where the network namespace
is one and the same, and private memory arrives whole. Without the right to make namespaces the test is skipped."""
import re
import sys

sys.dont_write_bytecode = True
from programs import port_of, run, running  # noqa: E402

NAMESPACES = {
    "of process numbers": ("--pid", "--fork", "--mount-proc", "--kill-child"),
    "of mounts, IPC and names": ("--mount", "--ipc", "--uts"),
    "of all but the network": ("--pid", "--fork", "--mount-proc", "--kill-child", "--ipc", "--uts", "--cgroup"),
}
SKIPPED = 77


def check(command, words, size):
    with running("unshare", *words, command, "ping", "--server", "--local", "127.0.0.1", "--port", "0") as server:
        done = run(command, "ping", f"127.0.0.1:{port_of(server)}", "--count", "2", "--size", size)
        assert done.returncode == 0, done
        assert re.search(r"connected to .* over shm", done.stdout), done
        assert "2 of 2 rounds verified, 0 failed" in done.stdout, done


def main():
    command = sys.argv[1]
    if run("unshare", "--pid", "--fork", "--mount-proc", "true").returncode != 0:
        print("this user may make no namespaces", file=sys.stderr)
        return SKIPPED
    for name, words in NAMESPACES.items():
        for size in ("64", "1M"):
            check(command, words, size)
        print(f"namespaces {name}: over shared memory")
    return 0


if __name__ == "__main__":
    sys.exit(main())
