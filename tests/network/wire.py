# SPDX-License-Identifier: MIT
"""A wire to test over, in the namespace of private_network.py: a veth pair to a second namespace, which sends what comes
back to where it came from. So packets of this host to itself leave it, cross the wire twice, and come in from outside.
"""
import json
import subprocess

from bad_wire import BadWire
from private_network import run

HERE = {4: "10.9.0.1", 6: "fd09::1"}
THERE = {4: "10.9.0.254", 6: "fd09::fe"}
_NEAR, _FAR = "near", "far"
_TABLE = "100"


class CannotSpoil(Exception):
    """Neither the kernel's netem nor a tap device is to be had here."""


class Wire:
    """with Wire(mtu) as wire: ... ; with `loops` what is for this host goes out as well.

    `spoiled`, in netem's words ("delay 2ms loss 1%"), is what happens to packets from there to here; `spoiler` tells
    who does it, the kernel's netem or bad_wire.py. CannotSpoil: nobody can.
    """

    def __init__(self, mtu, loops=True, spoiled=None):
        self._mtu, self._loops, self._spoiled = str(mtu), loops, spoiled
        self._bad_wire = None
        self.spoiler = None

    def __enter__(self):
        self._far_side = subprocess.Popen(["unshare", "--net", "sh", "-c", "echo made; exec sleep infinity"],
                                          stdout=subprocess.PIPE, text=True)
        self._far_side.stdout.readline()
        self._make_ends()
        self.run_there("ip", "link", "set", "lo", "up")
        for where, name, addresses in ((run, _NEAR, HERE), (self.run_there, _FAR, THERE)):
            where("ip", "link", "set", name, "mtu", self._mtu, "up")
            where("ip", "address", "add", addresses[4] + "/24", "dev", name)
            where("ip", "address", "add", addresses[6] + "/64", "dev", name, "nodad")
        if self._loops:
            self._turn_back()
        return self

    def __exit__(self, *_):
        if self._loops:
            for family in ("-4", "-6"):
                run("ip", family, "rule", "add", "pref", "0", "lookup", "local")
                run("ip", family, "rule", "del", "pref", "10")
                run("ip", family, "rule", "del", "pref", "20")
        self._end_far_side()
        if self._bad_wire:
            self._bad_wire.close()
        subprocess.run(["ip", "link", "del", _NEAR], check=False, capture_output=True)  # gone with its other end

    def _make_ends(self):
        if self._spoiled and not _has_netem():
            try:
                self._bad_wire = BadWire(_NEAR, _FAR, self._spoiled)
            except OSError as refusal:
                self._end_far_side()
                raise CannotSpoil(f"no netem in this kernel, and no tap device: {refusal}") from refusal
            self.spoiler = "user space"
            run("ip", "link", "set", _FAR, "netns", str(self._far_side.pid))
            return
        run("ip", "link", "add", _NEAR, "type", "veth", "peer", "name", _FAR, "netns", str(self._far_side.pid))
        if self._spoiled:
            self.run_there("tc", "qdisc", "replace", "dev", _FAR, "root", "netem", *self._spoiled.split())
            self.spoiler = "netem"

    def _end_far_side(self):
        self._far_side.terminate()
        self._far_side.wait()

    def _turn_back(self):
        for setting in ("ipv4.ip_forward=1", "ipv6.conf.all.forwarding=1", f"ipv4.conf.{_FAR}.send_redirects=0",
                        "ipv4.conf.all.send_redirects=0", "ipv4.conf.all.rp_filter=0", f"ipv4.conf.{_FAR}.rp_filter=0"):
            self.run_there("sysctl", "-qw", "net." + setting)
        for setting in (f"ipv4.conf.{_NEAR}.accept_local=1", "ipv4.conf.all.rp_filter=0",
                        f"ipv4.conf.{_NEAR}.rp_filter=0", f"ipv4.conf.{_NEAR}.accept_redirects=0",
                        "ipv6.conf.all.accept_redirects=0", f"ipv6.conf.{_NEAR}.accept_redirects=0"):
            run("sysctl", "-qw", "net." + setting)
        for family in (4, 6):
            ip = ["ip", f"-{family}"]
            run(*ip, "route", "add", "default", "via", THERE[family], "dev", _NEAR, "table", _TABLE)
            # Packets from here go out before the local table claims them.
            run(*ip, "rule", "add", "pref", "10", "iif", "lo", "to", HERE[family], "lookup", _TABLE)
            run(*ip, "rule", "add", "pref", "20", "lookup", "local")
            run(*ip, "rule", "del", "pref", "0")

    def there(self, *command):
        """The command as it is to be run on the other side."""
        return ["nsenter", f"--net=/proc/{self._far_side.pid}/ns/net", *map(str, command)]

    def run_there(self, *command):
        return run(*self.there(*command))

    def octets(self):
        """That have gone out."""
        return json.loads(run("ip", "-s", "-j", "link", "show", _NEAR))[0]["stats64"]["tx"]["bytes"]


def _has_netem():
    probe = ["tc", "qdisc", "replace", "dev", "lo", "root", "netem", "delay", "0ms"]
    try:
        if subprocess.run(probe, check=False, capture_output=True).returncode:
            return False
    except FileNotFoundError:  # no tc
        return False
    run("tc", "qdisc", "del", "dev", "lo", "root")
    return True
