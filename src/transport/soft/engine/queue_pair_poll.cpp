// SPDX-License-Identifier: MIT
// SoftQueuePair, as pollers use it: the cost of an idle poll, and the attention that the peer is told. See queue_pair.h.
#include <algorithm>
#include <chrono>

#include "platform/process/clock.h"
#include "platform/thread/asymmetric_barrier.h"
#include "transport/soft/engine/queue_pair.h"

namespace opennd::soft {
namespace {

// A poller with requests in flight reads the peer's counters every kMostPollsBetweenReads polls at most, if its polls are
// less than kQuickPoll apart. The counters lie in a cache line that the peer writes at every message: reading it more often
// makes the peer wait for the line, and replies carry the same counts. A poller with slower polls reads them at every poll.
constexpr std::uint32_t kMostPollsBetweenReads = 64;
constexpr std::chrono::nanoseconds kQuickPoll{500};
// As kPollsUntilNudge, for a poller that seldom gets a processor.
constexpr std::chrono::nanoseconds kNudgeAfter = std::chrono::milliseconds(20);

}  // namespace

// An idle poll is a handful of loads; rarer steps are functions of their own.
void SoftQueuePair::poll(Progress& progress) {
    Channel* const channel = channel_.load(std::memory_order_acquire);
    if (!channel) return;
    if (polls_since_armed_.load(std::memory_order_relaxed) < polls_until_polling_.load(std::memory_order_relaxed))
        [[unlikely]]
        count_poll(*channel);
    if (channel->has_arrival()) {
        idle_polls_.store(0, std::memory_order_relaxed);
        return try_run(progress);
    }
    if (!initiator_.has_outstanding()) return;
    const std::uint32_t idle = idle_polls_.load(std::memory_order_relaxed) + 1;
    idle_polls_.store(idle, std::memory_order_relaxed);
    if (idle != 1 && idle < read_at_poll_.load(std::memory_order_relaxed)) return;
    if (is_run_due(*channel, idle)) try_run(progress);
}

// The peer may rely on a poller only while no queue is armed: a program also polls once more after Notify, and then sleeps
// (ND2-CQ-NTF-08).
void SoftQueuePair::count_poll(Channel& channel) {
    if (is_armed()) return;
    const std::uint32_t polls = polls_since_armed_.load(std::memory_order_relaxed);
    const bool last = polls + 1 == polls_until_polling_.load(std::memory_order_relaxed);
    polls_since_armed_.store(polls + 1, std::memory_order_relaxed);
    if (polls == 0) channel.set_attention(Channel::Attention::awake);
    if (last) channel.set_attention(Channel::Attention::polling);
    if (polls != 0 && !last) return;
    full_barrier();
    if (!is_armed()) return;
    // Another thread armed a queue in between. The caller checks for an arrival next, and finds those that the peer did not
    // ring for.
    if (ask_to_be_woken())
        heavy_barrier();
    else
        full_barrier();
}

void SoftQueuePair::trust_pollers_less() {
    const std::uint32_t polls = polls_until_polling_.load(std::memory_order_relaxed);
    polls_until_polling_.store(std::min(2 * polls, kMostPollsUntilPolling), std::memory_order_relaxed);
}

bool SoftQueuePair::is_armed() const { return receives_->armed() || initiators_->armed(); }

// No message arrives at this poll, the `idle`th in a row with requests in flight. True: the engine is to run all the same.
bool SoftQueuePair::is_run_due(Channel& channel, std::uint32_t idle) {
    const std::uint32_t distance = polls_between_reads_.load(std::memory_order_relaxed);
    if (idle == 1) {
        const std::int64_t time = now().time_since_epoch().count();
        idle_since_.store(time, std::memory_order_relaxed);
        counters_read_at_.store(time, std::memory_order_relaxed);
        read_at_poll_.store(distance, std::memory_order_relaxed);
        if (distance > 1) return false;
    }
    if (channel.has_outcome()) {
        idle_polls_.store(0, std::memory_order_relaxed);
        nudge_at_.store(kPollsUntilNudge, std::memory_order_relaxed);
        return true;
    }
    const std::int64_t time = now().time_since_epoch().count();
    const bool quick = time - counters_read_at_.load(std::memory_order_relaxed) < distance * kQuickPoll.count();
    counters_read_at_.store(time, std::memory_order_relaxed);
    const std::uint32_t next = quick ? std::min(2 * distance, kMostPollsBetweenReads) : 1;
    polls_between_reads_.store(next, std::memory_order_relaxed);
    read_at_poll_.store(idle + next, std::memory_order_relaxed);
    const bool long_ago = time - idle_since_.load(std::memory_order_relaxed) > kNudgeAfter.count();
    if (long_ago || idle >= nudge_at_.load(std::memory_order_relaxed)) {
        idle_polls_.store(0, std::memory_order_relaxed);
        nudge_at_.store(std::min(nudge_at_.load(std::memory_order_relaxed) * 2, kPollsUntilNudge * 1024),
                        std::memory_order_relaxed);
        channel.nudge();
    }
    return true;
}

bool SoftQueuePair::poll_for_traffic(Progress& progress) {
    Channel* const channel = channel_.load(std::memory_order_acquire);
    if (!channel) return false;
    const std::uint32_t before = channel->taken();
    poll(progress);
    return channel->taken() != before || initiator_.has_outstanding();
}

}  // namespace opennd::soft
