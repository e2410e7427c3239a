#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`nd info` and `nd perf` tell the rate of a link as the kernel has it, and that the loopback interface and shared memory have none; of a
link of 10 Gb/s in a network of the test's own, too.

    link_rate_test.py ND    exit code 77 where no such network can be made, after the rest
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
from programs import run  # noqa: E402

# Both ends of the pair, so that the link is up.
NETWORK = ("mount -t sysfs none /sys && ip link set lo up && ip link add left0 type veth peer name right0 && ip address add 192.0.2.2/24 dev left0 && "
           "ip link set right0 up && ip link set left0 up")
OF_THE_NETWORK = ["unshare", "--user", "--map-root-user", "--net", "--mount", "sh", "-c"]


def known_rate(interface):
    """As the kernel has it; None where it has none."""
    try:
        rate = int((pathlib.Path("/sys/class/net") / interface / "speed").read_text())
    except OSError:
        return None
    return rate if rate > 0 else None


def check_info(command):
    adapters = json.loads(run(command, "info", "--json").stdout)["adapters"] + json.loads(run(command, "info", "lo", "--json").stdout)["adapters"]
    for adapter in adapters:
        interface = adapter["interface"]
        assert interface["rate_megabits"] == known_rate(interface["name"]), interface
    assert adapters[-1]["interface"]["rate_megabits"] is None, "loopback has no link"


def check_perf(command):
    for transport in ("shm", "iwarp"):
        done = run(command, "perf", "send_lat", "--self", "--transport", transport, "--iters", "50")
        assert done.returncode == 0 and "link none" in " ".join(done.stdout.split()), done
        title, *further = done.stdout[:done.stdout.index("#bytes")].splitlines()
        assert title.startswith("send_lat: ") and all(line.startswith("  ") for line in further), done


def check_network(command):
    words = (f"{NETWORK} && {command} info && echo --- && {command} info --json && echo --- && "
             f"{command} perf send_lat --self --local 192.0.2.2 --transport iwarp --iters 50")
    done = run(*OF_THE_NETWORK, words)
    assert done.returncode == 0, done
    table, document, measured = done.stdout.split("---\n")
    rates = {each["interface"]["name"]: each["interface"]["rate_megabits"] for each in json.loads(document)["adapters"]}
    assert rates["left0"] == 10000, rates
    assert re.search(r"^left0 .* 10 Gb/s ", table, re.MULTILINE), table
    assert "link left0 (10 Gb/s)" in " ".join(measured.split()), measured
    assert all(len(line) <= 80 for line in measured.splitlines()), measured


def main():
    command = sys.argv[1]
    check_info(command)
    check_perf(command)
    if not shutil.which("ip") or subprocess.run([*OF_THE_NETWORK, NETWORK], capture_output=True, check=False).returncode != 0:
        print("no network of its own can be made here")
        return 77
    check_network(command)
    return 0


if __name__ == "__main__":
    sys.exit(main())
