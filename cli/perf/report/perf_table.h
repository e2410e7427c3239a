// SPDX-License-Identifier: MIT
//
// The tables of `nd perf`, in perftest's columns and within 80 of a terminal.
#pragma once

#include "perf/run/perf_client.h"

#include <string>

namespace nd {

struct TableStyle {
    bool verbose = false, histogram = false;
    bool gigabits = false;  // Gb/sec, 10^9 bits; else MiB/sec, 2^20 bytes
    bool cycles = false;    // latencies in ticks of the processor's counter; else in microseconds
};

// Prints outcomes as they come: a heading when the test changes, then a line for each.
class PerfTable {
public:
    explicit PerfTable(const TableStyle& style) : style_(style) {}

    void print(const PointOutcome& outcome);

private:
    void print_heading(const PointOutcome& outcome) const;
    void print_bandwidth(const PointOutcome& outcome) const;
    void print_latency(const PointOutcome& outcome) const;
    void print_histogram(const LatencySummary& latency) const;
    void print_every_time(const LatencySummary& latency) const;
    std::string time_text(double us) const;
    const char* time_unit() const { return style_.cycles ? "[cycle]" : "[usec]"; }

    const TableStyle style_;
    bool started_ = false;
    Test test_ = Test::send_lat;
};

}  // namespace nd
