// SPDX-License-Identifier: MIT
//
// What client and server of `nd perf` tell each other over the control connection, in this order for each point:
// PointRequest, PointReady, then the data connections and the test, PointDone, PointReport. A request without a point ends
// the session; so does the loss of the control connection.
#pragma once

#include "network/hello.h"
#include "network/message_channel.h"
#include "perf/point_plan.h"

#include <cstdint>

namespace nd {

struct PointRequest {
    std::uint32_t has_point;
    std::uint32_t number;  // of the point; the data connections name it
    PointPlan plan;
    RemoteMemory memory;  // the client's
};

struct PointReady {
    std::uint32_t ready;
    std::uint32_t reserved;
    RemoteMemory memory;  // the server's
    char error[240];      // if not ready
};

struct PointDone {
    std::uint32_t number;
};

struct PointReport {
    std::uint32_t succeeded;
    std::uint32_t took_part;
    std::uint64_t iterations, verified;
    double seconds, peak_per_second;
    std::int64_t voluntary_switches, involuntary_switches;
    char error[240];  // if it did not succeed
};

// Private data of a data connection.
struct DataRequest {
    Hello hello;
    std::uint32_t point;
    std::uint32_t queue_pair;
    std::uint32_t last;  // connect_rate: no further one comes
};

}  // namespace nd
