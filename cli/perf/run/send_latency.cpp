// SPDX-License-Identifier: MIT
//
// Latency of Send, and of Write with immediate data, whose receives have no data. Read tests.h and lane.h first.
#include "pattern.h"
#include "perf/plan/batch_size.h"
#include "perf/run/tests.h"
#include "perf/run/timed_turns.h"

namespace nd {
namespace {

template <Operation kOperation, WaitBy kWait, bool kVerify>
class PingPong {
public:
    explicit PingPong(Endpoint& endpoint)
        : lane_(endpoint.lane()), queue_(endpoint.queue()), size_(endpoint.plan().size) {}

    // For the side that answers, before the first message: one receive more. It posts a receive again only when its answer has gone,
    // and the next message may come before that.
    void receive_before_sending() { lane_.post_receive<kVerify>(); }

    // Sends, and then, while the message is on its way, gives back the receive that the last message used.
    void send() {
        while (lane_.room() == 0) take_results();
        if constexpr (kVerify) {
            while (lane_.source_in_use()) take_results();
            fill_pattern(lane_.source.data(), size_, sent_);
        }
        lane_.post<kOperation>(lane_.source, 0, lane_.signal_flag(false));
        sent_++;
        lane_.post_receive<kVerify>();
    }

    // False if it was the empty message.
    bool receive() {
        expected_++;
        while (lane_.received < expected_) take_results();
        if (last_length_ == 0) return false;
        if constexpr (kVerify) verify();
        return true;
    }

    void turn() {
        send();
        receive();
    }

    void stop() {
        while (lane_.room() == 0) take_results();
        lane_.post_stop();
        while (lane_.completed < lane_.posted) take_results();
    }

    std::uint64_t verified() const { return verified_; }
    std::uint64_t received() const { return expected_; }

private:
    void take_results() {
        ND2_RESULT results[8];
        const ULONG count = queue_.look<kWait>(results, 8);
        for (ULONG i = 0; i < count; i++) {
            CompletionQueue::check_result(results[i], "exchange messages");
            if (results[i].RequestType == Nd2RequestTypeReceive) {
                lane_.received++;
                last_length_ = results[i].BytesTransferred;
            } else {
                lane_.complete(results[i]);
            }
        }
    }

    void verify() {
        const Piece slot = lane_.slot_of(lane_.sink, expected_ - 1);
        if (last_length_ != size_) throw_wrong_length(last_length_, size_);
        verify_pattern(slot.data(), size_, expected_ - 1, "message");
        verified_++;
    }

    Lane& lane_;
    CompletionQueue& queue_;
    const std::size_t size_;
    std::uint64_t sent_ = 0, expected_ = 0, verified_ = 0;
    ULONG last_length_ = 0;
};

template <Operation kOperation, WaitBy kWait, bool kVerify>
Measurement measure(Endpoint& endpoint, ProgressBar* bar) {
    PingPong<kOperation, kWait, kVerify> game(endpoint);
    return measure_turns(game, endpoint.plan(), bar);
}

template <Operation kOperation, WaitBy kWait, bool kVerify>
Measurement answer(Endpoint& endpoint) {
    PingPong<kOperation, kWait, kVerify> game(endpoint);
    game.receive_before_sending();
    ContextSwitches before = ContextSwitches::so_far();
    Measurement measured;
    while (game.receive()) {
        game.send();
        if (game.received() == endpoint.plan().warmup) [[unlikely]]
            before = ContextSwitches::so_far();
    }
    measured.switches = ContextSwitches::so_far() - before;
    measured.iterations = game.received() - 1;
    measured.verified = game.verified();
    return measured;
}

// Calls `game` with the way of the plan: the operation, the wait, and whether contents are verified.
template <typename Game>
Measurement by_plan(const PointPlan& plan, Game game) {
    const bool events = plan.events != 0;
    if (has_immediate(plan.test))
        return events ? game.template operator()<Operation::write_with_immediate, WaitBy::events, false>()
                      : game.template operator()<Operation::write_with_immediate, WaitBy::polling, false>();
    if (plan.verify != 0)
        return events ? game.template operator()<Operation::send, WaitBy::events, true>()
                      : game.template operator()<Operation::send, WaitBy::polling, true>();
    return events ? game.template operator()<Operation::send, WaitBy::events, false>()
                  : game.template operator()<Operation::send, WaitBy::polling, false>();
}

}  // namespace

Measurement measure_send_latency(Endpoint& endpoint, ProgressBar* bar) {
    return by_plan(endpoint.plan(), [&]<Operation kOperation, WaitBy kWait, bool kVerify> {
        return measure<kOperation, kWait, kVerify>(endpoint, bar);
    });
}

Measurement answer_send_latency(Endpoint& endpoint) {
    return by_plan(endpoint.plan(), [&]<Operation kOperation, WaitBy kWait, bool kVerify> {
        return answer<kOperation, kWait, kVerify>(endpoint);
    });
}

}  // namespace nd
