// SPDX-License-Identifier: MIT
//
// PerfClient: a session with a server, and one measurement after the other in it.
#pragma once

#include "info/interface.h"
#include "perf/measure/measurement.h"
#include "perf/measure/progress_bar.h"
#include "perf/plan/perf_protocol.h"

#include <memory>
#include <string>

namespace nd {

struct PointOutcome {
    PointPlan plan;
    Measurement client, server;
    bool server_took_part = false;
    Api api = Api::nd2;           // the client's
    std::string transport, path;  // of the first data connection
    Interface interface;          // that its bytes pass; without a name: they stay in memory

    // The rate of both directions.
    double per_second() const { return client.per_second() + other_direction().per_second(); }
    // The peak of one direction; 0 is none. Two directions have their peaks at different times.
    double peak_per_second() const { return plan.bidirectional != 0 ? 0 : client.peak_per_second; }

private:
    Measurement other_direction() const { return plan.bidirectional != 0 ? server : Measurement{}; }
};

// What one call of `nd perf` measured.
struct PerfRun {
    std::vector<PointOutcome> outcomes;
    bool complete = false;  // all that was asked for; otherwise an interruption or a failure ended it
};

class PerfClient {
public:
    // Waits for its turn while the server measures for another client.
    PerfClient(Adapter& adapter, const SocketAddress& server, double timeout_seconds);
    ~PerfClient();  // tells the server that no more points come
    PerfClient(const PerfClient&) = delete;
    PerfClient& operator=(const PerfClient&) = delete;

    // Connects, measures, disconnects. An interruption shortens the measurement, to no iteration at all if it comes early.
    PointOutcome measure(const PointPlan& plan, ProgressBar* bar);

    std::string transport() const { return control_->connection().transport(); }

private:
    void request(const PointPlan& plan);
    PointReport finish_point();
    [[noreturn]] void throw_with_server_reason(const std::exception& failure);

    Adapter& adapter_;
    const SocketAddress server_;
    const std::uint32_t session_;
    std::unique_ptr<MessageChannel> control_;
    std::uint32_t point_ = 0;
    bool in_session_ = true;  // the server waits for a PointRequest
};

}  // namespace nd
