// SPDX-License-Identifier: MIT
//
// Read examples.h first.
#include "document/examples.h"

#include <algorithm>
#include <iterator>

namespace nd {

std::span<const Example> examples() {
    static const std::vector<Example> all = {
        {"info", "info", "one line for each adapter"},
        {"info", "info -v eth0", "all that is known of the adapter of an interface"},
        {"info", "info --peer 192.0.2.7", "the transport that a connection to this address takes, and why"},
        {"doctor", "doctor 192.0.2.7:18515", "limits of this host, and the way to a server"},
        {"doctor", "doctor --rdma eth2", "the first run on the RDMA device of an interface"},
        {"ping", "ping --server", "the server: it tells its address"},
        {"ping", "ping 192.0.2.7", "five verified rounds with that server"},
        {"ping", "ping [2001:db8::7]:7174 -c 1000 -s 64K", "a thousand rounds of 64 KiB, over IPv6"},
        {"ping", "ping --self", "both sides here, in two processes"},
        {"perf", "perf --server --persist", "a server for one client after the other"},
        {"perf", "perf send_lat 192.0.2.7", "the latency of messages of 8 bytes"},
        {"perf", "perf write_bw 192.0.2.7 -a --report_gbits", "the bandwidth of Writes of all sizes, in Gb/sec"},
        {"perf", "perf send_lat --self -H", "between two processes of this host, with a histogram"},
        {"perf", "perf all --self --verify", "every byte of six tests is verified"},
        {"perf", "perf all --self --report perf.html --csv perf.csv", "a page with plots, and a table for programs"},
        {"perf", "perf pairs_lat 192.0.2.7 -q 1000 --spread", "the latency with a thousand queue pairs"},
        {"ps", "ps", "processes, connections, failures, losses"},
        {"show", "show conn", "connections with their wire, peer and age"},
        {"show", "show qp 4711", "the queue pairs of a process, and the reason why one stands"},
        {"show", "show conn --peer 192.0.2.7 --sort age", "the connections to a host, the oldest first"},
        {"show", "show conn --stuck", "the connections that make no progress"},
        {"dump", "dump 4711", "its last events"},
        {"capture", "capture 4711 -w messages.pcapng", "its messages for Wireshark, until Ctrl-C"},
        {"stats", "stats --interval 1", "counters and rates of all processes, each second"},
        {"top", "top", "the processes that transfer most"},
        {"top", "top --batch -n 10", "ten pages for a file"},
        {"metrics", "metrics --listen 127.0.0.1:19100", "the counters for Prometheus"},
        {"faults", "faults", "the kinds of faults on purpose"},
        {"faults", "faults \"seed=7; send:timeout nth=100\"", "a check of a line of OPENND_FAULTS"},
        {"explain", "explain ND_IO_TIMEOUT", "the meaning, sources and remedy of a status"},
        {"explain", "explain 0xC00000B5", "the same by its number"},
    };
    return all;
}

std::vector<Example> examples_of(const CLI::App& command) {
    std::vector<Example> some;
    std::ranges::copy_if(examples(), std::back_inserter(some),
                         [&](const Example& each) { return each.command == command.get_name(); });
    return some;
}

}  // namespace nd
