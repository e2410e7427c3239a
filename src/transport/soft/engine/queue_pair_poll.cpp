// SPDX-License-Identifier: MIT
// SoftQueuePair, as pollers use it: the cost of an idle poll, and the attention that the peer is told. See queue_pair.h.
#include "platform/thread/asymmetric_barrier.h"
#include "transport/soft/engine/queue_pair.h"

namespace opennd::soft {

// An idle poll is a handful of loads; rarer steps are functions of their own, each the last call of its caller, so that the
// idle poll saves no register.
void SoftQueuePair::poll(Progress& progress) {
    Channel* const channel = engine_.channel();
    if (!channel) return;
    if (pacing_.counts_polls()) [[unlikely]]
        return poll_and_count(progress, *channel);
    poll_counted(progress, *channel);
}

inline void SoftQueuePair::poll_counted(Progress& progress, Channel& channel) {
    if (channel.has_arrival()) {
        pacing_.note_arrival();
        return engine_.try_run(progress);
    }
    if (engine_.has_outstanding() && pacing_.count_idle_poll()) run_if_due(progress, channel);
}

void SoftQueuePair::poll_and_count(Progress& progress, Channel& channel) {
    count_poll(channel);
    poll_counted(progress, channel);
}

void SoftQueuePair::run_if_due(Progress& progress, Channel& channel) {
    if (pacing_.is_run_due(channel)) engine_.try_run(progress);
}

// The peer may rely on a poller only while no queue is armed: a program also polls once more after Notify, and then sleeps
// (ND2-CQ-NTF-08).
void SoftQueuePair::count_poll(Channel& channel) {
    if (engine_.is_armed()) return;
    if (!pacing_.count_poll(channel)) return;
    full_barrier();
    if (!engine_.is_armed()) return;
    // Another thread armed a queue in between. The caller checks for an arrival next, and finds those that the peer did not
    // ring for.
    if (ask_to_be_woken())
        heavy_barrier();
    else
        full_barrier();
}

bool SoftQueuePair::ask_to_be_woken() {
    pacing_.restart();
    pacing_.trust_pollers_anew();
    Channel* const channel = engine_.channel();
    if (!channel) return false;
    const bool was_polling = channel->peer().set_attention(Attention::asleep) == Attention::polling;
    if (engine_.has_outstanding()) channel->peer().nudge();  // the peer may have stopped polling silently
    return was_polling;
}

bool SoftQueuePair::join(Crowd& crowd, Place place) {
    Channel* const channel = engine_.channel();
    if (!channel->peer().join(crowd, place)) return false;
    if (crowds_.fetch_add(1, std::memory_order_relaxed) + 1 != completion_queues()) return true;
    pacing_.suspend();
    channel->peer().set_attention(Attention::polling);
    return true;
}

void SoftQueuePair::leave(Crowd& crowd) {
    const bool was_named_alone = crowds_.fetch_sub(1, std::memory_order_relaxed) == completion_queues();
    if (was_named_alone) pacing_.restart();
    engine_.channel()->peer().leave(crowd);
    if (was_named_alone) engine_.channel()->peer().set_attention(Attention::asleep);
}

bool SoftQueuePair::follow(bool closely) {
    if (closely && completion_queues() != 1) return false;
    return engine_.channel()->peer().follow(closely);
}

bool SoftQueuePair::poll_followed(Progress& progress) {
    Channel& channel = *engine_.channel();
    const std::uint32_t before = channel.taken();
    poll_counted(progress, channel);
    return channel.taken() != before;
}

SoftQueuePair::Visited SoftQueuePair::visit(Progress& progress) {
    Channel* const channel = engine_.channel();
    if (!channel) return {false, false};
    if (pacing_.counts_polls()) [[unlikely]]
        count_poll(*channel);
    pacing_.note_arrival();
    const std::uint32_t before = engine_.progress_made() + channel->taken();
    const bool left = engine_.try_run_named(progress);
    return {engine_.progress_made() + channel->taken() != before, left};
}

bool SoftQueuePair::poll_for_traffic(Progress& progress) {
    Channel* const channel = engine_.channel();
    if (!channel) return false;
    const std::uint32_t before = channel->taken();
    poll(progress);
    return channel->taken() != before || engine_.has_outstanding();
}

}  // namespace opennd::soft
