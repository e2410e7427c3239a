// SPDX-License-Identifier: MIT
//
// The tables of `nd perf`, in perftest's columns.
#pragma once

#include "perf/run/perf_client.h"

namespace nd {

// Prints outcomes as they come: a heading when the test changes, then a line for each.
class PerfTable {
public:
    explicit PerfTable(bool verbose) : verbose_(verbose) {}

    void print(const PointOutcome& outcome);

private:
    bool verbose_;
    bool started_ = false;
    Test test_ = Test::send_lat;
};

}  // namespace nd
