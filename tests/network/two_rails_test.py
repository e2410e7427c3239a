#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Two hosts with two interfaces each in one subnet: traffic leaves by the interface of its adapter, and own addresses are reached.

    tests/network/two_rails_test.py ND [--short]

Prints a line for each check. Exit code 77 where the host refuses a namespace.
Proves ND2-PRV-RES-03, ND2-CON-CONN-05, ND2-CON-CONN-08.
"""
import argparse
import os
import pathlib
import subprocess
import sys

from private_network import enter
from rails import HERE, RAILS, THERE, Rails

MESSAGES, OCTETS = 40, 50_000
# Neighbour discovery and the like; a message that took the other rail is more.
QUIET = OCTETS // 2
PATIENCE_S = 60
OVER_TCP = os.environ | {"OPENND_TRANSPORT": "iwarp"}


def exchange(nd, server, client, environment=None):
    """A server's command prefix and address, a client's likewise: exit code 0 of both, and the words of both."""
    serve = [*server[0], nd, "perf", "all", "--server", "--local", server[1]]
    connect = [*client[0], nd, "perf", "all", server[1], "--local", client[1], "-s", OCTETS, "-n", MESSAGES, "--warmup", 1]
    return _meet(serve, connect, environment or os.environ)


def greet(nd, server, remote, local, environment):
    """`remote`: the server's address as the client here writes it."""
    serve = [*server[0], nd, "ping", "--server", "--local", server[1]]
    return _meet(serve, [nd, "ping", remote, "--local", local, "-c", 2], environment)


def _meet(serve, connect, environment):
    running = subprocess.Popen(list(map(str, serve)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               env=environment)
    with running:
        first = running.stdout.readline()  # it listens
        try:
            client = subprocess.run(list(map(str, connect)), check=False, capture_output=True, text=True,
                                    env=environment, timeout=PATIENCE_S)
            right, said = client.returncode == 0, client.stdout + client.stderr
        except subprocess.TimeoutExpired:
            right, said = False, f"no end within {PATIENCE_S} s\n"
        if not right:
            running.terminate()
        said += first + running.stdout.read()
    return right and running.returncode == 0, said


def check_rail(nd, rails, family, rail, counted=True):
    """Empty, or what is wrong with a connection from this host's rail to the other's; its answers are as long."""
    before = rails.sent_here(), rails.sent_there()
    right, said = exchange(nd, (rails.there(), THERE[family][rail]), ([], HERE[family][rail]))
    if not right:
        return said
    after = rails.sent_here(), rails.sent_there()
    if not counted:
        return ""
    wrong = ""
    for host, was, has in zip(("here", "there"), before, after):
        sent = [later - earlier for earlier, later in zip(was, has)]
        if sent[1 - rail] > QUIET or sent[rail] < MESSAGES * OCTETS:
            wrong += f"{host}: rail 0 sent {sent[0]} octets, rail 1 sent {sent[1]}\n"
    return wrong


def check_own(nd, family):
    """From each of this host's addresses to the other one, over TCP."""
    wrong = ""
    for rail in RAILS:
        own, other = HERE[family][rail], HERE[family][1 - rail]
        right, said = greet(nd, ([], other), other, own, OVER_TCP)
        wrong += "" if right else f"from {own} to {other}: {said}"
    return wrong


def check_own_link_local(nd, rails):
    other = f"{rails.link_local(1)}%here1"
    right, said = greet(nd, ([], other), other, f"{rails.link_local(0)}%here0", OVER_TCP)
    return "" if right else said


def check_link_local(nd, rails):
    """Without a scope a link-local address is one of the adapter's link."""
    there = rails.link_local(1, there=True)
    right, said = greet(nd, (rails.there(), f"{there}%there1"), there, f"{rails.link_local(1)}%here1", OVER_TCP)
    return "" if right else said


def check_refusal(nd, remote, local, *words):
    """Empty, or why the failure does not say all of `words`."""
    done = subprocess.run([nd, "ping", remote, "--local", local, "-c", "1"], check=False, capture_output=True, text=True,
                          env=OVER_TCP | {"OPENND_LOG": "info"}, timeout=PATIENCE_S)
    said = done.stdout + done.stderr
    missing = [word for word in words if word not in said]
    return f"not said: {missing}\n{said}" if missing or done.returncode == 0 else ""


def checks_of_links(nd, rails):
    local = f"{rails.link_local(0)}%here0"
    peer = rails.link_local(1, there=True)
    yield "to the own link-local address of another interface", check_own_link_local(nd, rails)
    yield "to a link-local address without a scope", check_link_local(nd, rails)
    for own in (local, HERE[6][0]):
        yield (f"from {own} to a link-local address of another link",
               check_refusal(nd, f"{peer}%here1", own, "ND_NETWORK_UNREACHABLE", "scope"))
    yield "to a link-local address of another link, without a scope", check_refusal(nd, peer, local, "scope")


def checks(nd, short):
    families = (4,) if short else (4, 6)
    with Rails() as rails:
        for family in families:
            for rail in RAILS:
                yield f"two switches, rail {rail}, IPv{family}", check_rail(nd, rails, family, rail)
        for family in families:
            yield f"own addresses over TCP, IPv{family}", check_own(nd, family)
        yield from checks_of_links(nd, rails)
    if short:
        return
    for strict in (True, False):
        with Rails(one_switch=True, strict=strict) as rails:
            for family in families:
                for rail in RAILS:
                    name = f"one switch, {'each' if strict else 'any'} interface answers, rail {rail}, IPv{family}"
                    yield name, check_rail(nd, rails, family, rail, counted=strict or family == 6)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("nd", type=pathlib.Path)
    parser.add_argument("--short", action="store_true", help="IPv4 alone, and not on one switch")
    arguments = parser.parse_args()
    arguments.nd = arguments.nd.absolute()
    enter()
    failures = 0
    for name, wrong in checks(arguments.nd, arguments.short):
        print(f"{'FAIL' if wrong else 'PASS'}  {name}" + "".join(f"\n      {line}" for line in wrong.splitlines()), flush=True)
        failures += bool(wrong)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
