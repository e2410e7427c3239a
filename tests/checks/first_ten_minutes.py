#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Does what a page of docs/first_ten_minutes or docs/tutorial says, in a temporary home, and compares what it shows.

A block ```sh is run, all of them in one shell that stops at the first failure. A block ```text behind it is its whole output: "..."
in a line stands for anything, a line of "..." alone for any lines. A block with a file's name behind its language is that file.
Blocks that are only indented are not run: they need root, or a network; nor is quoted code (quoted_code.py).

    first_ten_minutes.py PAGE                                     in an empty folder
    first_ten_minutes.py PAGE --installed BUILD --cmake CMAKE     with what BUILD installs in ~/opennd
    first_ten_minutes.py PAGE --clone PROJECT                     in a fresh clone of PROJECT
"""
import argparse
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^```(?P<language>\w+)(?: (?P<file>\S+))?\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE)
MARK = "== block"


class Block:
    def __init__(self, text):
        self.text, self.shown = text, None


def parse(page):
    """The blocks to run, and the files."""
    commands, files = [], {}
    for found in BLOCK.finditer(page):
        if found["file"]:
            files[found["file"]] = found["text"]
        elif found["language"] == "sh":
            commands.append(Block(found["text"]))
        elif found["language"] == "text" and commands:
            commands[-1].shown = found["text"]
    return commands, files


def pattern(shown):
    lines = []
    for line in shown.splitlines():
        if line == "...":
            lines.append(r"(?:[^\n]*\n)*?")
        else:
            lines.append(r"[^\n]*?".join(map(re.escape, line.split("..."))) + r"[ \t]*\n")
    return re.compile("".join(lines))


def environment(folder, home):
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("OPENND_", "BENCH_", "CMAKE_", "CTEST_"))}
    kept.pop("PKG_CONFIG_PATH", None)
    kept.pop("LD_LIBRARY_PATH", None)
    # The compiler's cache is the machine's, and not part of the reader's home.
    cache = next((folder for folder in (pathlib.Path.home() / ".cache/ccache", pathlib.Path.home() / ".ccache") if folder.is_dir()), None)
    if cache:
        kept.setdefault("CCACHE_DIR", str(cache))
    kept |= {"CCACHE_BASEDIR": str(folder), "CCACHE_NOHASHDIR": "1"}
    return kept | {"HOME": str(home), "LC_ALL": "C.UTF-8", "TERM": "dumb"}


def alone():
    """In front of a command: a network of its own, with loopback alone, so that ports are free and nobody else is seen. Nothing where
    the host does not let its users have one."""
    network = ["unshare", "--map-root-user", "--net", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"]
    possible = shutil.which("unshare") and shutil.which("ip") and subprocess.run([*network, "true"], stderr=subprocess.DEVNULL).returncode == 0
    return network if possible else []


def run(commands, folder, home, timeout_s):
    """The output of each block; the shell's exit code."""
    script = ["set -euo pipefail", "trap 'kill $(jobs -p) 2>/dev/null || true' EXIT"]
    for number, block in enumerate(commands):
        script += [f"echo '{MARK} {number}'", block.text]
    shell = subprocess.Popen([*alone(), "bash", "-c", "\n".join(script)], cwd=folder, env=environment(folder, home), stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True)
    try:
        output, _ = shell.communicate(timeout=timeout_s)
    except subprocess.TimeoutExpired:
        os.killpg(shell.pid, signal.SIGKILL)
        output, _ = shell.communicate()
        output += f"\n(stopped after {timeout_s} s)\n"
    parts = re.split(rf"^{MARK} \d+\n", output, flags=re.MULTILINE)
    return parts[1:], shell.returncode


def check_unit(name, text, commands, home):
    """The command of a unit is one that the page runs, and systemd takes the unit, where it is installed."""
    started = re.search(r"^ExecStart=/usr/bin/(.*)$", text, re.MULTILINE)
    if not started or not any(started[1] in block.text for block in commands):
        yield f"{name}: no block runs its command by hand"
    analyze = shutil.which("systemd-analyze")
    if analyze and started:
        unit = home / name
        unit.write_text(text.replace("ExecStart=/usr/bin/", f"ExecStart={home}/opennd/bin/"))
        judged = subprocess.run([analyze, "verify", unit], capture_output=True, text=True)
        complaints = [line for line in judged.stderr.splitlines() if name in line]
        if complaints:
            yield f"{name}: systemd-analyze verify: " + "; ".join(complaints)


def wrongs(page, folder, home, timeout_s):
    commands, files = parse(page)
    if not commands:
        yield "there is nothing to run"
        return
    for name, text in files.items():
        (folder / name).write_text(text)
        if name.endswith(".service"):
            yield from check_unit(name, text, commands, home)
    outputs, code = run(commands, folder, home, timeout_s)
    for block, output in zip(commands, outputs):
        if block.shown is not None and not pattern(block.shown).fullmatch(output):
            yield f"this block:\n{block.text}--- is shown with\n{block.shown}--- and gave\n{output}"
    if code != 0:
        yield f"exit code {code} in this block:\n{commands[len(outputs) - 1].text}--- which gave\n{outputs[-1] if outputs else ''}"


def clone(project, folder):
    """What the project's history has, and the changes that are not in it yet."""
    subprocess.run(["git", "clone", "--quiet", "--local", project, folder], check=True)
    listed = subprocess.run(["git", "-C", project, "ls-files", "-z", "--modified", "--others", "--exclude-standard"], check=True,
                            capture_output=True, text=True).stdout
    for name in filter(None, listed.split("\0")):
        if (project / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(project / name, folder / name)
    subprocess.run(["git", "-C", folder, "add", "--all"], check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("--installed", type=pathlib.Path, metavar="BUILD")
    parser.add_argument("--cmake", default="cmake")
    parser.add_argument("--clone", type=pathlib.Path, metavar="PROJECT")
    parser.add_argument("--timeout", type=int, default=240, metavar="SECONDS")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="opennd-page-") as root:
        home, folder = pathlib.Path(root) / "home", pathlib.Path(root) / "home/work"
        home.mkdir()
        if arguments.clone:
            if not shutil.which("git") or not (arguments.clone / ".git").exists():
                print("there is no git, or no history to clone", file=sys.stderr)
                return 77
            clone(arguments.clone.resolve(), folder)
        else:
            folder.mkdir()
        if arguments.installed:
            subprocess.run([arguments.cmake, "--install", arguments.installed, "--prefix", home / "opennd"], check=True,
                           stdout=subprocess.DEVNULL)
        found = list(wrongs(arguments.page.read_text(), folder, home, arguments.timeout))
    for wrong in found:
        print(f"{arguments.page.name}: {wrong}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
