# SPDX-License-Identifier: MIT
"""The lab's guest and the report of a run, for the scripts beside this file."""
import contextlib
import os
import pathlib
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
HOST, GUEST, GUEST_IPV6, HOST_IPV6 = "10.77.0.1", "10.77.0.2", "fd77::2", "fd77::1"  # siw's network
GUEST_RXE = "10.77.1.2"
SKIPPED = 77


class Lab:
    """One guest, and the network that it shares with this host."""

    def __init__(self, work, links="--siw"):
        folder = pathlib.Path(os.environ.get("OPENND_LAB", ROOT.parent / "shared/lab")).absolute()
        self._vm = str(folder / "vm")
        self._listening = str(folder / "listening")
        self._capture = str(folder / "capture")
        self._links = links
        os.environ["OPENND_LAB_STATE"] = str(work / "lab")  # a lab of its own

    def refusal(self):
        """Why it cannot run here, or nothing."""
        if not os.access(self._vm, os.X_OK):
            return f"there is no lab at {os.path.dirname(self._vm)} (OPENND_LAB)"
        done = subprocess.run([self._vm, "check", "--net", "tap"], capture_output=True, text=True)
        return "" if done.returncode == 0 else done.stderr.strip() or f"the lab's check fails: {done.returncode}"

    def up(self, lifetime=3600):
        subprocess.run([self._vm, "up", self._links, "--mem", "2048", "--lifetime", str(lifetime)], check=True,
                       stdin=subprocess.DEVNULL)

    def down(self):
        subprocess.run([self._vm, "down", "--all"], check=False)

    def guest_command(self, *command, limit=60):
        return [self._vm, "exec", "--timeout", str(limit), "--", *map(str, command)]

    def host_command(self, *command, limit=60):
        return [self._vm, "host", "--", "timeout", str(limit), *map(str, command)]

    def wait_for_listener(self, port):
        subprocess.run(self.guest_command(self._listening, port), check=True)

    def in_guest(self, script, limit=60):
        """The output of a shell script in the guest. Raises if it fails."""
        done = subprocess.run(self.guest_command("sh", "-c", script, limit=limit), stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            raise RuntimeError(f"exit code {done.returncode}\n{done.stdout[-3000:]}")
        return done.stdout

    def set_parameters(self, **parameters):
        lines = [f"echo {value} > /sys/module/siw/parameters/{name}" for name, value in parameters.items()]
        subprocess.run(self.guest_command("sh", "-c", " && ".join(lines)), check=True)

    def kernel(self):
        return subprocess.run(self.guest_command("uname", "-r"), capture_output=True, text=True).stdout.strip()

    @contextlib.contextmanager
    def captured(self, path):
        process = subprocess.Popen([self._capture, str(path)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            while not path.exists() or path.stat().st_size == 0:  # its header is written when it listens
                if process.poll() is not None:
                    raise RuntimeError("the lab captures nothing")
                time.sleep(0.05)
            yield
        finally:
            process.terminate()
            process.wait()


class Report:
    def __init__(self, only):
        self._only = only
        self.passed = self.failed = self.skipped = 0

    def wants(self, name):
        return self._only in name

    def check(self, name, function, *arguments):
        if not self.wants(name):
            return
        try:
            function(*arguments)
            self.tell("PASS", name)
        except (RuntimeError, subprocess.SubprocessError) as failure:
            self.tell("FAIL", name, str(failure))

    def tell(self, verdict, name, why=""):
        self.passed += verdict == "PASS"
        self.failed += verdict == "FAIL"
        self.skipped += verdict == "SKIP"
        print(f"{verdict}  {name}" + "".join(f"\n      {line}" for line in why.splitlines()), flush=True)

    def sum_up(self):
        print(f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped")


def finished(process, what, limit=90):
    output, _ = process.communicate(timeout=limit)
    if process.returncode:
        raise RuntimeError(f"{what}: exit code {process.returncode}\n{output}")
    return output


@contextlib.contextmanager
def started(command):
    """It has ended when this has, one way or the other."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        yield process
    finally:
        if process.poll() is None:
            process.terminate()
        process.wait()
