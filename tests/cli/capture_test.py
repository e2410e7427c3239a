#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Captures of processes that run: tshark decodes them without a plugin and without a remark, over every wire and by every interface;
rings rotate, snap lengths cut, and a file that cannot be written is told while the program goes on.

    capture_test.py ND    exit code 77 without tshark, after the tests that need none
"""
import contextlib
import fcntl
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "network"))
from capture import Reading  # noqa: E402

ND = sys.argv[1] if len(sys.argv) > 1 else ""
DEADLINE_S = 60
WRITE, READ_REQUEST, READ_RESPONSE, SEND, TERMINATE = 0, 1, 2, 3, 7
PROFILE = pathlib.Path(__file__).parents[2] / "data/wireshark/OpenND"
NEEDS_TSHARK = unittest.skipUnless(shutil.which("tshark"), "tshark of Wireshark is not installed")


def pattern(size, sequence):
    """The bytes of message or operation `sequence` under --verify, by the rule that cli/pattern.h has."""
    words = []
    for index in range(-(-size // 8)):
        mixed = ((sequence + 1) * 0x9E3779B97F4A7C15 + index * 0xBF58476D1CE4E5B9) % 2**64
        mixed ^= mixed >> 31
        words.append((mixed * 0x94D049BB133111EB % 2**64).to_bytes(8, sys.byteorder))
    return b"".join(words)[:size]


def run(*words, **environment):
    return subprocess.run([ND, *map(str, words)], capture_output=True, text=True, timeout=2 * DEADLINE_S,
                          env={**os.environ, **environment})


def perf(*words, **environment):
    other_side = "--threads" if "loopback" in words else "--self"
    done = run("perf", *words, other_side, "--local", "127.0.0.1", **environment)
    assert done.returncode == 0, f"{words}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done


@contextlib.contextmanager
def running(*words):
    process = subprocess.Popen([ND, *words], stdout=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def wait_for(condition, what):
    end = time.monotonic() + DEADLINE_S
    while time.monotonic() < end:
        if found := condition():
            return found
    raise AssertionError(f"within {DEADLINE_S} s: {what}")


class CaptureTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.file = self.folder / "traffic.pcapng"

    def files(self):
        return sorted(self.folder.glob("*.pcapng"))

    def assert_decodes(self, path):
        reading = Reading(path)
        self.assertEqual(reading.remarks(), [])
        self.assertEqual(reading.undecoded(), [])
        self.assertEqual(reading.in_full().count("Bad CRC32"), 0)
        packets = reading.packets()
        for stream in {packet.stream for packet in packets}:
            first = [packet for packet in packets if packet.stream == stream][:2]
            self.assertTrue(first[0].request and first[1].reply, "each connection opens with MPA's two frames")
        return packets

    @NEEDS_TSHARK
    def test_tshark_decodes_every_wire_and_interface(self):
        for transport, api, size in (("shm", "nd2", 100_000), ("shm", "ndk", 8), ("shm", "nd1", 8), ("loopback", "nd2", 8),
                                     ("loopback", "ndk", 100_000), ("iwarp", "nd2", 8), ("iwarp", "ndk", 100_000)):
            with self.subTest(transport=transport, api=api, size=size):
                for old in self.files():
                    old.unlink()
                perf("all", "--verify", "-s", size, "-n", 10, "--warmup", 2, "--transport", transport, "--api", api,
                     OPENND_CAPTURE=str(self.file))
                self.assertEqual(len(self.files()), 1 if transport == "loopback" else 2, self.files())
                seen = set()
                for path in self.files():
                    seen |= {fpdu.opcode for packet in self.assert_decodes(path) for fpdu in packet.fpdus}
                self.assertLessEqual({WRITE, READ_REQUEST, READ_RESPONSE, SEND}, seen)
                self.assertNotIn(TERMINATE, seen)

    def payloads(self, test, transport, size, count):
        """By file, direction of a connection, and opcode: the payloads of this size, in their order."""
        for old in self.files():
            old.unlink()
        perf(test, "--verify", "-s", size, "-n", count, "--warmup", 0, "--transport", transport, OPENND_CAPTURE=str(self.file))
        found = {}
        for path in self.files():
            for message in Reading(path).messages():
                if len(message.payload) == size:
                    key = (path.name, message.stream, message.source_port, message.opcode)
                    found.setdefault(key, []).append(message.payload)
        return found

    @NEEDS_TSHARK
    def test_the_bytes_in_tshark_are_the_programs(self):
        for transport in ("shm", "loopback", "iwarp"):
            files = 1 if transport == "loopback" else 2
            for size, count in ((1001, 5), (100_000, 3)):
                sent = [pattern(size, number) for number in range(count)]
                with self.subTest(transport=transport, size=size, test="send_lat"):
                    found = self.payloads("send_lat", transport, size, count)
                    # Both sides send, and each file has both directions.
                    self.assertEqual([key[3] for key in found], [SEND] * (2 * files), found.keys())
                    self.assertTrue(all(each == sent for each in found.values()), "a message has other bytes")
                with self.subTest(transport=transport, size=size, test="write_bw"):
                    found = self.payloads("write_bw", transport, size, count)
                    # Written, and read back: known to the client alone.
                    self.assertEqual(sorted(key[3] for key in found), [WRITE, READ_RESPONSE], found.keys())
                    self.assertTrue(all(each == sent for each in found.values()), "an operation has other bytes")

    @NEEDS_TSHARK
    def test_a_running_process_is_captured_from_outside(self):
        words = ["perf", "--server", "--persist", "--local", "127.0.0.1", "--port", "0", "--transport", "shm"]
        with running(*words) as server:
            port = next(found for line in server.stdout if (found := re.search(r"port (\d+)", line)))[1]
            with running("perf", "send_lat", "127.0.0.1", "--port", port, "--events", "--iters", "100000000", "--transport",
                         "shm") as client:
                wait_for(lambda: str(client.pid) in run("show", "conn").stdout, "the client is connected")
                done = run("capture", client.pid, "-w", self.file, "--duration", "0.1", "--json", "not", "port", "1")
        self.assertEqual(done.returncode, 0, done.stderr)
        report = json.loads(done.stdout)
        self.assertEqual((report["file"], report["dropped"]), (str(self.file), 0))
        self.assertGreater(report["connections"], 0)
        packets = self.assert_decodes(self.file)
        self.assertEqual({fpdu.opcode for packet in packets for fpdu in packet.fpdus}, {SEND})

    @NEEDS_TSHARK
    def test_the_line_at_the_end_decodes_the_file(self):
        file = self.folder / "file with a blank.pcapng"
        with self.busy_client() as client:
            done = run("capture", client.pid, "-w", file, "--duration", "0.1")
        (line,) = [line for line in done.stdout.splitlines() if line.startswith("decode: ")]
        words = shlex.split(line.removeprefix("decode: "))
        self.assertEqual(words[:3], ["tshark", "-r", str(file)])
        decoded = subprocess.run(words, capture_output=True, text=True, timeout=DEADLINE_S, check=True).stdout
        self.assertIn("Send [last DDP segment]", decoded)
        self.assertNotIn("Malformed", decoded)

    @NEEDS_TSHARK
    def test_the_profile_for_wireshark_decodes_short_messages(self):
        """Those by which the two sides of nd perf talk are such."""
        perf("send_lat", "-n", 20, "-s", 40, "--transport", "loopback", OPENND_CAPTURE=str(self.file))
        profiles = self.folder / "wireshark/profiles"
        shutil.copytree(PROFILE, profiles / PROFILE.name)
        done = subprocess.run(["tshark", "-C", PROFILE.name, "-r", self.file], capture_output=True, text=True, timeout=DEADLINE_S,
                              env={**os.environ, "XDG_CONFIG_HOME": str(self.folder)}, check=True)
        self.assertIn("Send [last DDP segment]", done.stdout)
        self.assertNotIn("Malformed", done.stdout)
        self.assertNotRegex(done.stderr, "(?i)error|obsolete|can't|not exist")

    @contextlib.contextmanager
    def busy_client(self):
        """A process that sends without end."""
        with running("perf", "--server", "--persist", "--local", "127.0.0.1", "--port", "0", "--transport", "shm") as server:
            port = next(found for line in server.stdout if (found := re.search(r"port (\d+)", line)))[1]
            with running("perf", "send_lat", "127.0.0.1", "--port", port, "--iters", "100000000", "--size", "10000", "--transport",
                         "shm") as client:
                wait_for(lambda: str(client.pid) in run("show", "conn").stdout, "the client is connected")
                yield client

    def test_a_running_process_writes_to_the_standard_output_of_the_one_that_asks(self):
        with self.busy_client() as client:
            done = subprocess.run([ND, "capture", str(client.pid), "-w", "-", "--duration", "0.1"], capture_output=True, timeout=DEADLINE_S,
                                  check=True)
        self.assertEqual(done.stdout[:4], b"\n\r\r\n", "pcapng from its first octet on")
        self.assertIn(b"capturing to -", done.stderr)
        self.assertIn(b"packets of", done.stderr)

    def test_a_running_process_writes_to_a_pipe(self):
        os.mkfifo(self.file)
        with self.busy_client() as client, subprocess.Popen(["head", "-c", "100000", self.file], stdout=subprocess.PIPE) as reader:
            done = run("capture", client.pid, "-w", self.file, "--duration", "0.2")
            octets = reader.communicate()[0]
        self.assertEqual(octets[:4], b"\n\r\r\n", done)

    def test_a_running_process_gets_the_files_of_a_ring(self):
        with self.busy_client() as client:
            with running("capture", str(client.pid), "-w", str(self.file), "-C", "1", "-W", "3") as visitor:
                newest = lambda: int(self.files()[-1].name.split("_")[1]) if self.files() else 0
                wait_for(lambda: newest() > 4, "the ring turns")
                visitor.send_signal(signal.SIGINT)
                self.assertIn("packets of", visitor.communicate(timeout=DEADLINE_S)[0])
        self.assertEqual(len(self.files()), 3, "older ones went")
        for file in self.files():
            self.assertLessEqual(file.stat().st_size, 1_000_000)
            self.assertEqual(stat.S_IMODE(file.stat().st_mode), 0o600)

    def test_a_name_without_a_folder_is_of_the_folder_of_the_process_that_asks(self):
        with self.busy_client() as client:
            done = subprocess.run([os.path.abspath(ND), "capture", str(client.pid), "-w", "here.pcapng", "--duration", "0.1"], capture_output=True, text=True,
                                  timeout=DEADLINE_S, cwd=self.folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            opened = []
            for each in os.listdir(f"/proc/{client.pid}/fd"):
                with contextlib.suppress(FileNotFoundError):  # it is closed meanwhile
                    opened.append(os.readlink(f"/proc/{client.pid}/fd/{each}"))
            self.assertNotIn(str(self.folder / "here.pcapng"), opened, "the capture has ended")
        self.assertGreater((self.folder / "here.pcapng").stat().st_size, 1000)

    def test_a_file_of_another_user_or_a_link_is_refused(self):
        with self.busy_client() as client:
            precious = self.folder / "precious"
            precious.write_text("content")
            self.file.symlink_to(precious)
            self.assertIn("symbolic link", run("capture", client.pid, "-w", self.file, "--duration", "0.1").stderr)
            if os.geteuid() == 0:
                os.chown(precious, 12345, 12345)
                self.assertIn("another user's", run("capture", client.pid, "-w", precious, "--duration", "0.1").stderr)
            self.assertEqual(precious.read_text(), "content")

    def test_the_log_names_the_file_that_is_written(self):
        with open(self.file, "wb") as taken:
            fcntl.flock(taken, fcntl.LOCK_EX)
            done = perf("send_lat", "-n", 10, "--transport", "loopback", OPENND_CAPTURE=str(self.file), OPENND_LOG="info")
        self.assertRegex(done.stderr, r"capture: to \S+/traffic_\d+\.pcapng")

    def test_a_capture_ends_with_the_visitor(self):
        with running("ping", "--server", "--local", "127.0.0.1", "-p", "0", "--transport", "shm") as server:
            server.stdout.readline()
            with running("capture", str(server.pid), "-w", str(self.file)) as visitor:
                self.assertIn("capturing to", visitor.stdout.readline())
                second = run("capture", server.pid, "-w", self.folder / "second.pcapng", "--duration", "1")
                self.assertNotEqual(second.returncode, 0)
                self.assertIn(f"a capture to {self.file} runs", second.stderr)
            third = lambda: run("capture", server.pid, "-w", self.file, "--duration", "0.1").returncode == 0
            wait_for(third, "the killed visitor's capture ends, and another begins")

    def test_a_ring_keeps_its_newest_files_each_complete(self):
        perf("send_bw", "-s", 60_000, "-n", 200, "--warmup", 2, "--transport", "loopback", OPENND_CAPTURE=str(self.file),
             OPENND_CAPTURE_FILES="3", OPENND_CAPTURE_FILE_MB="1")
        files = self.files()
        self.assertEqual(len(files), 3)
        self.assertRegex(files[-1].name, r"traffic_000[0-9]{2}_[0-9]{14}\.pcapng")
        self.assertGreater(int(files[-1].name.split("_")[1]), 3, "older ones went")
        self.assertTrue(all(file.stat().st_size <= 1_000_000 for file in files))
        if shutil.which("tshark"):
            for file in files:
                self.assert_decodes(file)

    def test_a_snap_length_cuts_packets(self):
        perf("send_bw", "-s", 60_000, "-n", 50, "--warmup", 2, "--transport", "loopback", OPENND_CAPTURE=str(self.file),
             OPENND_CAPTURE_SNAPLEN="96")
        self.assertLess(self.file.stat().st_size, 300_000)

    def test_a_filter_leaves_connections_out(self):
        perf("send_lat", "-n", 10, "--transport", "loopback", OPENND_CAPTURE=str(self.file), OPENND_CAPTURE_FILTER="wire shm")
        self.assertLess(self.file.stat().st_size, 1000, "no packet")

    def test_an_unwritable_file_is_told_and_the_program_goes_on(self):
        absent = self.folder / "absent" / "traffic.pcapng"
        done = perf("send_lat", "-n", 10, "--transport", "loopback", OPENND_CAPTURE=str(absent))
        self.assertIn(f"capture: {absent} cannot be written: No such file or directory", done.stderr)
        self.assertIn("the program goes on without one", done.stderr)

    def test_a_full_disk_is_told_and_the_program_goes_on(self):
        done = perf("send_lat", "-n", 10, "--transport", "loopback", OPENND_CAPTURE="/dev/full")
        self.assertRegex(done.stderr, "capture: /dev/full cannot be written: No space left on device")

    def test_a_wrong_filter_is_told(self):
        done = perf("send_lat", "-n", 10, "--transport", "loopback", OPENND_CAPTURE=str(self.file),
                    OPENND_CAPTURE_FILTER="prot 5")
        self.assertIn('word 1 of the filter is "prot"', done.stderr)
        self.assertFalse(self.file.exists())

    def test_a_wrong_process_is_told(self):
        done = run("capture", os.getpid(), "-w", self.file, "--duration", "1")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr, f"nd: process {os.getpid()}: no such process tells what it does (it opens no adapter, or OPENND_INSPECTION=off)\n")
        self.assertFalse(self.file.exists())


if __name__ == "__main__":
    ran = unittest.main(argv=sys.argv[:1], exit=False).result
    sys.exit(0 if ran.wasSuccessful() and not ran.skipped else 77 if ran.wasSuccessful() else 1)
