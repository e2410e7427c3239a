#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What `nd ping` and `nd perf` send over iwarp, as Wireshark's dissectors read it: all of it is iWARP, nothing is
malformed, and it is what was to be sent.

    capture_test.py ND    in a network namespace of its own; exit code 77 where there is none, or no tshark

Proves IW-IOP-19 to -25, -27, -37.
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

from capture import Capture, Reading, missing
from private_network import enter, skip

ND = sys.argv[1] if len(sys.argv) > 1 else ""
WRITE, READ_REQUEST, READ_RESPONSE, SEND, TERMINATE = 0, 1, 2, 3, 7
PORT_OF_ANOTHER_PROTOCOL = 445
ROUNDS = 3


def nd(*arguments):
    done = subprocess.run([ND, *map(str, arguments), "--transport", "iwarp"], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"nd {arguments}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def ping_on_port(port):
    """A server whose port is chosen: it prints a line when it listens."""
    server = subprocess.Popen([ND, "ping", "--server", "--local", "127.0.0.1", "-p", str(port), "--transport", "iwarp"],
                              stdout=subprocess.PIPE, text=True)
    with server:
        server.stdout.readline()
        nd("ping", "127.0.0.1", "-p", port, "-c", ROUNDS)


def traffic():
    for address in ("127.0.0.1", "::1"):
        nd("ping", "--self", "--local", address, "-c", ROUNDS, "-s", 4097)
    ping_on_port(PORT_OF_ANOTHER_PROTOCOL)
    for size in (8, 1000, 200_000):
        nd("perf", "all", "--self", "--verify", "-s", size, "-n", 20, "--warmup", 2)


class CaptureTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "traffic.pcapng")
            with Capture(path):
                traffic()
            cls.reading = Reading(path)
            cls.packets = cls.reading.packets()
            cls.remarks = cls.reading.remarks()
            cls.undecoded = cls.reading.undecoded()
            cls.text = cls.reading.in_full()
            cls.streams = {}
            for packet in cls.packets:
                cls.streams.setdefault(packet.stream, []).append(packet)

    def fpdus(self):
        return (fpdu for packet in self.packets for fpdu in packet.fpdus)

    def test_nothing_is_malformed_nor_remarked_on(self):
        self.assertEqual(self.remarks, [])

    def test_every_octet_is_read_as_iwarp(self):
        self.assertEqual(self.undecoded, [])

    def test_a_checksum_is_in_every_message_and_good(self):
        self.assertTrue(all(fpdu.with_crc for fpdu in self.fpdus()))
        self.assertEqual(self.text.count("Bad CRC32"), 0)

    def test_each_connection_opens_with_a_request_and_a_reply_that_accepts(self):
        for stream, packets in self.streams.items():
            with self.subTest(stream=stream):
                request, reply, opening = packets[:3]
                self.assertTrue(request.request and reply.reply)
                self.assertEqual((request.revision, request.crc, reply.revision, reply.crc, reply.rejected),
                                 ("2", "1", "2", "1", "0"))
                self.assertEqual((request.fpdus, reply.fpdus), ([], []), "no message before the Reply is out")
                self.assertEqual(opening.source_port, request.source_port, "the initiator is the first to send")
                first = opening.fpdus[0]
                self.assertEqual((first.opcode, first.ulpdu_length), (WRITE, 14), "the opening is an empty Write")

    def test_no_connection_ends_by_a_terminate(self):
        self.assertNotIn(TERMINATE, {fpdu.opcode for fpdu in self.fpdus()})

    def test_each_kind_of_message_is_there_in_its_form(self):
        forms = {(fpdu.opcode, fpdu.tagged, fpdu.queue) for fpdu in self.fpdus()}
        self.assertEqual(forms, {(WRITE, True, None), (READ_RESPONSE, True, None), (SEND, False, 0),
                                 (READ_REQUEST, False, 1)})

    def test_messages_share_packets_and_stretch_over_several(self):
        self.assertTrue(any(len(packet.fpdus) > 1 for packet in self.packets), "several FPDUs in one packet")
        self.assertTrue(any(not fpdu.last for fpdu in self.fpdus()), "a message of several FPDUs")

    def test_a_port_of_another_protocol_does_not_matter(self):
        packets = self.reading_of_port(PORT_OF_ANOTHER_PROTOCOL)
        self.assertGreaterEqual(sum(fpdu.opcode == SEND for packet in packets for fpdu in packet.fpdus), 2 * ROUNDS)

    def reading_of_port(self, port):
        streams = [packets for packets in self.streams.values() if packets[1].source_port == port]
        self.assertEqual(len(streams), 1)
        return streams[0]


if __name__ == "__main__":
    if none := missing():
        skip(f"{' and '.join(none)} of Wireshark is not installed")
    enter()
    unittest.main(argv=sys.argv[:1])
