# SPDX-License-Identifier: MIT
"""Two hosts with two interfaces each, all in one subnet, in the namespace of private_network.py: rail 0 and rail 1.

Either each rail has a wire of its own (two switches that know nothing of each other), or all four interfaces hang on one switch.
"""
import json
import subprocess

from private_network import run

HERE = {4: ("10.9.0.1", "10.9.0.2"), 6: ("fd09::1", "fd09::2")}
THERE = {4: ("10.9.0.101", "10.9.0.102"), 6: ("fd09::101", "fd09::102")}
RAILS = (0, 1)
_PREFIX = {4: "/24", 6: "/64"}


class Rails:
    """with Rails(one_switch) as rails: ...

    With one switch and `strict` each host answers for an address (ARP) by the interface that has it, as guides to several
    NICs in one subnet ask for; otherwise by any, as Linux does by default.
    """

    def __init__(self, one_switch=False, strict=True):
        self._one_switch, self._strict = one_switch, strict
        self._spaces = []

    def __enter__(self):
        self._there = self._make_space()
        if self._one_switch:
            switch = self._make_space()
            self._in(switch, "ip", "link", "add", "switch", "type", "bridge")
            self._in(switch, "ip", "link", "set", "switch", "up")
        for rail in RAILS:
            if not self._one_switch:
                run("ip", "link", "add", f"here{rail}", "type", "veth", "peer", "name", f"there{rail}", "netns",
                    str(self._there.pid))
                continue
            for name, space in ((f"here{rail}", None), (f"there{rail}", self._there)):
                port = f"to-{name}"
                run("ip", "link", "add", name, "type", "veth", "peer", "name", port, "netns", str(switch.pid))
                self._in(switch, "ip", "link", "set", port, "master", "switch", "up")
                if space:
                    run("ip", "link", "set", name, "netns", str(space.pid))
        for where, name, addresses in ((run, "here", HERE), (self.run_there, "there", THERE)):
            self._settle(where)
            for rail in RAILS:
                # Without detection of duplicates, so that a link-local address serves at once.
                where("sysctl", "-qw", f"net.ipv6.conf.{name}{rail}.accept_dad=0")
                where("ip", "link", "set", f"{name}{rail}", "up")
                for family in (4, 6):
                    nodad = ["nodad"] if family == 6 else []
                    where("ip", "address", "add", addresses[family][rail] + _PREFIX[family], "dev", f"{name}{rail}", *nodad)
        return self

    def __exit__(self, *_):
        for space in self._spaces:
            space.terminate()
            space.wait()
        for rail in RAILS:
            subprocess.run(["ip", "link", "del", f"here{rail}"], check=False, capture_output=True)

    def _make_space(self):
        space = subprocess.Popen(["unshare", "--net", "sh", "-c", "ip link set lo up; echo made; exec sleep infinity"],
                                 stdout=subprocess.PIPE, text=True)
        space.stdout.readline()
        self._spaces.append(space)
        return space

    def _settle(self, where):
        strict = ("ipv4.conf.all.arp_ignore=1", "ipv4.conf.all.arp_announce=2") if self._strict else ()
        for setting in ("ipv4.conf.all.rp_filter=0", "ipv4.conf.default.rp_filter=0", "ipv6.conf.all.accept_dad=0", *strict):
            where("sysctl", "-qw", "net." + setting)

    @staticmethod
    def _in(space, *command):
        return run("nsenter", f"--net=/proc/{space.pid}/ns/net", *command)

    def there(self, *command):
        """The command as it is to be run on the other host."""
        return ["nsenter", f"--net=/proc/{self._there.pid}/ns/net", *map(str, command)]

    def run_there(self, *command):
        return run(*self.there(*command))

    @staticmethod
    def sent_here():
        """Octets that each rail of this host has sent."""
        return [_link(run, f"here{rail}")["stats64"]["tx"]["bytes"] for rail in RAILS]

    def sent_there(self):
        return [_link(self.run_there, f"there{rail}")["stats64"]["tx"]["bytes"] for rail in RAILS]

    def link_local(self, rail, there=False):
        """Without a scope."""
        where, name = (self.run_there, f"there{rail}") if there else (run, f"here{rail}")
        found = json.loads(where("ip", "-j", "-6", "address", "show", "dev", name, "scope", "link"))
        return next(each["local"] for link in found for each in link.get("addr_info", []) if "local" in each)


def _link(where, name):
    return json.loads(where("ip", "-s", "-j", "link", "show", name))[0]
