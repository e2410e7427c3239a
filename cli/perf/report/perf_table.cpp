// SPDX-License-Identifier: MIT
//
// Read perf_table.h first.
#include "perf/report/perf_table.h"

#include "perf/measure/tick_clock.h"
#include "perf/report/outcome_text.h"
#include "text/number_text.h"
#include "text/wrapped_text.h"

#include <algorithm>
#include <cstdio>

namespace nd {
namespace {

constexpr char kLatencyRow[] = "%8s %11s %7s %7s %9s %7s %7s %7s %7s\n";
constexpr char kBandwidthRow[] = "%8s %11s %16s %19s %13s\n";
constexpr char kConnectionsRow[] = "%13s %18s %21s\n";

unsigned long long number(std::uint64_t value) { return value; }

// None for 0.
std::string rate_text(double rate, int decimals) { return rate == 0 ? "-" : number_text(rate, decimals); }

void print_connections(const PointOutcome& outcome) {
    std::printf(kConnectionsRow, std::to_string(outcome.client.iterations).c_str(),
                rate_text(outcome.peak_per_second(), 0).c_str(), rate_text(outcome.per_second(), 0).c_str());
}

void print_details(const PointOutcome& outcome) {
    const auto switches = [](const ContextSwitches& some) {
        return std::to_string(some.voluntary) + " voluntary, " + std::to_string(some.involuntary) + " involuntary";
    };
    const std::string indent(10, ' ');
    print_wrapped(indent,
                  "context switches: client " + switches(outcome.client.switches) + "; server " +
                      (outcome.server_took_part ? switches(outcome.server.switches) : std::string("takes no part")));
    print_wrapped(indent, plan_text(outcome));
}

}  // namespace

// At most seven characters up to ten seconds: 0.123, 12.345, 123.45, 1234.5, 1234567.
std::string PerfTable::time_text(double us) const {
    char text[32] = "";
    const int decimals = style_.cycles ? 0 : us < 100 ? 3 : us < 1000 ? 2 : us < 10000 ? 1 : 0;
    std::snprintf(text, sizeof text, "%.*f", decimals, style_.cycles ? us / (seconds_per_tick() * 1e6) : us);
    return text;
}

void PerfTable::print_latency(const PointOutcome& outcome) const {
    const LatencySummary& latency = outcome.client.latency;
    const auto text = [this](double us) { return time_text(us); };
    std::printf(kLatencyRow, std::to_string(outcome.plan.size).c_str(),
                std::to_string(outcome.client.iterations).c_str(), text(latency.min_us).c_str(),
                text(latency.max_us).c_str(), text(latency.p50_us).c_str(), text(latency.average_us).c_str(),
                text(latency.deviation_us).c_str(), text(latency.p99_us).c_str(), text(latency.p999_us).c_str());
}

// A bar of '#' for each bin; the longest has kBar.
void PerfTable::print_histogram(const LatencySummary& latency) const {
    constexpr double kBar = 34;
    std::uint64_t all = 0, most = 1;
    for (const LatencyBin& bin : latency.histogram) {
        all += bin.count;
        most = std::max(most, bin.count);
    }
    const std::string unit = time_unit();
    std::printf("%11s %14s %11s %6s\n", ("above" + unit).c_str(), ("up to" + unit).c_str(), "#samples", "%");
    for (const LatencyBin& bin : latency.histogram) {
        const double share = static_cast<double>(bin.count) / static_cast<double>(most);
        const std::string bar(static_cast<std::size_t>(share * kBar + 0.5), '#');
        const double percent = 100.0 * static_cast<double>(bin.count) / static_cast<double>(all);
        std::printf("%11s %14s %11llu %6s%s%s\n", time_text(bin.from_us).c_str(), time_text(bin.to_us).c_str(),
                    number(bin.count), number_text(percent, 2).c_str(), bar.empty() ? "" : " ", bar.c_str());
    }
}

// The lines have perftest's form.
void PerfTable::print_every_time(const LatencySummary& latency) const {
    std::printf("#, %s\n", style_.cycles ? "cycles" : "usec");
    unsigned long long iteration = 0;
    for (double us : latency.times_us) std::printf("%llu, %s\n", ++iteration, time_text(us).c_str());
}

void PerfTable::print_heading(const PointOutcome& outcome) const {
    const std::string title = title_text(outcome);
    const std::size_t behind_test = title.find(' ') + 1;
    print_wrapped(title.substr(0, behind_test), title.substr(behind_test));
    if (const std::string rest = conditions_text(outcome.plan); !rest.empty()) print_wrapped("  ", rest);
    if (outcome.plan.test == Test::connect_rate) {
        std::printf(kConnectionsRow, "#connections", "peak[1/sec]", "average[1/sec]");
    } else if (is_latency(outcome.plan.test)) {
        std::printf(kLatencyRow, "#bytes", "#iterations", "t_min", "t_max", "t_typical", "t_avg", "t_stdev", "99%",
                    "99.9%");
        const char* const unit = time_unit();
        std::printf(kLatencyRow, "", "", unit, unit, unit, unit, unit, unit, unit);
    } else {
        const char* const unit = style_.gigabits ? "[Gb/sec]" : "[MiB/sec]";
        std::printf(kBandwidthRow, "#bytes", "#iterations", (std::string("BW peak") + unit).c_str(),
                    (std::string("BW average") + unit).c_str(), "MsgRate[Mpps]");
    }
}

void PerfTable::print_bandwidth(const PointOutcome& outcome) const {
    const auto size = static_cast<double>(outcome.plan.size);
    const double unit = style_.gigabits ? size * 8 / 1e9 : size / (1 << 20);
    std::printf(kBandwidthRow, std::to_string(outcome.plan.size).c_str(),
                std::to_string(outcome.client.iterations).c_str(),
                rate_text(outcome.peak_per_second() * unit, 2).c_str(),
                rate_text(outcome.per_second() * unit, 2).c_str(), rate_text(outcome.per_second() / 1e6, 6).c_str());
}

void PerfTable::print(const PointOutcome& outcome) {
    if (!started_ || outcome.plan.test != test_) {
        if (started_) std::printf("\n");
        print_heading(outcome);
    }
    started_ = true;
    test_ = outcome.plan.test;
    if (outcome.plan.test == Test::connect_rate)
        print_connections(outcome);
    else if (is_latency(outcome.plan.test))
        print_latency(outcome);
    else
        print_bandwidth(outcome);
    if (outcome.client.interrupted)
        print_wrapped(std::string(10, ' '), "interrupted: the row has what was measured until then");
    if (style_.verbose) print_details(outcome);
    if (style_.histogram && is_latency(outcome.plan.test)) print_histogram(outcome.client.latency);
    if (outcome.plan.every_time != 0) print_every_time(outcome.client.latency);
    std::fflush(stdout);
}

}  // namespace nd
