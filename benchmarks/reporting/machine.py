# SPDX-License-Identifier: MIT
"""Facts about the machine, the builds and the peers, as text for the report; and how much the machine was disturbed."""
import json
import os
import pathlib
import platform
import re
import subprocess


def output_of(*words):
    """The output of a program, stripped; empty if it cannot run."""
    try:
        return subprocess.run(words, capture_output=True, text=True, timeout=20, check=True).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return ""


def text_of(path):
    try:
        return pathlib.Path(path).read_text().strip()
    except OSError:
        return ""


def first_match(pattern, text):
    found = re.search(pattern, text, re.MULTILINE)
    return found[1].strip() if found else ""


def chosen_of(text):
    """The word in brackets of a list such as 'always [madvise] never'."""
    return first_match(r"\[(.+?)\]", text)


def machine():
    """Pairs of a name and a text, those that are known."""
    cpu = text_of("/proc/cpuinfo")
    memory = first_match(r"^MemTotal:\s+(\d+)", text_of("/proc/meminfo"))
    caches = [f"L{text_of(each / 'level')} {text_of(each / 'type').lower()} {text_of(each / 'size')}"
              for each in sorted(pathlib.Path("/sys/devices/system/cpu/cpu0/cache").glob("index*"))]
    facts = (
        ("processor", first_match(r"^model name\s*:(.*)", cpu)),
        ("processors", str(os.cpu_count())),
        ("threads of the first core", text_of("/sys/devices/system/cpu/cpu0/topology/thread_siblings_list")),
        ("caches", ", ".join(caches)),
        ("hypervisor", "yes" if re.search(r"^flags\s*:.*\bhypervisor\b", cpu, re.MULTILINE) else ""),
        ("memory", f"{int(memory) / (1 << 20):.1f} GiB" if memory else ""),
        ("kernel", f"{platform.system()} {platform.release()}"),
        ("distribution", first_match(r'^PRETTY_NAME="?([^"\n]*)', text_of("/etc/os-release"))),
        ("huge pages", chosen_of(text_of("/sys/kernel/mm/transparent_hugepage/enabled"))),
        ("congestion control", text_of("/proc/sys/net/ipv4/tcp_congestion_control")),
        ("governor", text_of("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")),
    )
    return [list(each) for each in facts if each[1]]


def choices(info):
    """Of `nd info --tuning --json`: pairs of a choice and its value with the reason; none where the build has no such section."""
    try:
        tuning = json.loads(info).get("tuning", [])
    except ValueError:
        return []
    return [[each["subject"], f"{each['value']}; decided by {each['ground']}: {each['reason']}"] for each in tuning]


def build(folder):
    """Facts of a build of OpenND: version, source, compiler, kind, and its choices on this machine."""
    cache = text_of(folder / "CMakeCache.txt")
    nd = str(folder / "cli" / "nd")
    compiler = first_match(r"^CMAKE_CXX_COMPILER:\w+=(.*)", cache)
    source = first_match(r"^CMAKE_HOME_DIRECTORY:\w+=(.*)", cache)
    facts = (
        ("version", output_of(nd, "--version")),
        ("source", output_of("git", "-C", source, "describe", "--always", "--dirty") if source else ""),
        ("compiler", output_of(compiler, "--version").split("\n")[0] if compiler else ""),
        ("build type", first_match(r"^CMAKE_BUILD_TYPE:\w+=(.*)", cache)),
        ("across files (LTO)", first_match(r"^OPENND_LTO:\w+=(.*)", cache)),
    )
    return [list(each) for each in facts if each[1]] + choices(output_of(nd, "info", "--tuning", "--json"))


def peers():
    facts = (
        ("UCX", first_match(r"(?:Version|Library version:)\s+(\S+)", output_of("ucx_info", "-v"))),
        ("libfabric", first_match(r"^libfabric:\s+(\S+)", output_of("fi_info", "--version"))),
        ("sockperf", first_match(r"version (\S+)", output_of("sockperf", "--version"))),
        ("iperf3", first_match(r"^iperf (\S+)", output_of("iperf3", "--version"))),
    )
    return [list(each) for each in facts if each[1]]


def settings():
    """OPENND_ variables of the environment, which every contender of ours has."""
    return [[name, value] for name, value in sorted(os.environ.items()) if name.startswith("OPENND_")]


class Disturbance:
    """The shares of a span of time that a hypervisor took from the processors, and in which some task waited for a processor: a task of
    another program, while the measured ones have a processor for each thread. Commands that have more threads are left out."""

    def __init__(self):
        self._begin = self._now()
        self._paused = None

    def pause(self):
        self._paused = self._now()

    def go_on(self):
        self._begin = tuple(begin + now - then for begin, now, then in zip(self._begin, self._now(), self._paused))

    def shares(self):
        """{"stolen": ..., "waiting": ...} in percent since the object was made."""
        stolen, busy, waited, clock = (now - then for now, then in zip(self._now(), self._begin))
        return {"stolen": round(100 * stolen / max(busy, 1), 1), "waiting": round(100 * waited / max(clock, 1), 1)}

    @staticmethod
    def _now():
        ticks = [int(each) for each in text_of("/proc/stat").split("\n")[0].split()[1:9]]
        waited = first_match(r"^some .*total=(\d+)", text_of("/proc/pressure/cpu"))
        uptime = text_of("/proc/uptime").split()
        return (ticks[7] if len(ticks) > 7 else 0, sum(ticks), int(waited or 0), float(uptime[0]) * 1e6 if uptime else 0)
