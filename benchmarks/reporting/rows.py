# SPDX-License-Identifier: MIT
"""The table of data: every row of the report. Read row.py first."""
from .row import (BEST_FLOOR, BEST_PEER, BYTES, CONNECTIONS, EACH, FLOOR, FLOORS_GROWTH, LESS, MORE, ONCE, ONE_CONNECTION, OURS, PEER,
                  Bar, Command, Contender, Row)

KIB, MIB = 1 << 10, 1 << 20
SIZES = (8, 64, KIB, 4 * KIB, 64 * KIB, MIB)
SHORT_SIZES = (8, 64, KIB, 4 * KIB)
LONG_SIZES = (64 * KIB, MIB)
STREAM_SIZES = (4 * KIB, 64 * KIB, MIB)
PAIRS = (1, 2, 4, 8, 16, 64, 1000, 10000)
FEW_PAIRS = (2, 4, 8, 16)
MANY_PAIRS = (64, 1000, 10000)
BESIDE = (1, 1000)
WAITERS = (1, 2, 4, 8)
WRITERS = (1, 2, 4)
ONE = (8,)  # of a row that has one point

# Sets for --rows: cost over connections; rows whose winner differs from one processor to the next; rows for a first look.
OVER_CONNECTIONS, ANY_PROCESSOR, SHORT = "connections", "processors", "short"

OPENND, PRIVATE, NO_CRC = "OpenND", "OpenND, private memory", "OpenND, CRC off"
VERSION_1, NDK = "OpenND, version 1", "OpenND, NDK"
ONE_COPY, TWO_COPIES, KERNEL_COPY = "one copy", "two copies", "process_vm"
SPIN, BLOCK = "plain sockets, polled", "plain sockets, asleep"
ONE_LOOP = "OpenND, one loop"
UCX, UCX_LOWER, UCX_PRIVATE, LIBFABRIC, SOCKPERF, IPERF = "UCX", "UCX, lower layer", "UCX, private memory", "libfabric", "sockperf", "iperf3"

LATENCY, BANDWIDTH, RATE = ("us", LESS), ("GB/s", MORE), ("million/s", MORE)


# ---- contenders -------------------------------------------------------------------------------------------------------

def perf(test, transport, options="", environment=()):
    words = f"{{nd}} perf {test} --self --bench --transport {transport} -s {{point}} -D {{seconds}} --cpu {{cpus}} {options}"
    return Command("{nd}", words.strip(), environment=environment)


def ours_shm(test):
    command = perf(test, "shm")
    return (Contender(OPENND, OURS, command, "bench_row", "mappable"), Contender(PRIVATE, OURS, command, "bench_row", "private"))


def ours_tcp(test):
    off = (("OPENND_IWARP_CRC", "off"),)
    return (Contender(OPENND, OURS, perf(test, "iwarp"), "bench_row", "crc"),
            Contender(NO_CRC, OURS, perf(test, "iwarp", environment=off), "bench_row", "no-crc"))


def ours_alone(test, transport, variant):
    return (Contender(OPENND, OURS, perf(test, transport), "bench_row", variant),)


def floor(name, program, words, points=(), connections=False):
    command = Command(f"{{floors}}/{program}", f"{{floors}}/{program} {words}", connections=connections)
    return Contender(name, FLOOR, command, "floor_line", points=points)


def memory_floors(test, *names):
    designs = {ONE_COPY: "one_copy", TWO_COPIES: "two_copy", KERNEL_COPY: "kernel_copy"}
    return tuple(floor(name, "plain_memory", f"{designs[name]} {test} {{point}} {{milliseconds}}") for name in names)


def socket_floor(test, name=SPIN):
    design = "spin" if name == SPIN else "block"
    return (floor(name, "plain_sockets", f"{design} {test} {{point}} {{milliseconds}}"),)


UCX_TRANSPORTS = {
    "shm": (("UCX_TLS", "posix,cma,self"),),
    "tcp": (("UCX_TLS", "tcp,self"), ("UCX_NET_DEVICES", "lo")),
}
# Memory that both processes map would need no copy by the kernel.
UCX_NO_SHARED_MEMORY = (("UCX_ALLOC_PRIO", "mmap"),)
UCX_QUIET = (("UCX_LOG_LEVEL", "error"), ("UCX_WARN_UNUSED_ENV_VARS", "n"))


def ucx(transport, test, column, name=UCX, points=(), environment=()):
    """`column` is the parser's: latency, bandwidth or rate."""
    common = f"-p {{port}} -t {test} -s {{point}} -n {{{transport}_iterations}} -w 300"
    command = Command("ucx_perftest", f"ucx_perftest 127.0.0.1 {common} -v -f", f"ucx_perftest {common}",
                      UCX_TRANSPORTS[transport] + UCX_QUIET + environment, pinned=True)
    return (Contender(name, PEER, command, "ucx_" + column, "{point}", points),)


def libfabric(transport):
    endpoint = "rdm" if transport == "shm" else "msg"
    common = f"-p {transport} -e {endpoint} -S {{point}} -I {{{transport}_iterations}}"
    command = Command("fi_pingpong", f"fi_pingpong {common} -P {{port}} 127.0.0.1", f"fi_pingpong {common} -B {{port}}", pinned=True)
    return (Contender(LIBFABRIC, PEER, command, "pingpong_table"),)


def sockperf(points):
    common = "--tcp --nonblocked -i 127.0.0.1 -p {port}"
    command = Command("sockperf", f"sockperf ping-pong {common} -m {{point}} -t 1", f"sockperf server {common}", pinned=True)
    return (Contender(SOCKPERF, PEER, command, "sockperf_summary", points=points),)


def iperf(points):
    command = Command("iperf3", "iperf3 -c 127.0.0.1 -p {port} -l {point} -t 1 -J", "iperf3 -s -1 -B 127.0.0.1 -p {port}", pinned=True)
    return (Contender(IPERF, PEER, command, "iperf_json", points=points),)


# ---- shared memory ----------------------------------------------------------------------------------------------------

def passive_bars():
    """Reads and Writes of private memory, whose target makes no call."""
    return (Bar(1.15, KERNEL_COPY, SHORT_SIZES, PRIVATE), Bar(1.05, KERNEL_COPY, (64 * KIB,), PRIVATE), Bar(1.02, KERNEL_COPY, (MIB,), PRIVATE),
            Bar(1, UCX_PRIVATE, (), PRIVATE))


def private_ucx(test):
    return ucx("shm", test, "latency", UCX_PRIVATE, environment=UCX_NO_SHARED_MEMORY)


def processors(*points):
    return ((ANY_PROCESSOR, points),)


SHM_ROWS = (
    Row("shm.send_lat", "Shared memory: a message, half of a round trip", *LATENCY, BYTES, SIZES,
        ours_shm("send_lat") + memory_floors("send_lat", ONE_COPY, TWO_COPIES, KERNEL_COPY)
        + ucx("shm", "tag_lat", "latency") + ucx("shm", "am_lat -d memory -x posix -D short", "latency", UCX_LOWER, (8, 64))
        + libfabric("shm"),
        (Bar(1.6, TWO_COPIES, (8, 64)), Bar(1, UCX, (8, 64)), Bar(1.2, TWO_COPIES, (KIB, 4 * KIB)), Bar(2, ONE_COPY, (4 * KIB,)),
         Bar(1.15, ONE_COPY, LONG_SIZES), Bar(1, BEST_PEER, (KIB, 4 * KIB) + LONG_SIZES),
         Bar(1.3, TWO_COPIES, LONG_SIZES, PRIVATE), Bar(1, BEST_PEER, LONG_SIZES, PRIVATE)),
        processors(4 * KIB, 64 * KIB, MIB) + ((SHORT, ONE),)),
    Row("shm.write_lat", "Shared memory: a Write, half of a round trip", *LATENCY, BYTES, SIZES,
        ours_shm("write_lat") + memory_floors("write_lat", ONE_COPY, KERNEL_COPY) + ucx("shm", "ucp_put_lat", "latency")
        + private_ucx("ucp_put_lat"),
        (Bar(1.4, BEST_FLOOR, SHORT_SIZES), Bar(1.02, UCX, LONG_SIZES)) + passive_bars(),
        processors(64 * KIB, MIB)),
    Row("shm.read_lat", "Shared memory: a Read, from its post to its completion", *LATENCY, BYTES, SIZES,
        ours_shm("read_lat") + memory_floors("read_lat", ONE_COPY, KERNEL_COPY) + ucx("shm", "ucp_get -O 1", "latency")
        + private_ucx("ucp_get -O 1"),
        (Bar(1.3, UCX, (8,)), Bar(1.6, UCX, (4 * KIB,)), Bar(1.02, UCX, LONG_SIZES)) + passive_bars(),
        processors(8, 64 * KIB, MIB)),
    Row("shm.send_bw", "Shared memory: messages in one direction", *BANDWIDTH, BYTES, STREAM_SIZES,
        ours_shm("send_bw") + memory_floors("send_bw", ONE_COPY, TWO_COPIES, KERNEL_COPY) + ucx("shm", "tag_bw", "bandwidth"),
        (Bar(1 / 1.5, BEST_PEER, (4 * KIB,)), Bar(1 / 1.3, BEST_PEER, (64 * KIB,)), Bar(1, BEST_PEER, (MIB,)),
         Bar(1, BEST_PEER, LONG_SIZES, PRIVATE)),
        processors(64 * KIB, MIB)),
    Row("shm.write_bw", "Shared memory: Writes in one direction", *BANDWIDTH, BYTES, STREAM_SIZES,
        ours_shm("write_bw") + memory_floors("write_bw", ONE_COPY, KERNEL_COPY) + ucx("shm", "ucp_put_bw", "bandwidth"),
        (Bar(1, BEST_PEER, (4 * KIB,)), Bar(1.02, BEST_PEER, LONG_SIZES)), processors(64 * KIB, MIB)),
    Row("shm.read_bw", "Shared memory: Reads in one direction", *BANDWIDTH, BYTES, STREAM_SIZES,
        ours_shm("read_bw") + memory_floors("read_bw", ONE_COPY, KERNEL_COPY) + ucx("shm", "ucp_get", "bandwidth"),
        (Bar(1, BEST_PEER, (4 * KIB,)), Bar(1.02, BEST_PEER, LONG_SIZES)), processors(64 * KIB, MIB)),
    Row("shm.send_rate", "Shared memory: messages of 8 bytes in one direction", *RATE, ONCE, ONE,
        ours_shm("send_bw") + memory_floors("send_rate", ONE_COPY, TWO_COPIES) + ucx("shm", "tag_bw", "rate"),
        (Bar(1, BEST_PEER),)),
    Row("shm.write_rate", "Shared memory: Writes of 8 bytes in one direction", *RATE, ONCE, ONE,
        ours_shm("write_bw") + memory_floors("send_rate", ONE_COPY, TWO_COPIES) + ucx("shm", "ucp_put_bw", "rate"),
        (), processors(*ONE)),
    Row("shm.wake_lat", "Shared memory: a message of 8 bytes to a sleeper, half of a round trip", *LATENCY, ONCE, ONE,
        ours_alone("wake_lat", "shm", "events") + (floor("eventfd", "plain_wake", "{milliseconds}"),)
        + ucx("shm", "tag_lat -E sleep", "latency"),
        (Bar(1.1, BEST_FLOOR),), processors(*ONE)),
    Row("shm.connect_rate", "Shared memory: connections one after the other", "thousand/s", MORE, ONCE, ONE,
        ours_alone("connect_rate", "shm", "one-after-other")
        + (floor("Unix socket and a mapped file", "plain_connect", "local {milliseconds}"),),
        (Bar(1.2, BEST_FLOOR),), ((OVER_CONNECTIONS, ONE),)),
)

# ---- TCP ----------------------------------------------------------------------------------------------------------------

# UCX as the peer of one-sided requests over TCP carries them out at a timer: no bar stands on it.
ONE_SIDED_OVER_TCP = (Bar(1.12, BEST_FLOOR, SHORT_SIZES), Bar(1.05, NO_CRC, (8, 64, KIB)))
AHEAD_OVER_TCP = (Bar(1.12, BEST_FLOOR, SHORT_SIZES), Bar(1, BEST_PEER), Bar(1.05, NO_CRC, (8, 64, KIB)))
WRITES_OVER_TCP = (Bar(1 / 0.92, BEST_FLOOR, LONG_SIZES, NO_CRC), Bar(1 / 0.9, BEST_FLOOR, LONG_SIZES))
STREAM_OVER_TCP = WRITES_OVER_TCP + (Bar(1, BEST_PEER),)

TCP_ROWS = (
    Row("tcp.send_lat", "TCP: a message, half of a round trip", *LATENCY, BYTES, SIZES,
        ours_tcp("send_lat") + socket_floor("send_lat") + ucx("tcp", "tag_lat", "latency") + libfabric("tcp")
        + sockperf((64, KIB, 4 * KIB)),
        AHEAD_OVER_TCP, processors(8, 4 * KIB) + ((SHORT, ONE),)),
    Row("tcp.write_lat", "TCP: a Write, half of a round trip", *LATENCY, BYTES, SIZES,
        ours_tcp("write_lat") + socket_floor("send_lat") + ucx("tcp", "ucp_put_lat", "latency"),
        ONE_SIDED_OVER_TCP, processors(8)),
    Row("tcp.read_lat", "TCP: a Read, from its post to its completion; the target does not poll", *LATENCY, BYTES, SIZES,
        ours_tcp("read_lat") + socket_floor("read_lat") + ucx("tcp", "ucp_get -O 1", "latency"),
        (Bar(1.5, BEST_FLOOR, (8,)),), processors(8)),
    Row("tcp.send_bw", "TCP: messages in one direction", *BANDWIDTH, BYTES, STREAM_SIZES,
        ours_tcp("send_bw") + socket_floor("send_bw", BLOCK) + socket_floor("send_bw") + ucx("tcp", "tag_bw", "bandwidth")
        + iperf(LONG_SIZES),
        STREAM_OVER_TCP, processors(*LONG_SIZES)),
    Row("tcp.write_bw", "TCP: Writes in one direction", *BANDWIDTH, BYTES, STREAM_SIZES,
        ours_tcp("write_bw") + socket_floor("send_bw", BLOCK) + socket_floor("send_bw") + ucx("tcp", "ucp_put_bw", "bandwidth"),
        WRITES_OVER_TCP),
    Row("tcp.read_bw", "TCP: Reads in one direction", *BANDWIDTH, BYTES, STREAM_SIZES,
        ours_tcp("read_bw") + socket_floor("send_bw", BLOCK) + socket_floor("send_bw") + ucx("tcp", "ucp_get", "bandwidth"),
        (Bar(1 / 0.92, BEST_FLOOR, LONG_SIZES, NO_CRC),)),
    Row("tcp.send_rate", "TCP: messages of 8 bytes in one direction", *RATE, ONCE, ONE,
        ours_tcp("send_bw") + socket_floor("send_rate", BLOCK) + ucx("tcp", "tag_bw", "rate"),
        (Bar(0.1, BEST_PEER), Bar(1.05, NO_CRC)), processors(*ONE)),
    Row("tcp.write_rate", "TCP: Writes of 8 bytes in one direction", *RATE, ONCE, ONE,
        ours_tcp("write_bw") + socket_floor("send_rate", BLOCK) + ucx("tcp", "ucp_put_bw", "rate"),
        (Bar(1.05, NO_CRC),)),
    Row("tcp.wake_lat", "TCP: a message of 8 bytes to a sleeper, half of a round trip", *LATENCY, ONCE, ONE,
        ours_alone("wake_lat", "iwarp", "events") + socket_floor("send_lat", BLOCK) + ucx("tcp", "tag_lat -E sleep", "latency"),
        (Bar(1.3, BEST_FLOOR),)),
    Row("tcp.connect_rate", "TCP: connections one after the other", "thousand/s", MORE, ONCE, ONE,
        ours_alone("connect_rate", "iwarp", "one-after-other") + (floor("plain sockets", "plain_connect", "tcp {milliseconds}"),),
        (Bar(1.8, BEST_FLOOR),), ((OVER_CONNECTIONS, ONE),)),
)

# ---- a network --------------------------------------------------------------------------------------------------------------


def network_row(mtu):
    """Long messages between two network namespaces, where a segment of TCP is no longer than a packet."""
    def ours(name, variant, environment=()):
        words = "{nd} perf send_bw {server_address} -p {port} --bench --transport iwarp -s {point} -D {seconds} --cpu {cpus}"
        server = "{nd} perf --server --local {server_address} -p {port} --transport iwarp --cpu {cpus}"
        return Contender(name, OURS, Command("{nd}", words, server, environment, mtu=mtu), "bench_row", variant)

    peer = Command("iperf3", "iperf3 -c {server_address} -p {port} -l {point} -t 1 -J", "iperf3 -s -1 -B {server_address} -p {port}", pinned=True, mtu=mtu)
    return Row(f"net{mtu}.send_bw", f"TCP, MTU {mtu}: messages in one direction", *BANDWIDTH, BYTES, LONG_SIZES,
               (ours(OPENND, "crc"), ours(NO_CRC, "no-crc", (("OPENND_IWARP_CRC", "off"),)), Contender(IPERF, PEER, peer, "iperf_json")),
               (Bar(1.25, IPERF, (MIB,)), Bar(1.1, IPERF, (MIB,), NO_CRC)))


NETWORK_ROWS = (network_row(1500), network_row(9000))

# ---- over connections -----------------------------------------------------------------------------------------------------


def pairs(transport, options):
    words = (f"{{nd}} perf pairs_lat --self --json --transport {transport} -q {{point}} -D {{pairs_seconds}} "
             f"--warmup {{pairs_warmup}} --cpu {{cpus}} {options}")
    return Command("{nd}", words.strip(), sampled=True, connections=transport == "iwarp")


def pairs_row(transport, spread, events):
    wire = {"shm": "Shared memory", "tcp": "TCP"}[transport]
    wait, busy = "with events" if events else "polled", "all in turn" if spread else "one busy"
    options = " ".join(["--spread"] * spread + ["--events"] * events)
    ours = Contender(OPENND, OURS, pairs({"shm": "shm", "tcp": "iwarp"}[transport], options), "perf_json", "latency.p50_us")
    floors = ()
    if transport == "tcp":
        floors = (floor("plain epoll", "epoll_echo", f"{options} -n {{pairs_turns}} {{point}}", connections=True),)
    elif not events:
        floors = (floor("plain rings", "ready_rings", f"{options} -n {{pairs_turns}} {{point}}"),)
    name = f"{transport}.pairs_{'all' if spread else 'one'}_{'events' if events else 'polled'}"
    few = () if spread or events else (Bar(1.15, ONE_CONNECTION, FEW_PAIRS),)
    many = Bar(1.3, FLOORS_GROWTH if floors else ONE_CONNECTION, MANY_PAIRS)
    return Row(name, f"{wire}, {wait}, {busy}: half of a round trip over connections, median", *LATENCY, CONNECTIONS, PAIRS,
               (ours,) + floors, few + (many,), ((OVER_CONNECTIONS, PAIRS),))


def footprint_row(transport, noun, parser, unit, most):
    """Of the client of the polled pairs, all in turn, which the round has run already."""
    wire, name = {"shm": ("Shared memory", "shm"), "tcp": ("TCP", "iwarp")}[transport]
    ours = Contender(OPENND, OURS, pairs(name, "--spread"), parser)
    return Row(f"{transport}.pairs_{noun}", f"{wire}: {noun} of one side's process over connections", unit, LESS, CONNECTIONS, PAIRS,
               (ours,), (Bar(most, EACH, MANY_PAIRS[1:]),), ((OVER_CONNECTIONS, PAIRS),))


PAIRS_ROWS = tuple(
    row
    for transport, memory, descriptors in (("shm", 4, 0), ("tcp", 8, 1))
    for row in [pairs_row(transport, spread, events) for events in (False, True) for spread in (False, True)]
    + [footprint_row(transport, "memory", "resident_kib", "KiB", memory),
       footprint_row(transport, "descriptors", "descriptors", "descriptors", descriptors)]
)

# ---- beside other threads --------------------------------------------------------------------------------------------------


def deregister_row(transport):
    name = {"shm": "shm", "tcp": "iwarp"}[transport]
    wire = {"shm": "Shared memory", "tcp": "TCP"}[transport]
    command = Command("{floors}/deregister_beside", "{floors}/deregister_beside {point}", environment=(("OPENND_TRANSPORT", name),),
                      connections=True)
    return Row(f"{transport}.deregister_beside", f"{wire}: Deregister beside busy queue pairs of another thread", "us", LESS, CONNECTIONS,
               BESIDE, (Contender(OPENND, OURS, command, "floor_line"),), (Bar(0.02, EACH, BESIDE[1:]),), ((OVER_CONNECTIONS, BESIDE),))


def waiters_row(transport, of_four):
    name = {"shm": "shm", "tcp": "iwarp"}[transport]
    wire = {"shm": "Shared memory", "tcp": "TCP"}[transport]
    command = Command("{floors}/waiters", "{floors}/waiters {point} 1000", environment=(("OPENND_TRANSPORT", name),), connections=True, crowded=True)
    return Row(f"{transport}.waiters", f"{wire}: round trips of threads that wait for events, each over a connection of its own", "thousand/s",
               MORE, CONNECTIONS, WAITERS, (Contender(OPENND, OURS, command, "floor_line"),), (Bar(1 / of_four, ONE_CONNECTION, (4,)),),
               ((OVER_CONNECTIONS, WAITERS),))


def passive_row(noun, title, unit, better, parser, argument, bars):
    """Writers and the loops of their target are more threads than processors."""
    contenders = tuple(
        Contender(name, OURS, Command("{floors}/passive_target", "{floors}/passive_target {point}", environment=environment + (("OPENND_TRANSPORT", "iwarp"),),
                                      connections=True, crowded=True), parser, argument)
        for name, environment in ((OPENND, ()), (ONE_LOOP, (("OPENND_LOOPS", "1"),))))
    return Row(f"tcp.passive_{noun}", f"TCP: {title}", unit, better, CONNECTIONS, WRITERS, contenders, bars, ((OVER_CONNECTIONS, WRITERS),))


BESIDE_ROWS = (
    deregister_row("shm"), deregister_row("tcp"), waiters_row("shm", 1.7), waiters_row("tcp", 1.8),
    passive_row("target", "64 KiB Writes of several peers into a target that takes no part", "GB/s", MORE, "floor_line", "", ()),
    passive_row("cost", "the target's processor time for them", "s/GB", LESS, "number_before", "s of the target's processor time a GB",
                (Bar(1.05, ONE_LOOP),)))

# ---- the interfaces ---------------------------------------------------------------------------------------------------------


def face_row(test, unit, points):
    faces = tuple(
        Contender(name, OURS, perf(test, "shm", options), "bench_row", "mappable")
        for name, options in ((OPENND, ""), (VERSION_1, "--api nd1"), (NDK, "--api ndk"))
    )
    return Row(f"faces.{test}", f"Shared memory by interface: {test}", *unit, BYTES, points, faces,
               (Bar(1.03, OPENND, (), VERSION_1), Bar(1.05, OPENND, (), NDK)))


FACE_ROWS = (
    face_row("send_lat", LATENCY, (8, 4 * KIB)),
    face_row("write_lat", LATENCY, (8, 4 * KIB)),
    face_row("read_lat", LATENCY, (8, 4 * KIB)),
    face_row("send_bw", BANDWIDTH, LONG_SIZES),
    face_row("write_bw", BANDWIDTH, LONG_SIZES),
)

ROWS = SHM_ROWS + TCP_ROWS + NETWORK_ROWS + PAIRS_ROWS + BESIDE_ROWS + FACE_ROWS
