// SPDX-License-Identifier: MIT
// PollPacing: see poll_pacing.h.
#include "transport/soft/engine/poll_pacing.h"

#include <algorithm>
#include <chrono>

#include "platform/process/clock.h"
#include "platform/thread/asymmetric_barrier.h"

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

bool PollPacing::count_poll(Channel& channel) {
    const std::uint32_t polls = polls_since_armed_.load(std::memory_order_relaxed);
    const bool last = polls + 1 == polls_until_polling_.load(std::memory_order_relaxed);
    polls_since_armed_.store(polls + 1, std::memory_order_relaxed);
    // Another thread polled meanwhile, and is relied on no more: see PeerAttention::set_attention().
    if (polls == 0 && channel.peer().set_attention(Attention::awake) == Attention::polling) heavy_barrier();
    if (last) channel.peer().set_attention(Attention::polling);
    return polls == 0 || last;
}

void PollPacing::trust_pollers_less() {
    const std::uint32_t polls = polls_until_polling_.load(std::memory_order_relaxed);
    polls_until_polling_.store(std::min(2 * polls, kMostPollsUntilPolling), std::memory_order_relaxed);
}

bool PollPacing::is_run_due(Channel& channel) {
    const std::uint32_t idle = idle_polls_.load(std::memory_order_relaxed);
    const std::uint32_t distance = polls_between_reads_.load(std::memory_order_relaxed);
    if (idle == 1) {
        const std::int64_t time = now().time_since_epoch().count();
        idle_since_.store(time, std::memory_order_relaxed);
        counters_read_at_.store(time, std::memory_order_relaxed);
        read_at_poll_.store(distance, std::memory_order_relaxed);
        if (distance > 1) return false;
    }
    if (channel.peer().has_outcome()) {
        note_arrival();
        nudge_at_.store(kPollsUntilNudge, std::memory_order_relaxed);
        return true;
    }
    const std::int64_t time = now().time_since_epoch().count();
    read_at_poll_.store(idle + next_distance(time, distance), std::memory_order_relaxed);
    const bool long_ago = time - idle_since_.load(std::memory_order_relaxed) > kNudgeAfter.count();
    if (long_ago || idle >= nudge_at_.load(std::memory_order_relaxed)) nudge(channel);
    return true;
}

// Polls until the next read of the peer's counters; the one at `time` was `distance` polls after the one before.
std::uint32_t PollPacing::next_distance(std::int64_t time, std::uint32_t distance) {
    const bool quick = time - counters_read_at_.load(std::memory_order_relaxed) < distance * kQuickPoll.count();
    counters_read_at_.store(time, std::memory_order_relaxed);
    const std::uint32_t next = quick ? std::min(2 * distance, kMostPollsBetweenReads) : 1;
    polls_between_reads_.store(next, std::memory_order_relaxed);
    return next;
}

void PollPacing::nudge(Channel& channel) {
    idle_polls_.store(0, std::memory_order_relaxed);
    nudge_at_.store(std::min(nudge_at_.load(std::memory_order_relaxed) * 2, kPollsUntilNudge * 1024),
                    std::memory_order_relaxed);
    channel.peer().nudge();
}

}  // namespace opennd::soft
