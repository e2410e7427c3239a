#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Two hosts that meet as MPI libraries do: each publishes one address out of the library's list and connects to the other's.

    tests/network/two_hosts_test.py ND BUSINESS_CARD

Prints a line for each check. Exit code 77 where the host refuses a namespace.
Proves ND2-PRV-LIST-05, ND2-PRV-RES-03, ND2-CLI-72.
"""
import json
import pathlib
import subprocess
import sys

from private_network import enter
from wire import HERE, THERE, Wire

PICKS = ("first", "last_ipv4", "reversed", "lowest_id")
PATIENCE_S = 30


def meet(wire, program, pick):
    """Empty, or why they have not met."""
    starts = [[program, pick], wire.there(program, pick)]
    hosts = [subprocess.Popen(start, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
             for start in starts]
    cards = [host.stdout.readline() for host in hosts]
    said = []
    for host, card in zip(hosts, reversed(cards)):
        try:
            host.stdin.write(card)
            host.stdin.flush()
        except BrokenPipeError:
            pass  # it has ended, and its exit code is not 0
    for host in hosts:
        try:
            said.append(host.communicate(timeout=PATIENCE_S)[0])
        except subprocess.TimeoutExpired:
            host.kill()
            said.append(host.communicate()[0] + f"no end within {PATIENCE_S} s\n")
    if all(host.returncode == 0 for host in hosts):
        return ""
    return "".join(f"card {card.strip()}: {what.strip()}\n" for card, what in zip(cards, said))


def adapters(command):
    report = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return report["adapters"]


def addresses_of(adapter):
    return {each["address"] for each in adapter["addresses"]}


def check_adapters(wire, nd):
    """Empty, or what is wrong with the adapters that `nd info` lists on the two hosts."""
    here, there = adapters([nd, "info", "--json"]), adapters(wire.there(nd, "info", "--json"))
    for name, found, own in (("here", here, HERE), ("there", there, THERE)):
        if len(found) != 1 or not addresses_of(found[0]) >= set(own.values()):
            return f"{name}: expected one adapter with {own}, and no loopback; found {found}"
    again = adapters([nd, "info", "--json"])
    if again[0]["limits"]["AdapterId"] != here[0]["limits"]["AdapterId"]:
        return "another process of the host has another id for it"
    if here[0]["limits"]["AdapterId"] == there[0]["limits"]["AdapterId"]:
        return "the adapters of two hosts have one id"
    return ""


def main():
    nd, program = (pathlib.Path(name).absolute() for name in sys.argv[1:])
    enter()
    failures = 0
    with Wire(1500, loops=False) as wire:
        checks = [("an adapter an interface, loopback not listed", check_adapters(wire, nd))]
        checks += [(f"two hosts that publish {pick}", meet(wire, program, pick)) for pick in PICKS]
    for name, wrong in checks:
        print(f"{'FAIL' if wrong else 'PASS'}  {name}" + "".join(f"\n      {line}" for line in wrong.splitlines()))
        failures += bool(wrong)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
