#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""OpenND's iWARP over a network that this script makes: IPv4 and IPv6, MTU 1280 to 9000; delay, loss, disorder.

    tests/network/wire_test.py [--build FOLDER] [--filter PATTERN] [--short] [--soak SECONDS]

Runs the conformance tests with every packet over a wire, and `nd ping` and `nd perf` between two namespaces. Prints a line
for each check, then how many passed, failed and were skipped. Exit code 77 where the host refuses a namespace.
Proves IW-IOP-31, IW-IOP-36.
"""
import argparse
import os
import pathlib
import subprocess
import sys

from private_network import enter
from wire import HERE, THERE, CannotSpoil, Wire

ROOT = pathlib.Path(__file__).resolve().parents[2]
MTUS = (1500, 9000, 1280)
FAMILIES = (4, 6)
SPOILED = ("delay 2ms 1ms", "loss 1%", "delay 1ms reorder 25% 50%", "duplicate 1%",
           "delay 1ms loss 1% duplicate 1% reorder 25%")
# Many connections and messages; less than that has not been over the wire.
LEAST_OCTETS = 100_000
# A packet that is resent alone can take the second that a Send waits for a receive by default; and two megabytes minutes.
PATIENT = {"OPENND_NO_RECEIVE_MS": "3000", "OPENND_TEST_TRAFFIC_PATIENCE_S": "120"}


class Report:
    def __init__(self):
        self.counts = {"PASS": 0, "FAIL": 0, "SKIP": 0}

    def tell(self, verdict, name, why=""):
        self.counts[verdict] += 1
        print(f"{verdict}  {name}" + "".join(f"\n      {line}" for line in why.splitlines()), flush=True)

    def sum_up(self):
        print("{PASS} passed, {FAIL} failed, {SKIP} skipped".format(**self.counts))


def check_conformance(report, arguments, wire, family, name, environment):
    program = arguments.build / "tests/conformance/conformance_test"
    before = wire.octets()
    done = subprocess.run([program, f"--gtest_filter={arguments.filter}", "--gtest_brief=1"], check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env=os.environ | environment | {"OPENND_TEST_ADDRESS": HERE[family]})
    octets = wire.octets() - before
    last = "".join(done.stdout.splitlines(keepends=True)[-60:])
    if done.returncode or octets < LEAST_OCTETS:
        report.tell("FAIL", name, f"exit code {done.returncode}, {octets} octets over the wire\n{last}")
    else:
        ran = next((line for line in done.stdout.splitlines() if " ran. (" in line), "")
        report.tell("PASS", f"{name}: {ran.removeprefix('[==========] ')} {octets} octets over the wire")


def check_soak(report, arguments, wire):
    """Verified messages, Writes and Reads for long, over new connections now and then; nothing may leak."""
    before = wire.octets()
    done = subprocess.run([arguments.build / "tests/soak/soak_test", "--gtest_filter=*MovesVerifiedDataForLong/iwarp"],
                          check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env=os.environ | PATIENT | {"OPENND_TEST_ADDRESS": HERE[4],
                                                      "OPENND_TEST_SOAK_SECONDS": str(arguments.soak)})
    octets = wire.octets() - before
    told = [line for line in done.stdout.splitlines() if line.startswith(("[ messages", "[ held"))]
    right = done.returncode == 0 and octets >= LEAST_OCTETS
    report.tell("PASS" if right else "FAIL", f"{arguments.soak} s of mixed traffic, {SPOILED[-1]} ({wire.spoiler}), "
                f"{octets} octets over the wire", "\n".join(told) if right else done.stdout)


def check_between(report, arguments, wire, family, name):
    """A server there, a client here: two processes on two hosts, as far as they can tell."""
    nd = arguments.build / "cli/nd"
    ping = ["ping", "-c", 5, "-s", 100_000]
    perf = ["perf", "all", "--verify", "-s", 9001, "-n", 200, "--warmup", 20]
    for command in (ping, perf):
        verb, *rest = map(str, command)
        server = subprocess.Popen(wire.there(nd, verb, "--server", "--local", THERE[family]), stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True)
        with server:
            server.stdout.readline()  # it listens
            test, options = (rest[:1], rest[1:]) if verb == "perf" else ([], rest)
            client = subprocess.run([nd, verb, *test, THERE[family], *options], check=False, capture_output=True,
                                    text=True)
            if client.returncode:
                server.terminate()
            said = client.stdout + client.stderr + server.stdout.read()
        right = client.returncode == 0 and server.returncode == 0 and "iwarp" in said
        report.tell("PASS" if right else "FAIL", f"nd {verb} {name}", "" if right else said)


def check_everything(report, arguments):
    mtus, families = (MTUS[:1], FAMILIES[:1]) if arguments.short else (MTUS, FAMILIES)
    for mtu in mtus:
        for family in FAMILIES:
            with Wire(mtu, loops=False) as wire:
                check_between(report, arguments, wire, family, f"between two hosts, MTU {mtu}, IPv{family}")
        for family in families:
            with Wire(mtu) as wire:
                check_conformance(report, arguments, wire, family, f"conformance, MTU {mtu}, IPv{family}", {})
    try:
        check_spoiled(report, arguments, SPOILED[-1:] if arguments.short else SPOILED, families)
    except CannotSpoil as refusal:
        report.tell("SKIP", "conformance over spoiled wires", str(refusal))


def check_spoiled(report, arguments, ways, families):
    for how in ways:
        for family in families:
            with Wire(MTUS[0], spoiled=how) as wire:
                name = f"conformance, {how} ({wire.spoiler}), IPv{family}"
                check_conformance(report, arguments, wire, family, name, PATIENT)
    if arguments.soak:
        with Wire(MTUS[0], spoiled=SPOILED[-1]) as wire:
            check_soak(report, arguments, wire)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/dev", help="folder of a build with tests")
    parser.add_argument("--filter", default="*OnIwarp*", help="conformance tests to run, as GoogleTest has it")
    parser.add_argument("--short", action="store_true", help="IPv4 and MTU 1500 alone, spoiled in one way")
    parser.add_argument("--soak", type=int, metavar="SECONDS", help="so long of mixed traffic over the worst wire as well")
    arguments = parser.parse_args()
    arguments.build = arguments.build.absolute()
    enter()
    report = Report()
    check_everything(report, arguments)
    report.sum_up()
    return 1 if report.counts["FAIL"] else 0


if __name__ == "__main__":
    sys.exit(main())
