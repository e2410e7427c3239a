// SPDX-License-Identifier: MIT
//
// Connections one after the other. Each side waits asleep, as programs do for connections. Read tests.h first.
#include "perf/measure/run_pace.h"
#include "perf/run/tests.h"

namespace nd {
namespace {

constexpr QueueDepths kDepths{16, 16, 0};
constexpr ULONG kResults = 32;
constexpr std::uint64_t kBatch = 8;

class Connecting {
public:
    explicit Connecting(Endpoint& endpoint)
        : endpoint_(endpoint), queue_(endpoint.adapter(), kResults), connection_(endpoint.adapter(), [this] {
              queue_pair_ = connection_.make_queue_pair(queue_, kDepths, nullptr);
          }) {}

    void connect(bool last) {
        endpoint_.connect_also(connection_, last);
        end();
    }

    void connect_all(RunPace& pace) {
        while (const std::uint64_t batch = pace.next_batch())
            for (std::uint64_t i = 0; i < batch; i++) connect(false);
    }

    // False after the last one.
    bool accept() {
        connection_.prepare_early();
        const bool last = endpoint_.accept_also(connection_);
        connection_.wait_until_lost();
        end();
        return !last;
    }

private:
    void end() {
        connection_.disconnect();
        queue_pair_ = {};
        connection_.renew();
    }

    Endpoint& endpoint_;
    CompletionQueue queue_;
    QueuePair queue_pair_;
    Connection connection_;
};

}  // namespace

Measurement measure_connect_rate(Endpoint& endpoint, ProgressBar* bar) {
    Connecting connecting(endpoint);
    const PointPlan& plan = endpoint.plan();
    RunPace warmup = RunPace::warm_up(plan.warmup, kBatch, bar);
    if (plan.warmup != 0) connecting.connect_all(warmup);
    RunPace pace(plan.iterations, plan.duration_ms, kBatch, bar);
    const ContextSwitches before = ContextSwitches::so_far();
    connecting.connect_all(pace);
    pace.finish();
    Measurement measured = pace.measured();
    measured.switches = ContextSwitches::so_far() - before;
    connecting.connect(true);
    return measured;
}

Measurement answer_connect_rate(Endpoint& endpoint) {
    Connecting connecting(endpoint);
    const ContextSwitches before = ContextSwitches::so_far();
    Measurement measured;
    while (connecting.accept()) measured.iterations++;
    measured.switches = ContextSwitches::so_far() - before;
    return measured;
}

}  // namespace nd
