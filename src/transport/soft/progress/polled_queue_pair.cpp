// SPDX-License-Identifier: MIT
// PolledQueuePair: the cost of an idle poll, the attention that the peer is told, and the service thread's part. See
// polled_queue_pair.h.
#include "transport/soft/progress/polled_queue_pair.h"

#include <new>
#include <optional>
#include <utility>

#include "platform/thread/asymmetric_barrier.h"

namespace opennd::soft {

PolledQueuePair::PolledQueuePair(Ref<OpenAdapter> adapter, const QueuePairParameters& parameters,
                                 Ref<QueuePairList> receives, Ref<QueuePairList> initiators,
                                 Ref<SoftSharedReceiveQueue> shared)
    : SoftQueuePair(std::move(adapter), parameters, receives->results(), initiators->results(), std::move(shared)),
      limits_(parameters.limits),
      receives_(std::move(receives)),
      initiators_(std::move(initiators)) {
    int attached = 0;  // queues that refer to this object; detached again if there is no memory for the next
    try {
        receives_->attach(*this, limits_.receive_depth);
        ++attached;
        initiators_->attach(*this, limits_.initiator_depth);
        ++attached;
        enlist();
    } catch (...) {
        if (attached > 1) initiators_->detach(*this, limits_.initiator_depth);
        if (attached > 0) receives_->detach(*this, limits_.receive_depth);
        throw;
    }
    if (receives_->results().has_overrun() || initiators_->results().has_overrun()) fail();
}

void PolledQueuePair::close() {
    end_by_program();
    receives_->detach(*this, limits_.receive_depth);
    initiators_->detach(*this, limits_.initiator_depth);
    retire();
}

bool PolledQueuePair::attach(Ref<Channel> channel, Ref<ConnectionEnd> connection, const ReadLimits& limits) {
    if (!SoftQueuePair::attach(std::move(channel), std::move(connection), limits)) return false;
    full_barrier();  // a crowd that begins sees the channel, or is seen here
    receives_->connected(*this);
    if (initiators_ != receives_) initiators_->connected(*this);
    return true;
}

// ---- pollers

// An idle poll is a handful of loads; rarer steps are functions of their own, each the last call of its caller, so that the
// idle poll saves no register.
void PolledQueuePair::poll(Progress& progress) {
    Channel* const channel = this->channel();
    if (!channel) return;
    if (pacing_.trust.counts()) [[unlikely]]
        return count_and_look(progress, *channel);
    look(progress, *channel);
}

inline void PolledQueuePair::look(Progress& progress, Channel& channel) {
    if (channel.has_arrival()) {
        pacing_.note_arrival();
        return try_run(progress);
    }
    if (has_outstanding() && pacing_.count_idle_poll()) run_if_due(progress, channel);
}

void PolledQueuePair::count_and_look(Progress& progress, Channel& channel) {
    count_poll(channel);
    look(progress, channel);
}

void PolledQueuePair::run_if_due(Progress& progress, Channel& channel) {
    if (pacing_.is_run_due(channel)) try_run(progress);
}

// The peer may rely on a poller only while no queue is armed: a program also polls once more after Notify, and then sleeps
// (ND2-CQ-NTF-08).
void PolledQueuePair::count_poll(Channel& channel) {
    if (is_armed()) return;
    const std::optional<Attention> attention = pacing_.trust.count();
    if (!attention) return;
    // Another thread polled meanwhile, and is relied on no more: see PeerAttention::set_attention().
    if (channel.peer().set_attention(*attention) == Attention::polling && *attention != Attention::polling)
        heavy_barrier();
    full_barrier();
    if (!is_armed()) return;
    // Another thread armed a queue in between. The caller checks for an arrival next, and finds those that the peer did not
    // ring for.
    if (ask_to_be_woken())
        heavy_barrier();
    else
        full_barrier();
}

bool PolledQueuePair::ask_to_be_woken() {
    pacing_.trust.restart();
    pacing_.trust.trust_anew();
    Channel* const channel = this->channel();
    if (!channel) return false;
    const bool was_polling = channel->peer().set_attention(Attention::asleep) == Attention::polling;
    if (has_outstanding()) channel->peer().nudge();  // the peer may have stopped polling silently
    return was_polling;
}

PolledQueuePair::Visited PolledQueuePair::visit(Progress& progress) {
    Channel* const channel = this->channel();
    if (!channel) return {false, false};
    if (pacing_.trust.counts()) [[unlikely]]
        count_poll(*channel);
    pacing_.note_arrival();
    const std::uint32_t before = moves();
    const bool left = try_run_once(progress);
    return {moves() != before, left};
}

// ---- crowds

bool PolledQueuePair::join(Crowd& crowd, Place place) {
    if (!channel()->peer().join(crowd, place)) return false;
    if (crowds_.fetch_add(1, std::memory_order_relaxed) + 1 != completion_queues()) return true;
    pacing_.trust.suspend();
    channel()->peer().set_attention(Attention::polling);
    return true;
}

void PolledQueuePair::leave(Crowd& crowd) {
    const bool was_named_alone = crowds_.fetch_sub(1, std::memory_order_relaxed) == completion_queues();
    if (was_named_alone) pacing_.trust.restart();
    channel()->peer().leave(crowd);
    if (was_named_alone) channel()->peer().set_attention(Attention::asleep);
}

bool PolledQueuePair::follow(bool closely) {
    if (closely && completion_queues() != 1) return false;
    return channel()->peer().follow(closely);
}

// ---- the service thread

// The loop before goes on if there is no memory for the message to it.
void PolledQueuePair::move_to(Service& to) {
    set_service(to);
    try {
        channel()->peer().move_to(to.loop());
    } catch (const std::bad_alloc&) {
    }
}

bool PolledQueuePair::serve() {
    Channel* const channel = this->channel();
    if (!channel) return false;
    receives_->note_served();
    // The attention is that of the sources of its crowds.
    if (crowds_.load(std::memory_order_relaxed) == completion_queues()) return run_rounds();
    for (int round = 0; round < kRounds; ++round) {
        const std::uint32_t before = moves();
        Progress progress;
        (void)run_once(progress);  // work that is left shows below
        progress.after.run();
        const bool was_polling = channel->peer().set_attention(Attention::asleep) == Attention::polling;
        // Over a socket the count of polls goes on until the poller is relied on: an arrival that the service thread took
        // is no sign that the poller stopped. Counted anew, a slow poller would never come to polling, and each arrival
        // would wake the service thread.
        if (was_polling || !channel->facts().over_socket) pacing_.trust.restart();
        if (was_polling)
            heavy_barrier();
        else
            full_barrier();
        if (!channel->has_news() || state() != QueuePairState::attached) return false;
        // An arrival from before the peer saw that it must ring shows only now: the first round does not count. An arrival
        // that does not move after that waits for another thread: for a posted receive, a segment, the end of a long copy.
        // That thread runs the queue pair.
        const bool moved = moves() != before;
        if (round != 0 && !moved && !channel->peer().has_outcome()) return false;
    }
    return true;
}

}  // namespace opennd::soft
