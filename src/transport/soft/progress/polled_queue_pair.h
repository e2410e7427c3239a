// SPDX-License-Identifier: MIT
// A queue pair with the rules by which threads look for its work: pollers of its completion queues, and the service thread when none
// polls; and what the peer is told of them. Read soft/queue_pair/queue_pair.h first.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/ref.h"
#include "transport/soft/progress/poll_pacing.h"
#include "transport/soft/progress/queue_pair_list.h"
#include "transport/soft/queue_pair/queue_pair.h"

namespace opennd::soft {

class PolledQueuePair final : public SoftQueuePair {
public:
    PolledQueuePair(Ref<OpenAdapter> adapter, const QueuePairParameters& parameters, Ref<QueuePairList> receives,
                    Ref<QueuePairList> initiators, Ref<SoftSharedReceiveQueue> shared);

    void close() override;
    bool attach(Ref<Channel> channel, Ref<ConnectionEnd> connection, const ReadLimits& limits) override;

    // Looks for a poller: runs the queue pair if a message has arrived, and now and then while requests are
    // outstanding. Any thread.
    void poll(Progress& progress);
    // Runs the queue pair for a poller, for arrivals that were named. `moved`: a message was taken, or a request
    // started or completed. `left`: work remains that will not be named again, maybe because another thread has the
    // lock.
    struct Visited {
        bool moved, left;
    };
    Visited visit(Progress& progress);
    bool serve() override;

    // Sets attention to asleep: the peer must ring. Returns true if it was polling, so that a heavy_barrier() is due.
    bool ask_to_be_woken();
    // Its receives complete in `queue`.
    bool receives_in(const QueuePairList& queue) const { return receives_.get() == &queue; }
    // The loop of `to` takes its arrivals, and what is left of them, from here on. It has a channel over a socket.
    void move_to(Service& to);
    void trust_pollers_less() override { pacing_.trust.trust_less(); }

    // Lets the channel join a crowd, under the list lock of its completion queue, once the queue pair has a channel.
    // Returns true if the channel joined it, and names this queue pair's arrivals.
    [[nodiscard]] bool join(Crowd& crowd, Place place);
    // Leaves the crowd, after join() was true. The caller issues heavy_barrier(), and serves the queue pair if it has
    // news.
    void leave(Crowd& crowd);
    // Calls PeerAttention::follow(). Returns false also for a queue pair that completes elsewhere, too.
    [[nodiscard]] bool follow(bool closely);

    // Returns true if it has a channel at which a look costs a system call.
    bool looks_by_call() const {
        const Channel* const channel = this->channel();
        return channel != nullptr && channel->facts().over_socket;
    }
    // Glances: returns true if an arrival, or with shows_news() an arrival or an outcome, shows in memory. Attention
    // stays as it is.
    bool shows_arrival() const {
        const Channel* const channel = this->channel();
        return channel != nullptr && channel->shows_arrival();
    }
    bool shows_news() const {
        const Channel* const channel = this->channel();
        return channel != nullptr && (channel->shows_arrival() || channel->peer().has_outcome());
    }

private:
    // Looks for an arrival, and runs the queue pair if there is one, or if a run is due. count_and_look() counts the poll before.
    [[gnu::always_inline]] inline void look(Progress& progress, Channel& channel);
    [[gnu::noinline]] void count_and_look(Progress& progress, Channel& channel);
    [[gnu::noinline]] void run_if_due(Progress& progress, Channel& channel);
    void count_poll(Channel& channel);
    std::uint32_t completion_queues() const { return receives_ == initiators_ ? 1 : 2; }

    const QueuePairLimits limits_;
    const Ref<QueuePairList> receives_, initiators_;

    PollPacing pacing_;
    // The number of crowds that the channel has joined. If all its completion queues are such, the attention of their
    // sources counts, else that of the channel. Written under the list locks; relaxed: a reader that is late does as
    // for a channel in no crowd, which costs a wake-up.
    std::atomic<std::uint32_t> crowds_{0};
};

}  // namespace opennd::soft
