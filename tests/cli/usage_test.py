#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`nd` understands addresses with ports, names the word that was meant and the limit that was passed, and says for whom it waits."""
import os
import socket
import subprocess
import sys

sys.dont_write_bytecode = True
from programs import DEADLINE_S, port_of, run, running, wait_for  # noqa: E402

# Words, exit code, and words of the complaint.
COMPLAINTS = (
    (("pref", "--self"), 2, "nd: no command is 'pref'; did you mean perf?"),
    (("zzzzzz",), 2, "nd: no command is 'zzzzzz'\n"),
    ((), 2, "nd: a command is needed: info, doctor, ping, perf, "),
    (("--versoin",), 2, "nd: no option is '--versoin'; did you mean --version?"),
    (("perf", "--siez", "8", "--self"), 2, "nd perf: no option is '--siez'; did you mean --size?\n  nd perf --help-all tells more"),
    (("perf", "send_lat", "-k", "2"), 2, "nd perf: no option is '-k'\n"),
    (("perf", "send_lat", "--itres=8"), 2, "nd perf: no option is '--itres'; did you mean --iters?"),
    (("perf", "sned_lat", "--self"), 2, "'sned_lat' is none of send_lat, send_bw, "),
    (("perf", "sned_lat", "--self"), 2, "; did you mean send_lat?"),
    (("ping", "--self", "--transport", "shm,iwrap"), 2, "'iwrap' is none of loopback, shm, iwarp, verbs, verbs+shm; did you mean iwarp?"),
    (("info", "--transport", "^lopback"), 2, "; did you mean loopback?"),
    (("show", "con"), 2, "; did you mean conn?"),
    (("explain", "ND_IO_TIMOUT"), 2, "; did you mean ND_IO_TIMEOUT?"),
    (("explain", "CHECK-LAEK"), 2, "; did you mean CHECK-LEAK?"),
    (("info", "127.0.0.2"), 2, "no adapter is at the interface or address '127.0.0.2'"),
    (("generate", "man", "prf"), 2, "no command is 'prf'"),
    (("perf", "send_lat", "--self", "--json", "results.json"), 2, "--json takes no file name, as 'results.json'"),
    (("perf", "send_lat", "--self", "--json=results"), 2, "or with --output results to that file"),
    (("perf", "send_lat", "--self", "--json", "results"), 2, "--json takes no file name, as 'results'"),
    (("ps", "--json", "-"), 2, "--json takes no file name: it prints to standard output"),
    (("ps", "--output", "file"), 2, "--json"),
    (("ps", "--json", "--output", "/nonexistent/file"), 1, "cannot write /nonexistent/file: No such file"),
    (("help", "prf"), 2, "help: no command is 'prf'; did you mean perf?"),
    (("ping", "127.0.0.1", "-p", "65536"), 2, "'65536' is outside 0 to 65535"),
    (("perf", "send_lat", "--self", "-q", "0"), 2, "'0' is outside 1 to 16384"),
    (("perf", "send_lat", "--self", "-r", "1"), 2, "'1' is outside 2 to 4294967295"),
    (("perf", "send_lat", "--self", "-n", "many"), 2, "'many' is outside 1 to "),
    (("perf", "send_lat", "--self", "-D", "0"), 2, "'0' is outside 0.001 to 4000000"),
    (("perf", "send_lat", "--self", "-t", "1000000000"), 1, "MaxInitiatorQueueDepth of the adapter"),
    (("perf", "send_lat", "--self", "-q", "0"), 2, "nd perf: -q: "),
    (("perf", "send_lat", "--self", "-q0"), 2, "nd perf: -q: "),
    (("perf", "send_lat", "--self", "-bq0"), 2, "nd perf: -q: "),
    (("perf", "send_lat", "--self", "--qp", "0"), 2, "nd perf: --qp: "),
    (("perf", "send_lat", "--self", "--qp=0"), 2, "nd perf: --qp: "),
    (("perf", "send_lat", "--self", "-a", "-s", "8"), 2, "-s excludes -a"),
    (("perf", "send_lat", "--self", "--all", "-s", "8"), 2, "-s excludes --all"),
    (("perf", "send_lat", "--self", "-n"), 2, "nd perf: -n: "),
    (("ping", "127.0.0.1", "--timeout", "0"), 2, "'0' is outside 0.1 to 86400"),
    (("ping", "127.0.0.1:x"), 2, "'x' in '127.0.0.1:x' is no port: a number from 0 to 65535"),
    (("ping", "127.0.0.1:65536"), 2, "is no port"),
    (("ping", "127.0.0.1:"), 2, "is no port"),
    (("ping", "[::1"), 2, "'[::1' is neither [ADDRESS] nor [ADDRESS]:PORT"),
    (("ping", "[::1]7174"), 2, "is neither [ADDRESS] nor [ADDRESS]:PORT"),
    (("ping", "127.0.0.1:1", "-p", "2"), 2, "'127.0.0.1:1' names port 1, and -p port 2"),
    (("ping", "127.0.0.1:1", "-p", "1"), 1, "connect to 127.0.0.1 port 1"),
    (("doctor", "127.0.0.1:1", "-p", "2"), 2, "names port 1, and -p port 2"),
)


def check_complaints(command):
    for words, code, complaint in COMPLAINTS:
        done = run(command, *words)
        assert done.returncode == code and complaint in done.stderr, (words, done)
        assert not done.stdout or words[0] == "doctor", (words, done)


def check_settings(command):
    for name, value, complaint in (("OPENND_TRANSPORTS", "shm", "OPENND_TRANSPORT is one"),
                                   ("OPENND_LGO", "debug", "OPENND_LOG is one"),
                                   ("OPENND_LOG_LEVEL", "debug", "OPENND_LOG is one"),
                                   ("OPENND_VERBOSE_OUTPUT", "1", "OPENND_VERBOSE_OUTPUT is set, and no setting has"),
                                   ("OPENND_LOOKS", "perhaps", "OPENND_LOOKS")):
        done = run(command, "ping", "--self", "-c", "1", env={**os.environ, name: value})
        assert done.returncode == 0 and complaint in done.stderr, done


def check_missing_hardware(command):
    """The reason why there is none, of the library; not of a feature."""
    if os.path.isdir("/sys/class/infiniband") and os.listdir("/sys/class/infiniband"):
        return
    done = run(command, "ping", "--self", "-c", "1", env={**os.environ, "OPENND_TRANSPORT": "verbs"})
    assert done.returncode == 1, done
    assert "no RDMA device" in done.stderr or "built without it (OPENND_VERBS)" in done.stderr, done
    assert "verbs,shm,iwarp" in done.stderr and "lacks the feature" not in done.stderr, done


def check_help_to_a_full_disk(command):
    if not os.path.exists("/dev/full"):
        return
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run([command, "--help"], stdout=full, stderr=subprocess.PIPE, text=True, timeout=DEADLINE_S)
    assert done.returncode == 1 and "cannot write all of the output" in done.stderr, done


def check_ports(command):
    """The port in the address, at either side; the exchange is verified."""
    addresses = ["127.0.0.1", "localhost"]
    with socket.socket(socket.AF_INET6) as probe:
        try:
            probe.bind(("::1", 0))
            addresses.append("[::1]")
        except OSError:
            pass  # a host without IPv6
    for address in addresses:
        with running(command, "ping", "--server", "--local", f"{address}:0") as server:
            port = port_of(server)
            assert port != "7174", "port 0 is any free one"
            done = run(command, "ping", f"{address}:{port}", "-c", "2")
            assert done.returncode == 0 and "2 of 2 rounds verified" in done.stdout, (address, done)
    with running(command, "perf", "--server", "--local", "127.0.0.1", "-p", "0") as server:
        done = run(command, "perf", "send_lat", f"127.0.0.1:{port_of(server)}", "-n", "100")
        assert done.returncode == 0, done


def check_silent_server(command):
    """It takes TCP connections, and never says anything."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        done = run(command, "ping", f"127.0.0.1:{port}", "--transport", "iwarp", "--timeout", "1.5")
    assert done.returncode == 1, done
    assert f"connecting to 127.0.0.1 port {port} ...\n" in done.stderr, done
    assert f"cannot connect to 127.0.0.1 port {port}: no answer after 1.5 s (--timeout)" in done.stderr, done


def check_turns(command, transport, api):
    """A second client is told that the server measures for another one, and has its turn when that has gone."""
    common = ("--transport", transport, "--api", api)
    with running(command, "perf", "--server", "--persist", "--local", "127.0.0.1", "--port", "0", *common) as server:
        server_at = f"127.0.0.1:{port_of(server)}"
        with running(command, "perf", "send_lat", server_at, "--iters", "1000000000", *common) as first:
            connected = lambda: '"wire"' in run(command, "show", "conn", str(first.pid), "--json").stdout
            wait_for(connected, "the first client is connected")
            for patience in ("1.5", "6", "24"):  # a busy machine may need some for the server's answer
                done = run(command, "perf", "send_lat", server_at, "--timeout", patience, *common)
                if "waiting for its end" in done.stderr:
                    break
            assert done.returncode == 1 and "measures for another client; waiting for its end" in done.stderr, done
            assert f"it still measures for another client after {patience} s (--timeout)" in done.stderr, done
            with subprocess.Popen([command, "perf", "send_lat", server_at, "--iters", "100", *common], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True) as second:
                assert "waiting for its end" in second.stderr.readline()
                first.terminate()
                out, errors = second.communicate(timeout=DEADLINE_S)
            assert second.returncode == 0 and " 100 " in out and not errors, (out, errors)
            assert first.wait() != 0


def main():
    command = sys.argv[1]
    check_complaints(command)
    check_settings(command)
    check_missing_hardware(command)
    check_help_to_a_full_disk(command)
    check_ports(command)
    check_silent_server(command)
    for transport in ("shm", "iwarp"):
        for api in ("nd2", "nd1", "ndk"):
            check_turns(command, transport, api)


if __name__ == "__main__":
    main()
