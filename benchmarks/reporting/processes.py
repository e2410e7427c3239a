# SPDX-License-Identifier: MIT
"""Runs a command, or a server and its client, and gives the output. Read row.py first."""
import os
import pathlib
import random
import resource
import shlex
import shutil
import signal
import subprocess
import tempfile
import time

from .network import Network

LIMIT_SECONDS = 60  # of one command; it counts as failed afterwards
SAMPLE_SECONDS = 0.1
START_SECONDS = 10  # until a server listens
LISTENING = "0A"  # a state in /proc/net/tcp


class Failed(Exception):
    """The command gave no output that counts; the text says why."""


class Programs:
    """Places of the builds: {nd}, {floors} and {before_nd} of the templates."""

    PACKAGES = {"ucx_perftest": "ucx-utils", "fi_pingpong": "libfabric-bin", "sockperf": "sockperf", "iperf3": "iperf3"}

    def __init__(self, build, before=None):
        self.fields = {"nd": str(build / "cli" / "nd"), "floors": str(build / "benchmarks")}
        if before is not None:
            self.fields["before_nd"] = str(before / "cli" / "nd")

    def absence(self, program):
        """Why this program cannot run; empty if it can."""
        path = program.format(**self.fields)
        if shutil.which(path):
            return ""
        if "{" not in program:
            return f"{program} is not installed (Debian: {self.PACKAGES[program]})"
        name = pathlib.Path(path).name
        option = " with -D OPENND_BENCHMARKS=ON" if program.startswith("{floors}") else ""
        return f"{name} is not among the programs of this build{option}"


class Runner:
    """Commands of one run. `cpus` are those of the server and of the client."""

    def __init__(self, programs, cpus, limit_ms=LIMIT_SECONDS * 1000):
        self._programs = programs
        self._cpus = cpus
        self._limit = limit_ms / 1e3
        self._networks = {}  # by MTU

    def close(self):
        for network in self._networks.values():
            network.close()
        self._networks = {}

    def run(self, command, fields):
        """The output of the command, with its samples as lines behind it."""
        fields = {**fields, **self._programs.fields, "port": str(_free_port()), "server_address": Network.address(0)}
        if command.mtu and command.mtu not in self._networks:
            try:
                self._networks[command.mtu] = Network(command.mtu)
            except OSError as error:
                raise Failed(str(error)) from error
        if command.server is None:
            return self._client(command, fields)
        with tempfile.TemporaryFile("w+") as errors:
            server = self._start(command, command.server, fields, 0, subprocess.DEVNULL, errors)
            try:
                _wait_until_listening(server, int(fields["port"]), errors)
                return self._client(command, fields)
            finally:
                _end(server)

    def _client(self, command, fields):
        with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
            client = self._start(command, command.words, fields, 1, output, errors)
            try:
                samples = self._wait(client, command.sampled)
            finally:
                _end(client)
            if client.returncode != 0:
                raise Failed(_last_line(errors) or _last_line(output) or f"exit code {client.returncode}")
            output.seek(0)
            return output.read() + samples

    def _start(self, command, words, fields, side, output, errors):
        cpu = self._cpus[side]

        def prepare():
            if command.pinned:
                os.sched_setaffinity(0, {cpu})
            if command.connections:
                _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
                resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))

        environment = {**os.environ, **dict(command.environment), "BENCH_CPUS": fields["cpus"]}
        words = shlex.split(words.format(**fields))
        if command.mtu:
            words = self._networks[command.mtu].inside(side, words)
        return subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=output, stderr=errors,
                                env=environment, preexec_fn=prepare, start_new_session=True)

    def _wait(self, client, sampled):
        """Waits for its end, and gives the lines of samples."""
        if not sampled:
            try:
                client.wait(self._limit)
            except subprocess.TimeoutExpired:
                raise Failed(f"took longer than {self._limit:g} s") from None
            return ""
        peak = {"resident_kib": 0, "descriptors": 0}
        until = time.monotonic() + self._limit
        while True:
            _sample(client.pid, peak)
            try:
                client.wait(SAMPLE_SECONDS)
            except subprocess.TimeoutExpired:
                if time.monotonic() < until:
                    continue
                raise Failed(f"took longer than {self._limit:g} s") from None
            return "".join(f"\n{name} {value}" for name, value in peak.items()) + "\n"


def _sample(process, peak):
    try:
        status = pathlib.Path(f"/proc/{process}/status").read_text()
        open_files = len(os.listdir(f"/proc/{process}/fd"))
    except (FileNotFoundError, PermissionError, ProcessLookupError):
        return  # it has ended
    resident = [int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS:")]
    peak["resident_kib"] = max([peak["resident_kib"], *resident])
    peak["descriptors"] = max(peak["descriptors"], open_files)


def _end(process):
    """Ends it and the processes that it started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def _last_line(stream):
    stream.seek(0)
    lines = [line.strip() for line in stream.read().splitlines() if line.strip()]
    return lines[-1] if lines else ""


def listening_ports(process="self"):
    """Of the network of this process."""
    ports = set()
    for name in (f"/proc/{process}/net/tcp", f"/proc/{process}/net/tcp6"):
        try:
            lines = pathlib.Path(name).read_text().splitlines()[1:]
        except FileNotFoundError:
            continue
        for line in lines:
            _, local, _, state = line.split()[:4]
            if state == LISTENING:
                ports.add(int(local.rpartition(":")[2], 16))
    return ports


def _free_port():
    busy = listening_ports()
    return random.choice([port for port in range(20000, 32000) if port not in busy])


def _wait_until_listening(server, port, errors):
    until = time.monotonic() + START_SECONDS
    while port not in listening_ports(server.pid):
        if server.poll() is not None:
            raise Failed(f"the server ended: {_last_line(errors) or server.returncode}")
        if time.monotonic() > until:
            raise Failed(f"the server did not listen within {START_SECONDS} s")
        time.sleep(0.01)
