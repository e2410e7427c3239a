#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The manual pages and completions that `nd` writes of itself: every command and option is in them, roff and the shells take them, and
bash completes words and values.

    documents_test.py ND    exit code 77 where zsh, fish or groff are missing, after the tests that need none of them
"""
import json
import os
import pathlib
import re
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True
from programs import port_of, run, running  # noqa: E402

SECTIONS = ("NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "ENVIRONMENT", "EXIT STATUS", "EXAMPLES", "SEE ALSO")


def options_in_help(command, *words):
    """The names at the beginning of its lines, separated by commas."""
    text = run(command, "help", *words).stdout
    names = re.findall(r"^  (-\S+)", text, re.MULTILINE)
    return {name for names in names for name in names.split(",")}


def commands(command):
    listed = run(command, "--help").stdout.split("Subcommands:\n")[1].split("\n\n")[0]
    return re.findall(r"^  (\w+) ", listed, re.MULTILINE)


def plain(page):
    return page.replace("\\-", "-").replace("\\fB", "").replace("\\fI", "").replace("\\fR", "").replace("\\e", "\\")


def check_pages(command, folder):
    names = commands(command)
    assert sorted(os.listdir(folder / "man1")) == sorted(["nd.1", *(f"nd-{name}.1" for name in names)])
    main_page = plain((folder / "man1/nd.1").read_text())
    for section in (*SECTIONS, "FILES", "COMMANDS"):
        assert re.search(rf'^\.SH "?{section}"?$', main_page, re.MULTILINE), section
    for variable in [each["variable"] for each in json.loads(run(command, "info", "--settings", "--json").stdout)["settings"]]:
        assert f"\n{variable}\n" in main_page, variable
    for name in names:
        assert f".BR nd-{name} (1)" in main_page, name
        page = plain((folder / f"man1/nd-{name}.1").read_text())
        assert page == plain(run(command, "generate", "man", name).stdout), name
        for section in SECTIONS:
            assert re.search(rf'^\.SH "?{section}"?$', page, re.MULTILINE), (name, section)
        assert f"\nnd {name}" in page.split(".SH EXAMPLES")[1], f"{name} has an example"
        options = options_in_help(command, name)
        assert {"-h", "--help"} <= options, (name, options)
        for option in options:
            assert re.search(rf"^(.*, )?{re.escape(option)}(,| |$)", page, re.MULTILINE), (name, option)
    assert {"--self", "--report_gbits", "-H", "--csv"} <= options_in_help(command, "perf")


def check_roff(folder):
    for page in sorted((folder / "man1").iterdir()):
        done = run("groff", "-man", "-Tutf8", "-ww", "-rLL=78n", str(page))
        assert done.returncode == 0 and not done.stderr, (page, done.stderr)


def check_examples(command):
    done = run(command, "generate", "examples")
    assert done.returncode == 0 and len(done.stdout.splitlines()) > 20, done
    used = {line.split()[1] for line in done.stdout.splitlines()}
    assert used == set(commands(command)), used


def completed(folder, *words, path=None):
    """The words that bash offers for the last of these."""
    script = 'source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _nd; printf "%s\\n" "${COMPREPLY[@]}"'
    environment = {**os.environ, "PATH": f"{path}:{os.environ['PATH']}"} if path else None
    done = run("bash", "-c", script, str(folder / "bash/nd"), *words, env=environment)
    assert done.returncode == 0 and not done.stderr, done
    return [word for word in done.stdout.splitlines() if word]


def check_bash(command, folder):
    assert run("bash", "-n", str(folder / "bash/nd")).returncode == 0
    assert completed(folder, "nd", "p") == ["ping", "perf", "ps"]
    assert completed(folder, "nd", "--ver") == ["--version"]
    assert completed(folder, "nd", "perf", "send") == ["send_lat", "send_bw"]
    assert completed(folder, "nd", "perf", "send_lat", "--itera") == [] and completed(folder, "nd", "perf", "--ite") == ["--iters"]
    assert completed(folder, "nd", "perf", "--memory", "") == ["private", "mappable"]
    assert completed(folder, "nd", "perf", "--memory", "=", "m") == ["mappable"]
    assert completed(folder, "nd", "perf", "--memory", "=") == ["private", "mappable"]
    assert completed(folder, "nd", "ping", "--transport", "sh") == ["shm"]
    assert completed(folder, "nd", "ping", "--transport", "shm,i") == ["shm,iwarp"]
    assert completed(folder, "nd", "ping", "--transport", "shm,^l") == ["shm,^loopback"]
    assert completed(folder, "nd", "perf", "--size", "") == []
    assert {"conn", "qp"} <= set(completed(folder, "nd", "show", ""))
    assert completed(folder, "nd", "top", "--sort", "co") == ["connections"]
    some = folder / "some file.json"
    some.write_text("")
    assert completed(folder, "nd", "perf", "--output", str(folder / "some")) == [str(some)]
    for name in commands(command):
        offered = set(completed(folder, "nd", name, "-"))
        assert offered == options_in_help(command, name), (name, offered)
    (folder / "bin").mkdir()
    os.symlink(os.path.abspath(command), folder / "bin/nd")
    with running(command, "ping", "--server", "--local", "127.0.0.1", "--port", "0") as server:
        port_of(server)
        assert str(server.pid) in completed(folder, "nd", "dump", "", path=folder / "bin")


def check_shell(shell, file):
    assert run(shell, "-n", str(file)).returncode == 0, shell


def check_fish(folder):
    check_shell("fish", folder / "fish/nd.fish")
    words = 'complete --do-complete "{}"'
    script = f"source {folder / 'fish/nd.fish'}; "
    done = run("fish", "--no-config", "-c", script + words.format("nd perf --memory "))
    assert [line.split("\t")[0] for line in done.stdout.splitlines()] == ["mappable", "private"], done
    done = run("fish", "--no-config", "-c", script + words.format("nd pe"))
    assert [line.split("\t")[0] for line in done.stdout.splitlines()] == ["perf"], done


def check_zsh(folder):
    check_shell("zsh", folder / "zsh/_nd")
    script = f"fpath=({folder / 'zsh'} $fpath); autoload -U compinit; compinit -u -D; whence -v _nd; print $_comps[nd]"
    done = run("zsh", "-f", "-c", script)
    assert done.stdout.splitlines()[-1] == "_nd", done


def main():
    command = sys.argv[1]
    missing = [program for program in ("zsh", "fish", "groff") if not shutil.which(program)]
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        done = run(command, "generate", "documents", temporary)
        assert done.returncode == 0, done
        check_pages(command, folder)
        check_examples(command)
        check_bash(command, folder)
        if "groff" not in missing:
            check_roff(folder)
        if "fish" not in missing:
            check_fish(folder)
        if "zsh" not in missing:
            check_zsh(folder)
    print(f"not here, and not tested: {', '.join(missing)}" if missing else "all")
    return 77 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
