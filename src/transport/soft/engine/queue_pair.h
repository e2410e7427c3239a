// SPDX-License-Identifier: MIT
// The software RNIC's queue pair: the rules by which threads run its engine. Next: engine.h.
//
// There is no engine thread. A post starts its request; a poll of a completion queue moves arrivals; the service thread,
// woken by the peer, does both when no thread polls (docs/architecture.md).
#pragma once

#include <atomic>
#include <cstdint>

#include "base/ref.h"
#include "transport/queue_pair.h"
#include "transport/soft/engine/engine.h"
#include "transport/soft/engine/poll_pacing.h"
#include "transport/soft/engine/queue_pair_list.h"
#include "transport/soft/engine/served_queue_pair.h"

namespace opennd::soft {

class SoftQueuePair final : public ServedQueuePair {
public:
    SoftQueuePair(Ref<OpenAdapter> adapter, const QueuePairParameters& parameters, Ref<QueuePairList> receives,
                  Ref<QueuePairList> initiators, Ref<SoftSharedReceiveQueue> shared);

    Status post(const WorkRequest& request) override;
    void flush() override;
    void close() override;
    void end(Status oldest) override;
    void end_soon(Status oldest) override;
    // The first part of end(), for a thread that must not wait for a peer. True: end() does not wait any more. False: the peer
    // is in the middle of a message of this side, or holds up a copy of this side; the caller calls again.
    [[nodiscard]] bool try_end(Status oldest);
    // For the same threads, once the channel begins no more copies, before a call that waits for the copies of this side. True:
    // no copy is under way, or the one that is was abandoned. False: the caller calls again.
    [[nodiscard]] bool come_to_rest();
    bool heard() const override { return engine_.heard(); }
    QueuePairState state() const override { return engine_.state(); }
    std::optional<QueuePairUse> use() override;
    bool capture() override;
    void set_number(std::uint32_t number) override { engine_.set_number(number); }

    // A connection is up, or is about to be. False: the queue pair is not idle any more.
    bool attach(Ref<Channel> channel, Ref<ConnectionEnd> connection, const ReadLimits& limits);
    // This side ended the connection: end(canceled).
    void end_by_this_side() { end(Status::canceled); }
    // After end_by_peer(), with a channel that starts nothing any more, for a thread that must not wait for the peer. True: end() does
    // not wait any more. False: the peer is in the middle of a message of this side; the caller calls again.
    [[nodiscard]] bool hold_back();
    // The peer ended it: moves up arrivals; outstanding requests stay outstanding. The caller tells core next, which may end
    // the queue pair.
    void end_by_peer();
    // If core has not ended it: outstanding requests have the retry time (ND1-EP-GEN-21).
    void start_retry_time();

    // To state error, and the connection ends: a completion queue overran (ND2-CQ-OVR-01), or the peer did not leave an access
    // in time.
    void fail(Progress& progress);
    void fail() override;

    // For the completion queues: runs the engine if a message has arrived, and now and then while requests are outstanding.
    // Any thread.
    void poll(Progress& progress);
    // The same. True: a message was taken, or requests of this side are outstanding.
    bool poll_for_traffic(Progress& progress);
    // A glance: an arrival shows in memory. Attention stays as it is.
    bool shows_arrival() const {
        const Channel* const channel = engine_.channel();
        return channel != nullptr && channel->shows_arrival();
    }
    // Runs the engine without a check for work; waits for the lock. For callers that will not poll again: the service thread
    // continues if arrivals remain after one budget.
    void run(Progress& progress) { engine_.run(progress); }
    // A poller stopped silently, and an arrival had to wait for that.
    void trust_pollers_less() { pacing_.trust_pollers_less(); }
    // Once it has, it has for good.
    bool has_channel() const { return engine_.channel() != nullptr; }
    // For a crowd, under the list lock of its completion queue, once it has a channel. True: the channel joined it, and names this queue pair's arrivals.
    [[nodiscard]] bool join(Crowd& crowd, Place place);
    // After join() was true. The caller issues heavy_barrier(), and serves the queue pair if it has news.
    void leave(Crowd& crowd);
    // As PeerAttention::follow(). False also for a queue pair that completes elsewhere, too.
    [[nodiscard]] bool follow(bool closely);
    // A poller looks at one that it follows. True: a message was taken.
    bool poll_followed(Progress& progress);
    // An arrival or an outcome shows in memory.
    bool shows_news() const {
        const Channel* const channel = engine_.channel();
        return channel != nullptr && (channel->shows_arrival() || channel->peer().has_outcome());
    }
    // A poller runs the engine for arrivals that were named. `moved`: a message was taken, or a request started or completed.
    // `left`: work remains that will not be named again, maybe because another thread has the lock.
    struct Visited {
        bool moved, left;
    };
    Visited visit(Progress& progress);
    // The same for a caller that will not come again, and waits for the lock. True: work remains.
    [[nodiscard]] bool run_named(Progress& progress) { return engine_.run_named(progress); }

    // Sets attention to asleep: the peer must ring. True: it was polling, so that a heavy_barrier() is due.
    bool ask_to_be_woken();
    void run_for_receive() override;
    ResultRing& receive_results() const override { return receives_->results(); }
    // Runs the engine; true if no initiator request is outstanding then.
    bool finish_requests();
    bool serve() override;

    // Does the work that the engine left for after the lock: reports a failure, starts the timers of a starving message and of a
    // revisit.
    void do_deferred() override;

    // The adapter of its memory. Its connection may be an object of another open of the same address (NDK-QP-CREATE-03).
    const Ref<OpenAdapter>& adapter() const { return adapter_; }

    // Names this queue pair in the token table, for memory windows (ND2-MW-03).
    std::uint32_t scope() const { return scope_; }

    [[nodiscard]] bool end_accesses(Token remote, const AccessEnd& end) override;
    void wait_for_responder() override;

private:
    void give_up_waiting(std::uint32_t starvation);
    void revisit();
    void retry_later(std::uint32_t oldest, int times);
    void retry(std::uint32_t oldest, int times);
    bool serve_named(const Channel& channel);
    [[gnu::always_inline]] inline void poll_counted(Progress& progress, Channel& channel);
    [[gnu::noinline]] void poll_and_count(Progress& progress, Channel& channel);
    [[gnu::noinline]] void run_if_due(Progress& progress, Channel& channel);
    void count_poll(Channel& channel);
    std::uint32_t completion_queues() const { return receives_ == initiators_ ? 1 : 2; }

    // Constant after construction.
    const Ref<OpenAdapter> adapter_;
    const QueuePairLimits limits_;
    const std::uint32_t scope_;
    const Ref<QueuePairList> receives_, initiators_;
    const Ref<SoftSharedReceiveQueue> shared_;  // null: the responder has a receive queue of its own

    Engine engine_;  // has the lock

    PollPacing pacing_;
    // Crowds that the channel has joined. If all its completion queues are such, the attention of their sources counts, else that of the
    // channel. Written under the list locks; relaxed: a reader that is late does as for a channel in no crowd, which costs a wake-up.
    std::atomic<std::uint32_t> crowds_{0};
};

}  // namespace opennd::soft
