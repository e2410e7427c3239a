#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Another reader of [MS-SMBD] understands the example's messages: tshark finds the negotiation, puts all fragments together, and sees the
Sends that invalidate.

    capture_test.py SMB_DIRECT    exit code 77 without tshark
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HEADERS = {"request": 40, "response": 8}  # of the example's own upper layer
FRAGMENT = 1340
SIZES = (1, 512, 1340, 1341, 4096, 65536, 100001, 1 << 20)
WITH_INVALIDATE = "4"  # RDMAP's opcode


def capture(program, file):
    subprocess.run([program, "both", "127.0.0.1", "nd1", "nd1"], check=True, stdout=subprocess.DEVNULL, timeout=60,
                   env={**os.environ, "OPENND_CAPTURE": str(file)})


def values(file, condition, *fields):
    words = [word for field in fields for word in ("-e", field)]
    done = subprocess.run(["tshark", "--enable-heuristic", "smb_direct_iwarp", "-r", file, "-Y", condition, "-T", "fields", *words], check=True,
                          capture_output=True, text=True, timeout=60)
    return [line.split("\t") for line in done.stdout.splitlines()]


def check(file):
    terms = [f"smb_direct.{name}" for name in ("version.min", "version.max", "credits.requested", "preferred_send_size", "max_receive_size",
                                               "max_fragmented_size")]
    assert values(file, "smb_direct.negotiate_request", *terms) == [["0x0100", "0x0100", "255", "1364", "8192", "1052672"]]
    answer = values(file, "smb_direct.negotiate_response", *terms, "smb_direct.credits.granted", "smb_direct.status", "smb_direct.max_read_write_size")
    assert answer == [["0x0100", "0x0100", "255", "1364", "1364", "1052672", "255", "0x00000000", "1048576"]], answer
    whole = [[int(part) for part in parts]
             for parts in values(file, "smb_direct.reassembled.length", "smb_direct.fragment.count", "smb_direct.reassembled.length")]
    messages = [size + header for size in SIZES for header in HEADERS.values() if size + header > FRAGMENT]
    assert whole == [[-(-message // FRAGMENT), message] for message in messages], whole
    assert not values(file, "_ws.malformed or smb_direct.fragment.error or smb_direct.fragment.overlap", "frame.number")
    assert len(values(file, f"iwarp_rdma.opcode == {WITH_INVALIDATE}", "frame.number")) == 2 * len(SIZES)


def main():
    if not shutil.which("tshark"):
        print("there is no tshark", file=sys.stderr)
        return 77
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "traffic.pcapng"
        capture(sys.argv[1], file)
        check(file)
    return 0


if __name__ == "__main__":
    sys.exit(main())
