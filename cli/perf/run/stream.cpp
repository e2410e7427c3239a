// SPDX-License-Identifier: MIT
//
// Bandwidth and message rate. Read tests.h and lane.h first.
#include "pattern.h"
#include "perf/measure/run_pace.h"
#include "perf/plan/batch_size.h"
#include "perf/run/tests.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace nd {

void throw_wrong_length(std::size_t received, std::size_t expected) {
    throw std::runtime_error("verification failed: a message of " + std::to_string(received) + " bytes arrived where " +
                             std::to_string(expected) + " were sent");
}

namespace {

template <Operation kOperation, WaitBy kWait, bool kVerify>
class Stream {
public:
    explicit Stream(Endpoint& endpoint)
        : plan_(endpoint.plan()), lanes_(endpoint.lanes()), queue_(endpoint.queue()), size_(plan_.size) {}

    // Posts each batch of the pace to every queue pair, and waits until all are complete.
    void post_all(RunPace& pace) {
        std::uint64_t goal = lanes_.front().posted;
        while (const std::uint64_t batch = pace.next_batch(completed())) {
            goal += batch;
            for (Next next = Next::post; next != Next::batch;) {
                next = Next::batch;
                for (Lane& lane : lanes_) next = std::max(next, post_some(lane, goal));
                if (next == Next::wait)
                    wait_for_results(pace);
                else
                    take_results<WaitBy::polling>();
            }
        }
        for (const Lane& lane : lanes_)
            while (lane.completed < lane.posted) wait_for_results(pace);
        pace.finish(completed());
    }

    void stop() {
        for (Lane& lane : lanes_) {
            while (room(lane) == 0) take_results<kWait>();
            lane.post<Operation::send>(lane.stop, 0, 0);
        }
        drain();
    }

    void receive(std::uint64_t messages) {
        while (received_ < messages && stopped_ < lanes_.size()) take_results<kWait>();
    }

    void receive_until_stopped() {
        while (stopped_ < lanes_.size()) take_results<kWait>();
    }

    std::uint64_t received() const { return received_; }
    std::uint64_t verified() const { return verified_; }

private:
    // The step after a round of posts: the next batch; a wait, because no queue has room; or more posts.
    enum class Next { batch, wait, post };

    // Its requests take receives of the peer's.
    static constexpr bool kTakesReceives =
        kOperation == Operation::send || kOperation == Operation::write_with_immediate;

    // For requests of the stream.
    static std::uint64_t room(const Lane& lane) {
        if constexpr (kTakesReceives) return std::min(lane.room(), lane.credit.left());
        return lane.room();
    }

    Next post_some(Lane& lane, std::uint64_t goal) {
        const std::uint64_t end = std::min({goal, lane.posted + room(lane), lane.posted + plan_.post_list});
        while (lane.posted < end) {
            const ULONG flags = lane.signal_flag(lane.posted + 1 == goal);
            if constexpr (kTakesReceives) lane.credit.spend();
            if constexpr (kVerify) {
                const Piece local = lane.slot_of(lane.source, lane.posted);
                fill_pattern(local.data(), size_, lane.posted);
                lane.post<kOperation>(local, 0, flags);
            } else {
                lane.post<kOperation>(kOperation == Operation::read ? lane.sink : lane.source, 0, flags);
            }
        }
        if (lane.posted == goal) return Next::batch;
        return room(lane) == 0 ? Next::wait : Next::post;
    }

    std::uint64_t completed() const {
        std::uint64_t all = 0;
        for (const Lane& lane : lanes_) all += lane.completed;
        return all;
    }

    // One of them may take seconds.
    void wait_for_results(RunPace& pace) {
        take_results<kWait>();
        if (size_ >= kLongSize) pace.look(completed());
    }

    void drain() {
        for (const Lane& lane : lanes_)
            while (lane.completed < lane.posted) take_results<kWait>();
    }

    template <WaitBy kHow>
    void take_results() {
        ND2_RESULT results[kBatch];
        const ULONG count = queue_.look<kHow>(results, kBatch);
        for (ULONG i = 0; i < count; i++) {
            const ND2_RESULT& result = results[i];
            CompletionQueue::check_result(result, "stream");
            Lane& lane = *static_cast<Lane*>(result.QueuePairContext);
            if (kTakesReceives && result.RequestType == Nd2RequestTypeReceive)
                take_message(lane, result.BytesTransferred);
            else if (kTakesReceives && result.RequestContext == nullptr)
                finish_credit(lane);
            else
                lane.complete(result);
        }
    }

    void take_message(Lane& lane, ULONG length) {
        const std::uint64_t number = lane.received++;
        if (length != size_) [[unlikely]]
            return take_signal(lane, length);
        if constexpr (kVerify) {
            verify_pattern(lane.slot_of(lane.sink, number).data(), size_, lane.messages, "message");
            verified_++;
        }
        lane.messages++;
        received_++;
        lane.post_receive<kVerify>();
        lane.credit.owe();
        if (lane.credit.give()) lane.post_credit();
    }

    void take_signal(Lane& lane, ULONG length) {
        if (length == 0) {
            lane.post_receive<kVerify>();
            lane.credit.take_credit();
        } else if (length == plan_.stop_bytes()) {
            lane.stopped = true;
            stopped_++;
        } else {
            throw_wrong_length(length, size_);
        }
    }

    static void finish_credit(Lane& lane) {
        lane.credit.given();
        if (lane.credit.give()) lane.post_credit();
    }

    static constexpr ULONG kBatch = CompletionQueue::kMostResults;

    const PointPlan& plan_;
    std::vector<Lane>& lanes_;
    CompletionQueue& queue_;
    const std::size_t size_;
    std::uint64_t received_ = 0, verified_ = 0;
    std::size_t stopped_ = 0;
};

template <Operation kOperation, WaitBy kWait, bool kVerify>
Measurement run(Endpoint& endpoint, ProgressBar* bar) {
    const PointPlan& plan = endpoint.plan();
    Stream<kOperation, kWait, kVerify> stream(endpoint);
    RunPace warmup = RunPace::warm_up(plan.warmup, stream_batch(plan), bar, plan.queue_pairs);
    if (plan.warmup != 0) stream.post_all(warmup);

    RunPace pace(plan.iterations, plan.duration_ms, stream_batch(plan), bar, plan.queue_pairs);
    const ContextSwitches before = ContextSwitches::so_far();
    stream.post_all(pace);

    Measurement measured = pace.measured();
    measured.switches = ContextSwitches::so_far() - before;
    measured.iterations *= plan.queue_pairs;
    if constexpr (kOperation == Operation::send || kOperation == Operation::write_with_immediate) {
        stream.stop();
        if (plan.bidirectional != 0) stream.receive_until_stopped();
    }
    measured.verified = stream.verified();
    return measured;
}

template <WaitBy kWait>
Measurement run_operation(Endpoint& endpoint, ProgressBar* bar) {
    switch (endpoint.plan().test) {
        case Test::read_bw: return run<Operation::read, kWait, false>(endpoint, bar);
        case Test::write_bw: return run<Operation::write, kWait, false>(endpoint, bar);
        case Test::write_imm_bw: return run<Operation::write_with_immediate, kWait, false>(endpoint, bar);
        default: break;
    }
    if (endpoint.plan().verify != 0) return run<Operation::send, kWait, true>(endpoint, bar);
    return run<Operation::send, kWait, false>(endpoint, bar);
}

template <WaitBy kWait, bool kVerify>
Measurement receive(Endpoint& endpoint) {
    const PointPlan& plan = endpoint.plan();
    Stream<Operation::send, kWait, kVerify> stream(endpoint);
    stream.receive(std::uint64_t{plan.warmup} * plan.queue_pairs);
    const ContextSwitches before = ContextSwitches::so_far();
    stream.receive_until_stopped();
    Measurement measured;
    measured.switches = ContextSwitches::so_far() - before;
    measured.iterations = stream.received();
    measured.verified = stream.verified();
    return measured;
}

}  // namespace

Measurement run_stream(Endpoint& endpoint, ProgressBar* bar) {
    return endpoint.plan().events != 0 ? run_operation<WaitBy::events>(endpoint, bar)
                                       : run_operation<WaitBy::polling>(endpoint, bar);
}

Measurement receive_stream(Endpoint& endpoint) {
    const PointPlan& plan = endpoint.plan();
    if (plan.events != 0)
        return plan.verify != 0 ? receive<WaitBy::events, true>(endpoint) : receive<WaitBy::events, false>(endpoint);
    return plan.verify != 0 ? receive<WaitBy::polling, true>(endpoint) : receive<WaitBy::polling, false>(endpoint);
}

}  // namespace nd
