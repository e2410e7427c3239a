// SPDX-License-Identifier: MIT
//
// Latency of Read. Read tests.h and lane.h first.
#include "perf/run/tests.h"
#include "perf/run/timed_turns.h"

namespace nd {
namespace {

template <WaitBy kWait>
class OneByOne {
public:
    explicit OneByOne(Endpoint& endpoint) : lane_(endpoint.lane()), queue_(endpoint.queue()) {}

    void turn() {
        lane_.post<Operation::read>(lane_.sink, 0, 0);
        lane_.complete(queue_.wait_one<kWait>("read the peer's memory"));
    }

    void stop() {}  // the target takes no part
    std::uint64_t verified() const { return 0; }

private:
    Lane& lane_;
    CompletionQueue& queue_;
};

template <WaitBy kWait>
Measurement measure_reads(Endpoint& endpoint, ProgressBar* bar) {
    OneByOne<kWait> game(endpoint);
    return measure_turns(game, endpoint.plan(), bar);
}

}  // namespace

Measurement measure_read_latency(Endpoint& endpoint, ProgressBar* bar) {
    return endpoint.plan().events != 0 ? measure_reads<WaitBy::events>(endpoint, bar)
                                       : measure_reads<WaitBy::polling>(endpoint, bar);
}

}  // namespace nd
