#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`nd doctor` finds what a limit, an affinity or a silent port does to a program, and its exit code says whether that is in the way."""
import json
import os
import socket
import subprocess
import sys

SUBJECTS = {"processors", "processor time", "load", "frequency", "stolen time", "shared memory", "copies between processes",
            "descriptors", "user", "namespaces", "RDMA devices", "adapters"}


# Of `nd doctor --rdma`, which moves data in these ways.
REQUESTS = {"connection with itself", "Send", "inline Send", "Write", "Read", "silent Sends", "memory window", "completion channel",
            "a Receive posted late", "a Receive never posted", "Flush", "Disconnect", "registration"}
MEASUREMENTS = {"Sends, compared", "Writes, compared", "Reads, compared", "latency of a Send", "latency of a Send, asleep",
                "latency of a Write", "latency of a Read", "rate of Writes"}


class Report:
    def __init__(self, command, *words, limited_by=()):
        done = subprocess.run([*limited_by, command, "doctor", *words, "--json"], capture_output=True, text=True, timeout=60)
        self.code = done.returncode
        self.said = done.stderr
        self.findings = {each["subject"]: each for each in json.loads(done.stdout)["findings"]} if done.stdout else {}

    def verdict(self, subject):
        return self.findings[subject]["verdict"]

    def has_problem(self):
        return any(each["verdict"] == "problem" for each in self.findings.values())


def wrong_verdicts(report, **wanted):
    for subject, verdict in wanted.items():
        subject = subject.replace("_", " ")
        if report.verdict(subject) != verdict:
            yield f"{subject}: {report.findings[subject]}, expected the verdict {verdict}"


def problems_of_this_host(command):
    report = Report(command)
    missing = SUBJECTS - report.findings.keys()
    if missing:
        yield f"nothing about {sorted(missing)}"
    if report.code != (1 if report.has_problem() else 0):
        yield f"exit code {report.code}, and the findings are {report.findings}"
    for each in report.findings.values():
        if each["verdict"] == "problem" and not (each["consequence"] and each["remedy"]):
            yield f"a problem without consequence or remedy: {each}"
    yield from wrong_verdicts(report, shared_memory="good", adapters="good", descriptors="good")
    text = subprocess.run([command, "doctor"], capture_output=True, text=True, timeout=60).stdout
    for each in report.findings.values():
        if f"{each['verdict']:8} {each['subject']}: " not in text:
            yield f"the text has no line of {each['subject']} with its verdict:\n{text}"


def problems_of_limits(command):
    few = Report(command, limited_by=("prlimit", "--nofile=64:64"))
    yield from wrong_verdicts(few, descriptors="problem")
    if few.code != 1:
        yield f"exit code {few.code} with 64 descriptors"
    one = min(os.sched_getaffinity(0))
    pinned = Report(command, limited_by=("taskset", "-c", str(one)))
    yield from wrong_verdicts(pinned, processors="note")


def problems_of_a_port(command):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        subject = f"TCP to 127.0.0.1 port {port}"
        heard = Report(command, "127.0.0.1", "--port", str(port))
        yield from wrong_verdicts(heard, route="good", transport="good", **{subject: "good"})
    refused = Report(command, "127.0.0.1", "--port", str(port))
    yield from wrong_verdicts(refused, **{subject: "problem"})
    if refused.code != 1:
        yield f"exit code {refused.code}, and nobody listens"


def problems_without_an_address(command):
    """Of a network namespace that is new: its loopback interface is down."""
    alone = ("unshare", "--user", "--map-root-user", "--net")
    if subprocess.run([*alone, "true"], stderr=subprocess.DEVNULL, timeout=60).returncode != 0:
        return print("no network namespace can be made here: a host without an address was not tried")
    report = Report(command, limited_by=alone)
    yield from wrong_verdicts(report, adapters="problem")
    if "ip link set lo up" not in report.findings["adapters"]["remedy"]:
        yield f"no word about the loopback interface: {report.findings['adapters']}"
    elsewhere = Report(command, "192.0.2.7", limited_by=alone)
    yield from wrong_verdicts(elsewhere, route="problem", transport="problem")
    told = subprocess.run([*alone, command, "info", "--peer", "192.0.2.7"], capture_output=True, text=True, timeout=60).stdout
    for text in (elsewhere.findings["transport"]["found"], " ".join(told.split())):
        if "iwarp: this host has no route to 192.0.2.7" not in text:
            yield f"no word about the route: {text}"


def problems_of_a_device(command):
    """127.0.0.1 is no RDMA device's. What is tried on one is tried over shared memory here."""
    none = Report(command, "--rdma", "127.0.0.1")
    yield from wrong_verdicts(none, device="problem")
    if none.code != 1 or none.findings.keys() & (REQUESTS | MEASUREMENTS):
        yield f"exit code {none.code} without a device, and {sorted(none.findings)}"
    instead = Report(command, "--rdma", "127.0.0.1", "--transport", "shm")
    missing = (REQUESTS | MEASUREMENTS) - instead.findings.keys()
    if missing:
        yield f"nothing about {sorted(missing)}"
    for subject in (REQUESTS | MEASUREMENTS) & instead.findings.keys():
        if instead.verdict(subject) == "problem":
            yield f"over shared memory: {instead.findings[subject]}"
    if not instead.findings["a Receive never posted"]["found"].startswith("ND_IO_TIMEOUT"):
        yield f"{instead.findings['a Receive never posted']}"
    nowhere = Report(command, "--rdma", "no such interface")
    if nowhere.code != 2 or "no such interface" not in nowhere.said:
        yield f"exit code {nowhere.code} for an interface that there is not, with {nowhere.said}"


def main():
    command = sys.argv[1]
    wrong = [*problems_of_this_host(command), *problems_of_limits(command), *problems_of_a_port(command), *problems_without_an_address(command),
             *problems_of_a_device(command)]
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
