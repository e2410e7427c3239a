// SPDX-License-Identifier: MIT
//
// Reads and Writes with every byte of every operation checked, the target passive. Read tests.h and lane.h first.
#include "pattern.h"
#include "perf/measure/run_pace.h"
#include "perf/run/tests.h"

#include <cstring>

namespace nd {
namespace {

class VerifiedRdma {
public:
    explicit VerifiedRdma(Endpoint& endpoint)
        : plan_(endpoint.plan()),
          lanes_(endpoint.lanes()),
          queue_(endpoint.queue()),
          samples_(is_latency(plan_.test)) {}

    // One window on each queue pair: fill, write, read back, compare. Operations are numbered from `first`.
    void window(std::uint64_t first, std::uint64_t count) {
        for (Lane& lane : lanes_) prepare(lane, first, count);
        const std::uint64_t start = ticks_now();
        for_window<Operation::write>(first, count);
        const std::uint64_t written = ticks_now();
        for_window<Operation::read>(first, count);
        const std::uint64_t read = ticks_now();
        note(plan_.test == Test::write_bw ? written - start : read - written, count);
        for (Lane& lane : lanes_) verify(lane, first, count);
    }

    Measurement measured() const {
        Measurement result;
        result.iterations = operations_;
        result.verified = operations_;
        result.seconds = static_cast<double>(timed_) * seconds_per_tick();
        result.peak_per_second = best_;
        result.latency = samples_.summary(1, plan_.every_time != 0);
        return result;
    }

private:
    void prepare(Lane& lane, std::uint64_t first, std::uint64_t count) {
        for (std::uint64_t number = first; number < first + count; number++) {
            fill_pattern(lane.slot_of(lane.source, number).data(), plan_.size, number);
            std::memset(lane.slot_of(lane.sink, number).data(), 0, plan_.size);
        }
    }

    template <Operation kOperation>
    void for_window(std::uint64_t first, std::uint64_t count) {
        for (std::uint64_t number = first; number < first + count; number++)
            for (Lane& lane : lanes_)
                lane.post<kOperation>(lane.slot_of(kOperation == Operation::read ? lane.sink : lane.source, number),
                                      lane.offset_of(number), 0);
        for (const Lane& lane : lanes_)
            while (lane.completed < lane.posted) take_result();
    }

    void take_result() {
        const ND2_RESULT result = plan_.events != 0 ? queue_.wait_one<WaitBy::events>("access the peer's memory")
                                                    : queue_.wait_one<WaitBy::polling>("access the peer's memory");
        static_cast<Lane*>(result.QueuePairContext)->complete(result);
    }

    void verify(const Lane& lane, std::uint64_t first, std::uint64_t count) {
        for (std::uint64_t number = first; number < first + count; number++)
            verify_pattern(lane.slot_of(lane.sink, number).data(), plan_.size, number,
                           "operation (written to the peer, then read back)");
    }

    void note(std::uint64_t ticks, std::uint64_t count) {
        const std::uint64_t operations = count * lanes_.size();
        timed_ += ticks;
        operations_ += operations;
        if (is_latency(plan_.test)) samples_.add_ticks(ticks);
        const double rate = static_cast<double>(operations) / (static_cast<double>(ticks) * seconds_per_tick());
        if (rate > best_) best_ = rate;
    }

    const PointPlan& plan_;
    std::vector<Lane>& lanes_;
    CompletionQueue& queue_;
    LatencySamples samples_;
    std::uint64_t timed_ = 0, operations_ = 0;
    double best_ = 0;
};

}  // namespace

Measurement run_verified_rdma(Endpoint& endpoint, ProgressBar* bar) {
    const PointPlan& plan = endpoint.plan();
    VerifiedRdma rdma(endpoint);
    RunPace pace(plan.iterations, plan.duration_ms, is_latency(plan.test) ? 1 : plan.depth, bar);
    const ContextSwitches before = ContextSwitches::so_far();
    std::uint64_t done = 0;
    while (const std::uint64_t count = pace.next_batch()) {
        rdma.window(done, count);
        done += count;
    }
    pace.finish();
    Measurement measured = rdma.measured();
    measured.switches = ContextSwitches::so_far() - before;
    measured.interrupted = pace.measured().interrupted;
    return measured;
}

}  // namespace nd
