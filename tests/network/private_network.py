# SPDX-License-Identifier: MIT
"""Network namespaces of a test's own, made without rights where user namespaces are allowed. Nothing outside changes.

enter() puts the running script into one; what it starts is in it too, and with its last process it is gone.
"""
import os
import subprocess
import sys

SKIPPED = 77  # the exit code that CTest is told to take for "skipped"
_INSIDE = "OPENND_TEST_NETWORK"
# As root of a user namespace of one's own; or, where those are refused, as the root that one is.
_WAYS = (["unshare", "--user", "--map-root-user", "--net", "--mount"], ["unshare", "--net", "--mount"])


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


def enter():
    """Runs this script again, from its beginning, in a namespace where only it is; returns there."""
    if os.environ.get(_INSIDE):
        run("ip", "link", "set", "lo", "up")
        return
    for way in _WAYS:
        try:
            refused = subprocess.run([*way, "ip", "link", "set", "lo", "up"], capture_output=True).returncode
        except FileNotFoundError:
            skip("unshare of util-linux is not installed")
        if not refused:
            os.environ[_INSIDE] = "1"
            os.execvp(way[0], [*way, sys.executable, *sys.argv])
    skip("this host lets no process have a network namespace, or has no ip of iproute2")


def run(*command):
    """What the command prints; it must succeed."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}: exit code {done.returncode}\n{done.stdout}")
    return done.stdout
