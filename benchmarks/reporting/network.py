# SPDX-License-Identifier: MIT
"""Two hosts in one: network namespaces that a pair of virtual interfaces joins."""
import os
import shutil
import subprocess


class Network:
    """The constructor makes it, and raises OSError where that cannot be. close() removes it."""

    SIDES = "server", "client"

    def __init__(self, mtu):
        if self.absence():
            raise OSError(self.absence())
        self._names = [f"opennd-{os.getpid()}-{mtu}-{side}" for side in self.SIDES]
        ends = [f"nd{os.getpid() % 100000}{side[0]}" for side in self.SIDES]
        try:
            for name in self._names:
                self._ip("netns", "add", name)
            self._ip("-n", self._names[0], "link", "add", ends[0], "mtu", str(mtu), "type", "veth", "peer", "name", ends[1],
                     "netns", self._names[1], "mtu", str(mtu))
            for side, (name, end) in enumerate(zip(self._names, ends)):
                self._ip("-n", name, "address", "add", f"{self.address(side)}/30", "dev", end)
                for each in ("lo", end):
                    self._ip("-n", name, "link", "set", each, "up")
        except OSError:
            self.close()
            raise

    @staticmethod
    def absence():
        """Why there can be no network here; empty if there can."""
        if not shutil.which("ip"):
            return "ip is not installed (Debian: iproute2)"
        return "" if os.geteuid() == 0 else "network namespaces with a pair of interfaces need root"

    @staticmethod
    def address(side):
        return f"192.0.2.{side + 1}"

    def inside(self, side, words):
        """The command that runs `words` on this side."""
        return ["ip", "netns", "exec", self._names[side], *words]

    def close(self):
        for name in self._names:
            subprocess.run(["ip", "netns", "delete", name], stderr=subprocess.DEVNULL, check=False)

    @staticmethod
    def _ip(*words):
        done = subprocess.run(["ip", *words], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise OSError(f"ip {' '.join(words)}: {done.stderr.strip()}")
