// SPDX-License-Identifier: MIT
//
// The tables of `nd perf`, in perftest's columns and within 80 of a terminal.
#pragma once

#include "perf/run/perf_client.h"

namespace nd {

struct TableStyle {
    bool verbose = false, histogram = false;
    bool gigabits = false;  // Gb/sec, 10^9 bits; else MiB/sec, 2^20 bytes
};

// Prints outcomes as they come: a heading when the test changes, then a line for each.
class PerfTable {
public:
    explicit PerfTable(const TableStyle& style) : style_(style) {}

    void print(const PointOutcome& outcome);

private:
    void print_heading(const PointOutcome& outcome) const;
    void print_bandwidth(const PointOutcome& outcome) const;

    const TableStyle style_;
    bool started_ = false;
    Test test_ = Test::send_lat;
};

}  // namespace nd
