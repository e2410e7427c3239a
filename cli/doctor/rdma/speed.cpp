// SPDX-License-Identifier: MIT
//
// The tests of `nd perf` with a server in a second process. Read rdma.h first.
#include "doctor/rdma/rdma.h"

#include "perf/measure/tick_clock.h"
#include "perf/plan/perf_options.h"
#include "perf/run/perf_client.h"
#include "self/self_server.h"
#include "text/number_text.h"

#include <cstdint>
#include <limits>
#include <stdexcept>

namespace nd {
namespace {

constexpr double kSeconds = 0.3;          // of a measurement
constexpr std::uint64_t kVerified = 256;  // messages
constexpr double kConnectTime_s = 20;

struct NamedPoint {
    const char* subject;
    Test test;
    std::uint64_t size;
    bool verify;
};
constexpr NamedPoint kPoints[] = {
    {"Sends, compared", Test::send_bw, 65536, true},         {"Writes, compared", Test::write_bw, 65536, true},
    {"Reads, compared", Test::read_bw, 65536, true},         {"latency of a Send", Test::send_lat, 8, false},
    {"latency of a Send, asleep", Test::wake_lat, 8, false}, {"latency of a Write", Test::write_lat, 8, false},
    {"latency of a Read", Test::read_lat, 8, false},         {"rate of Writes", Test::write_bw, 65536, false},
};

std::string found_in(const PointOutcome& outcome) {
    const Measurement& measured = outcome.client;
    const std::string bytes = std::to_string(outcome.plan.size) + " bytes", size = bytes + ": ";
    if (outcome.plan.verify != 0)
        return std::to_string(measured.verified + outcome.server.verified) + " of " + bytes +
               ", every byte as it was sent";
    if (is_latency(outcome.plan.test))
        return size + number_text(measured.latency.p50_us, 2) + " us, at least " +
               number_text(measured.latency.min_us, 2) + ", 1 % above " + number_text(measured.latency.p99_us, 2);
    const double megabytes = outcome.per_second() * static_cast<double>(outcome.plan.size) / 1e6;
    return size + number_text(megabytes, 2) + " MB/s";
}

}  // namespace

Findings measure_device(const SocketAddress& local, const std::string& transport) {
    PerfOptions options;
    options.self = true;
    options.transport = transport;
    constexpr std::uint64_t kNoMemoryLimit = std::numeric_limits<std::uint64_t>::max();
    Findings findings;
    const char* subject = "a second process";
    try {
        const std::unique_ptr<SelfServer> server =
            start_server_process(options.server_arguments("perf", local, kNoMemoryLimit), local);
        {
            seconds_per_tick();
            Adapter adapter(local, Api::nd2);
            PerfClient client(adapter, server->address(), kConnectTime_s);
            for (const NamedPoint& point : kPoints) {
                subject = point.subject;
                options.verify = point.verify;
                options.iterations = kVerified;
                options.duration_seconds = point.verify ? 0 : kSeconds;
                const PointOutcome outcome =
                    client.measure(plan_point(options, adapter.limits(), point.test, point.size), nullptr);
                findings.push_back({Verdict::good, subject, found_in(outcome)});
            }
        }
        server->finish();
    } catch (const std::runtime_error& failure) {
        findings.push_back({Verdict::problem, subject, failure.what(), "nothing further was measured",
                            "see `nd perf` with OPENND_LOG=debug, and docs/verbs.md for the report"});
    }
    return findings;
}

}  // namespace nd
