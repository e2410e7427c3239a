# SPDX-License-Identifier: MIT
"""A capture of one interface, and tshark's view of the iWARP in it."""
import collections
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import time

# iWARP is known by its first frames alone (IW-IOP-19, -20), on a port of another protocol only if that comes first
# (IW-IOP-21). Short messages of a program are not RPC over RDMA, for which two dissectors would take them (IW-IOP-22).
SETTINGS = ["-o", "tcp.try_heuristic_first:TRUE", "-o", "tcp.reassemble_out_of_order:TRUE",
            "--disable-heuristic", "rpcrdma_iwarp", "--disable-heuristic", "smb_direct_iwarp"]
# Said of every frame of revision 2 by versions before 4.6, which know revision 1 (IW-IOP-23).
HARMLESS = ("Res field is NOT set to zero as required by RFC 5044",
            "Rev field is NOT set to one as required by RFC 5044")
# As tshark prints them: "Errors (1)", and below it "   1   Malformed   IWARP_DDP_RDMAP   text".
_SECTION = re.compile(r"^(\w+) \(\d+\)$")
_REMARK = re.compile(r"^ +(?P<times>\d+) +\w+ +(?P<protocol>\S+) +(?P<text>.*)$")
_WITHOUT_PAYLOAD = (1, 7)  # Read Request and Terminate: RFC 5040, section 4.3
_TAGGED_HEADER, _UNTAGGED_HEADER = 14, 18  # octets of DDP and RDMAP: RFC 5041, section 4
_DISCARD = 9  # UDP port of the marks that tell how far the capture is
_PATIENCE_S = 20


def missing():
    """What there is none of, or nothing."""
    return [program for program in ("tshark", "dumpcap") if not shutil.which(program)]


class Capture:
    """with Capture(file): every TCP packet of the loopback interface from here to the end of the block."""

    def __init__(self, path, interface="lo"):
        self.path = pathlib.Path(path)
        self._command = ["dumpcap", "-q", "-i", interface, "-B", "64", "-w", str(path), "-f",
                         f"tcp or udp port {_DISCARD}"]
        self._marks = 0

    def __enter__(self):
        self._process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self._pass_mark()
        return self

    def __exit__(self, *_):
        self._pass_mark()
        self._process.send_signal(signal.SIGINT)
        _, said = self._process.communicate(timeout=_PATIENCE_S)
        if "/0 (" not in said:
            raise RuntimeError(f"the capture lost packets: {said}")

    def _pass_mark(self):
        """A datagram of its own is in the file, so is everything before it."""
        self._marks += 1
        mark = f"mark {self._marks} of {self.path}".encode()
        end = time.monotonic() + _PATIENCE_S
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as marker:
            while not self.path.exists() or mark not in self.path.read_bytes():
                if self._process.poll() is not None:
                    raise RuntimeError(f"dumpcap ended: {self._process.stderr.read()}")
                if time.monotonic() > end:
                    raise RuntimeError("dumpcap does not capture")
                try:
                    marker.sendto(mark, ("127.0.0.1", _DISCARD))
                except ConnectionRefusedError:
                    pass
                time.sleep(0.05)


# payload: the octets of all its FPDUs, as tshark hands them to whatever protocol comes next.
Message = collections.namedtuple("Message", "stream source_port opcode payload")
Fpdu = collections.namedtuple("Fpdu", "opcode ulpdu_length tagged queue last with_crc")
# octets: of TCP in this packet.
Packet = collections.namedtuple("Packet", "number stream source_port request reply revision crc rejected octets fpdus")


class Reading:
    """What tshark makes of a capture."""

    _FIELDS = ("frame.number", "tcp.stream", "tcp.srcport", "iwarp_mpa.req", "iwarp_mpa.rep", "iwarp_mpa.rev",
               "iwarp_mpa.crc_flag", "iwarp_mpa.rej_flag", "tcp.len", "iwarp_mpa.ulpdulength", "iwarp_rdma.opcode",
               "iwarp_ddp.tagged_flag", "iwarp_ddp.qn", "iwarp_ddp.last_flag", "iwarp_mpa.crc_check")

    def __init__(self, path):
        self._path = str(path)

    def packets(self):
        """Those with iWARP in them."""
        return [self._packet(row) for row in self.select("iwarp_mpa", *self._FIELDS)]

    def messages(self):
        """Those whose payload is a program's: Sends, Writes and Read Responses, whole, in the order of their ends."""
        open_ones, whole = {}, []
        for stream, port, opcodes, lasts, tagged, lengths, data in self.select(
                "iwarp_mpa.ulpdulength", "tcp.stream", "tcp.srcport", "iwarp_rdma.opcode", "iwarp_ddp.last_flag",
                "iwarp_ddp.tagged_flag", "iwarp_mpa.ulpdulength", "data.data"):
            payloads = iter(data.split(";"))
            for opcode, last, of_memory, length in zip(*(field.split(";") for field in (opcodes, lasts, tagged, lengths))):
                opcode = int(opcode, 16)
                if opcode in _WITHOUT_PAYLOAD:
                    continue
                empty = int(length) == (_TAGGED_HEADER if of_memory == "1" else _UNTAGGED_HEADER)
                key = (int(stream), int(port), opcode)
                open_ones[key] = open_ones.get(key, b"") + (b"" if empty else bytes.fromhex(next(payloads)))
                if last == "1":
                    whole.append(Message(*key, open_ones.pop(key)))
            if left := [each for each in payloads if each]:
                raise RuntimeError(f"octets of no message: {left}")
        return whole

    def undecoded(self):
        """Numbers of packets with octets that are no iWARP, nor a part of an FPDU that a later packet ends."""
        wanted = "tcp.len > 0 && !iwarp_mpa && !tcp.reassembled_in && !tcp.analysis.retransmission"
        return [row[0] for row in self.select(wanted, "frame.number")]

    def remarks(self):
        """Errors of any protocol, malformed packets among them, and warnings of iWARP's, without the harmless ones."""
        section, found = "", []
        for line in self._tshark("-q", "-z", "expert").splitlines():
            if heading := _SECTION.match(line):
                section = heading[1]
            elif (remark := _REMARK.match(line)) and (section == "Errors" or
                                                      section == "Warns" and remark["protocol"].startswith("IWARP")):
                if remark["text"] not in HARMLESS:
                    found.append(f"{section}: {remark['protocol']}: {remark['text']} ({remark['times']} times)")
        return found

    def select(self, wanted, *fields):
        names = [part for field in fields for part in ("-e", field)]
        text = self._tshark("-Y", wanted, "-T", "fields", "-E", "separator=|", "-E", "aggregator=;", *names)
        return [line.split("|") for line in text.splitlines()]

    def in_full(self, wanted="iwarp_mpa"):
        """As text, every field. Only there is a bad CRC told (IW-IOP-24)."""
        return self._tshark("-Y", wanted, "-O", "iwarp_mpa,iwarp_ddp_rdmap")

    def _tshark(self, *arguments):
        # Twice over it: a part of an FPDU is told from other octets by the packet that ends it.
        done = subprocess.run(["tshark", "-2", "-r", self._path, *SETTINGS, *arguments], capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"tshark: {done.stderr}")
        return done.stdout

    @staticmethod
    def _packet(row):
        number, stream, port, request, reply, revision, crc, rejected, octets = row[:9]
        lengths, opcodes, tagged, queues, last, checks = (field.split(";") if field else [] for field in row[9:])
        queues = iter(queues)
        fpdus = [Fpdu(int(opcode, 16), int(length), of_memory == "1", None if of_memory == "1" else int(next(queues)),
                      final == "1", bool(checks))
                 for opcode, length, of_memory, final in zip(opcodes, lengths, tagged, last)]
        return Packet(int(number), int(stream), int(port), bool(request), bool(reply), revision, crc, rejected,
                      int(octets), fpdus)
