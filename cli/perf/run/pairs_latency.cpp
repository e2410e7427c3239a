// SPDX-License-Identifier: MIT
//
// Latency of Send where one completion queue serves many connected queue pairs: what it costs that they are there. The
// other side answers on the queue pair that the message came from. Read send_latency.cpp first.
#include "perf/run/tests.h"
#include "perf/run/timed_turns.h"

namespace nd {
namespace {

template <WaitBy kWait>
class PairsPingPong {
public:
    explicit PairsPingPong(Endpoint& endpoint)
        : lanes_(endpoint.lanes()), queue_(endpoint.queue()), spread_(endpoint.plan().spread != 0) {}

    void receive_before_sending() {
        for (Lane& lane : lanes_) lane.post_receive<false>();
    }

    void send(Lane& lane) {
        while (lane.room() == 0) take_results();
        lane.post<Operation::send>(lane.source, 0, lane.signal_flag(false));
        lane.post_receive<false>();
    }

    // The queue pair it came from; null if it was the empty message.
    Lane* receive() {
        while (arrived_ == nullptr) take_results();
        received_++;
        Lane* const lane = std::exchange(arrived_, nullptr);
        return last_length_ == 0 ? nullptr : lane;
    }

    void turn() {
        send(lanes_[next_]);
        if (spread_ && ++next_ == lanes_.size()) next_ = 0;
        receive();
    }

    void stop() {
        Lane& lane = lanes_.front();
        while (lane.room() == 0) take_results();
        lane.post_stop();
        while (lane.completed < lane.posted) take_results();
    }

    std::uint64_t verified() const { return 0; }
    std::uint64_t received() const { return received_; }

private:
    void take_results() {
        ND2_RESULT results[8];
        const ULONG count = queue_.look<kWait>(results, 8);
        for (ULONG i = 0; i < count; i++) {
            CompletionQueue::check_result(results[i], "exchange messages");
            Lane& lane = *static_cast<Lane*>(results[i].QueuePairContext);
            if (results[i].RequestType == Nd2RequestTypeReceive) {
                arrived_ = &lane;
                last_length_ = results[i].BytesTransferred;
            } else {
                lane.complete(results[i]);
            }
        }
    }

    std::vector<Lane>& lanes_;
    CompletionQueue& queue_;
    const bool spread_;
    Lane* arrived_ = nullptr;  // of the one message that can be on its way
    ULONG last_length_ = 0;
    std::size_t next_ = 0;
    std::uint64_t received_ = 0;
};

template <WaitBy kWait>
Measurement measure_pairs(Endpoint& endpoint, ProgressBar* bar) {
    PairsPingPong<kWait> game(endpoint);
    return measure_turns(game, endpoint.plan(), bar);
}

template <WaitBy kWait>
Measurement answer(Endpoint& endpoint) {
    PairsPingPong<kWait> game(endpoint);
    game.receive_before_sending();
    ContextSwitches before = ContextSwitches::so_far();
    Measurement measured;
    while (Lane* const lane = game.receive()) {
        game.send(*lane);
        if (game.received() == endpoint.plan().warmup) [[unlikely]]
            before = ContextSwitches::so_far();
    }
    measured.switches = ContextSwitches::so_far() - before;
    measured.iterations = game.received() - 1;
    return measured;
}

}  // namespace

Measurement measure_pairs_latency(Endpoint& endpoint, ProgressBar* bar) {
    return endpoint.plan().events != 0 ? measure_pairs<WaitBy::events>(endpoint, bar)
                                       : measure_pairs<WaitBy::polling>(endpoint, bar);
}

Measurement answer_pairs_latency(Endpoint& endpoint) {
    return endpoint.plan().events != 0 ? answer<WaitBy::events>(endpoint) : answer<WaitBy::polling>(endpoint);
}

}  // namespace nd
