# SPDX-License-Identifier: MIT
"""benchmarks/report as a program, on builds and peers made here: scripts that print the outputs."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml

REPORT = pathlib.Path(sys.argv.pop(1))
REAL_ND = pathlib.Path(sys.argv.pop(1)).resolve()

ND = """#!/bin/sh
case "$*" in generate*) exec REAL_ND "$@";; --version) echo nd 9.9; exit;; info*) exit 2;; *iwarp*) echo "nd: no route" >&2; exit 1;; esac
echo run >>"$(dirname "$0")/runs"
for variant in private mappable; do echo '{"test":"shm.send_lat","variant":"'$variant'","size":8,"metric":"us","value":0.25}'; done
""".replace("REAL_ND", str(REAL_ND))
FLOOR = """#!/bin/sh
echo "plain_memory $*: 0.125 us"
"""
# A server that listens, and its client, in one program, as that of UCX.
UCX = f"""#!{sys.executable}
import socket, sys
port = int(sys.argv[sys.argv.index("-p") + 1])
if "-v" not in sys.argv:
    listener = socket.create_server(("127.0.0.1", port))
    listener.accept()[0].recv(1)
else:
    socket.create_connection(("127.0.0.1", port)).send(b"x")
    print("iterations,overall_lat,overall_mr\\n10,0.5,2000000")
"""


class Runs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.program("build/cli/nd", ND)
        self.program("build/benchmarks/plain_memory", FLOOR)
        self.program("peers/ucx_perftest", UCX)
        self.out = self.folder / "out"

    def program(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)

    def report(self, *options, exit_code=0):
        # Peers that this host has do not count; programs that every host has are there.
        environment = {**os.environ, "PATH": f"{self.folder / 'peers'}:{self.tools()}"}
        done = subprocess.run([sys.executable, REPORT, "--build", self.folder / "build", "--out", self.out, "--cpus", self.cpus(), *options],
                              env=environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, exit_code, done.stderr)
        return done

    def tools(self):
        """A folder with the programs of the scripts above alone."""
        tools = self.folder / "tools"
        if not tools.exists():
            tools.mkdir()
            for name in ("sh", "dirname"):
                place = next(pathlib.Path(each) / name for each in ("/usr/bin", "/bin") if (pathlib.Path(each) / name).exists())
                (tools / name).symlink_to(place)
        return tools

    @staticmethod
    def cpus():
        allowed = sorted(os.sched_getaffinity(0))
        return f"{allowed[0]},{allowed[-1]}"

    def lines(self, kind):
        return [line for line in map(json.loads, (self.out / "results.jsonl").read_text().splitlines()) if line["kind"] == kind]

    def test_measures_what_is_there_and_names_the_rest(self):
        self.report("--short")
        figures = {(line["row"], line["contender"]): line["value"] for line in self.lines("figure")}
        self.assertEqual(figures, {("shm.send_lat", "OpenND"): 0.25, ("shm.send_lat", "OpenND, private memory"): 0.25,
                                   ("shm.send_lat", "one copy"): 0.125, ("shm.send_lat", "two copies"): 0.125,
                                   ("shm.send_lat", "process_vm"): 0.125, ("shm.send_lat", "UCX"): 0.5,
                                   ("shm.send_lat", "UCX, lower layer"): 0.5, ("tcp.send_lat", "UCX"): 0.5})
        failures = {(line["row"], line["contender"]): line["reason"] for line in self.lines("failure")}
        self.assertEqual(failures, {("tcp.send_lat", "OpenND"): "nd: no route", ("tcp.send_lat", "OpenND, CRC off"): "nd: no route"})
        absent = self.lines("run")[0]["facts"]["absent"]
        self.assertEqual(absent["libfabric"], "fi_pingpong is not installed (Debian: libfabric-bin)")
        self.assertIn("plain_sockets is not among the programs of this build", absent["plain sockets, polled"])

    def test_writes_the_table_and_the_page(self):
        self.report("--short")
        self.assertIn("| shm.send_lat 8 B | 0.25 us | 2 | 0.5 |", (self.out / "table.md").read_text())
        text = "".join(xml.parse(self.out / "report.html").getroot().itertext())
        for words in ("nd 9.9", "nd: no route", "fi_pingpong is not installed"):
            self.assertIn(words, text)

    def test_runs_a_command_once_for_its_contenders(self):
        self.report("--short", "--rounds", "2")
        self.assertEqual((self.folder / "build/cli/runs").read_text().count("run"), 2)

    def test_continues_a_broken_run(self):
        self.report("--short")
        lines = (self.out / "results.jsonl").read_text().splitlines(keepends=True)
        (self.out / "results.jsonl").write_text("".join(lines[:4]))
        (self.folder / "build/cli/runs").unlink()
        self.report("--short")
        self.assertFalse((self.folder / "build/cli/runs").exists())  # both figures of OpenND were in the first lines
        self.assertEqual(len(self.lines("figure")), 8)

    def test_makes_the_same_files_from_the_results_alone(self):
        self.report("--short")
        results = (self.out / "results.jsonl").rename(self.folder / "kept.jsonl")
        page, table = (self.out / "report.html").read_text(), (self.out / "table.md").read_text()
        for name in ("report.html", "table.md"):
            (self.out / name).unlink()
        self.report("--from", results)
        self.assertEqual((self.out / "report.html").read_text(), page)
        self.assertEqual((self.out / "table.md").read_text(), table)

    def test_measures_a_build_before_in_the_same_rounds(self):
        self.program("before/cli/nd", ND.replace("0.25", "0.75"))
        self.report("--rows", "shm.send_lat@8", "--rounds", "1", "--before", self.folder / "before")
        self.assertIn("| shm.send_lat 8 B | 0.25 us | 0.333 | 2 | 0.5 |", (self.out / "table.md").read_text())

    def test_puts_the_table_into_a_document(self):
        from reporting.markdown import BEGIN, END

        document = self.folder / "performance.md"
        document.write_text(f"# Costs\n\n{BEGIN}\n{END}\n")
        self.report("--short")
        self.report("--from", self.with_waiting(3), "--into", document)
        self.assertIn("| shm.send_lat 8 B | 0.25 us |", document.read_text())

    def test_puts_no_figures_of_a_busy_machine_into_a_document(self):
        from reporting.markdown import BEGIN, END

        document = self.folder / "performance.md"
        document.write_text(f"# Costs\n\n{BEGIN}\n{END}\n")
        self.report("--short")
        said = self.report("--from", self.with_waiting(3.1), "--into", document, exit_code=1).stderr
        self.assertIn("in round 1 tasks waited for a processor for 3.1 % of the time", said)
        self.assertEqual(document.read_text(), f"# Costs\n\n{BEGIN}\n{END}\n")
        self.assertIn("| shm.send_lat 8 B |", (self.out / "table.md").read_text())

    def with_waiting(self, percent):
        """The results of the run, with this share of waiting tasks."""
        changed = self.folder / "changed.jsonl"
        lines = map(json.loads, (self.out / "results.jsonl").read_text().splitlines())
        changed.write_text("".join(json.dumps({**line, "waiting": percent} if line["kind"] == "round" else line) + "\n" for line in lines))
        return changed

    def test_refuses_rows_and_builds_that_do_not_exist(self):
        self.assertIn("no row matches nothing", self.report("--rows", "nothing", exit_code=1).stderr)
        (self.folder / "build/cli/nd").unlink()
        self.assertIn("has no nd", self.report("--short", exit_code=1).stderr)

    def test_lists_rows_with_their_points(self):
        self.assertIn("8 B, 64 B, 1 KiB", self.report("--list", "--rows", "shm.send_lat").stdout)


if __name__ == "__main__":
    unittest.main()
