# SPDX-License-Identifier: MIT
"""reporting.processes: samples, the time limit, and servers that fail."""
import os
import pathlib
import select
import sys
import tempfile
import unittest

from reporting import parsers, plan
from reporting.processes import Failed, Programs, Runner
from reporting.row import Command


class Processes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_command(self, words, server=None, limit_ms=20000, **options):
        cpu = min(os.sched_getaffinity(0))
        runner = Runner(Programs(self.folder), (cpu, cpu), limit_ms)
        return runner.run(Command(sys.executable, words, server, **options), plan.fields(8, 60, (cpu, cpu)))

    def python(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return f"{sys.executable} {path}"

    def test_give_the_output(self):
        program = self.python("echo.py", "import sys; print(*sys.argv[1:])")
        self.assertEqual(self.run_command(program + " {point} {cpus} {seconds}").split()[::2], ["8", "0.06"])

    def test_sample_the_peak_of_memory_and_descriptors(self):
        # Long enough for some samples.
        program = self.python("hold.py", """
import os, pathlib, time
memory = bytearray(64 << 20)
files = [os.open("/dev/null", os.O_RDONLY) for _ in range(40)]
until = time.monotonic() + 1
while time.monotonic() < until: pass
""")
        output = self.run_command(program, sampled=True)
        self.assertGreater(parsers.parse("resident_kib", output, ""), 64 << 10)
        self.assertGreaterEqual(parsers.parse("descriptors", output, ""), 40)

    def test_end_a_program_and_its_children_at_the_limit(self):
        program = self.python("endless.py", f"""
import os, pathlib, time
child = os.fork()
if child: pathlib.Path({str(self.folder / "child")!r}).write_text(str(child))
while True: time.sleep(60)
""")
        with self.assertRaisesRegex(Failed, "took longer than 1 s"):
            self.run_command(program, limit_ms=1000)
        try:
            child = os.pidfd_open(int((self.folder / "child").read_text()))
        except ProcessLookupError:
            return  # it has ended already
        self.addCleanup(os.close, child)
        self.assertTrue(select.select([child], [], [], 20)[0], "the child runs on")

    def test_tell_the_last_line_of_a_failure(self):
        program = self.python("fail.py", "import sys; print('first', file=sys.stderr); sys.exit('no device')")
        self.assertRaisesRegex(Failed, "^no device$", self.run_command, program)

    def test_tell_that_a_server_ended(self):
        server = self.python("server.py", "import sys; sys.exit('no such transport')")
        self.assertRaisesRegex(Failed, "the server ended: no such transport", self.run_command, self.python("client.py", ""), server)

    def test_pin_servers_and_clients_that_do_not_pin_themselves(self):
        program = self.python("where.py", "import os; print(os.sched_getaffinity(0))")
        self.assertEqual(self.run_command(program, pinned=True).strip(), str({min(os.sched_getaffinity(0))}))


class Absence(unittest.TestCase):
    def test_has_a_reason(self):
        programs = Programs(pathlib.Path("/nonexistent"))
        self.assertEqual(programs.absence("{nd}"), "nd is not among the programs of this build")
        self.assertIn("with -D OPENND_BENCHMARKS=ON", programs.absence("{floors}/plain_wake"))
        self.assertEqual(programs.absence("sh"), "")


if __name__ == "__main__":
    unittest.main()
