// SPDX-License-Identifier: MIT
//
// What client and server of `nd perf` tell each other over the control connection, in this order for each point:
// PointRequest, PointReady, then the data connections, PointStart each way and the server's first, the test, PointDone,
// PointReport. A request without a point ends the session; so does the loss of the control connection.
//
// The first message on a data connection, each way and the client's first, is a RemoteMemory: what the other side may read
// and write through this connection.
#pragma once

#include "network/connection/hello.h"
#include "network/connection/message_channel.h"
#include "perf/plan/point_plan.h"

#include <cstdint>

namespace nd {

// The words of a server that rejects a connection because it measures for another client. The client tries again.
inline constexpr const char* kBusy = "this server measures for another client";

struct PointRequest {
    std::uint32_t has_point;
    std::uint32_t number;  // of the point; the data connections name it
    PointPlan plan;
};

struct PointReady {
    std::uint32_t ready;
    char error[240];  // if not ready
};

// This side has all data connections, and every result of making them.
struct PointStart {
    std::uint32_t number;
};

struct PointDone {
    std::uint32_t number;
};

struct PointReport {
    std::uint32_t succeeded;
    std::uint32_t took_part;
    std::uint64_t iterations, verified;
    double seconds;
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
