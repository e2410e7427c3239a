// SPDX-License-Identifier: MIT
// PollerTrust, NudgePacing, PollPacing: see poll_pacing.h.
#include "transport/soft/progress/poll_pacing.h"

#include <algorithm>

#include "platform/process/clock.h"

namespace opennd::soft {
namespace {

// A poller with requests in flight reads the peer's counters every kMostPollsBetweenReads polls at most, if its polls are
// less than kQuickPoll apart. The counters lie in a cache line that the peer writes at every message: reading it more often
// makes the peer wait for the line, and replies carry the same counts. A poller with slower polls reads them at every poll.
constexpr std::uint32_t kMostPollsBetweenReads = 64;
constexpr std::chrono::nanoseconds kQuickPoll{500};
// A poller that seldom gets a processor nudges after a time.
constexpr std::chrono::nanoseconds kFirstNudgeAfter = std::chrono::milliseconds(20);
constexpr std::chrono::nanoseconds kMostNudgeAfter = std::chrono::milliseconds(320);

}  // namespace

std::optional<Attention> PollerTrust::count() {
    const std::uint32_t polls = polls_since_armed_.load(std::memory_order_relaxed) + 1;
    polls_since_armed_.store(polls, std::memory_order_relaxed);
    if (polls == polls_until_polling_.load(std::memory_order_relaxed)) return Attention::polling;
    return polls == 1 ? std::optional(Attention::awake) : std::nullopt;
}

void PollerTrust::trust_less() {
    const std::uint32_t polls = polls_until_polling_.load(std::memory_order_relaxed);
    polls_until_polling_.store(std::min(2 * polls, kMostPollsUntilPolling), std::memory_order_relaxed);
}

bool NudgePacing::is_due(std::uint32_t idle_polls, std::chrono::nanoseconds idle) {
    const std::uint32_t nudge_at = nudge_at_.load(std::memory_order_relaxed);
    const auto patience = std::min(kFirstNudgeAfter * (nudge_at / kPollsUntilNudge), kMostNudgeAfter);
    if (idle_polls < nudge_at && idle <= patience) return false;
    nudge_at_.store(std::min(2 * nudge_at, kPollsUntilNudge * 1024), std::memory_order_relaxed);
    return true;
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
        nudges_.restart();
        return true;
    }
    const std::int64_t time = now().time_since_epoch().count();
    read_at_poll_.store(idle + next_distance(time, distance), std::memory_order_relaxed);
    const std::chrono::nanoseconds since(time - idle_since_.load(std::memory_order_relaxed));
    if (nudges_.is_due(idle, since)) {
        note_arrival();
        channel.peer().nudge();
    }
    return true;
}

// Returns the number of polls until the next read of the peer's counters. The read at `time` was `distance` polls after
// the one before.
std::uint32_t PollPacing::next_distance(std::int64_t time, std::uint32_t distance) {
    const bool quick = time - counters_read_at_.load(std::memory_order_relaxed) < distance * kQuickPoll.count();
    counters_read_at_.store(time, std::memory_order_relaxed);
    const std::uint32_t next = quick ? std::min(2 * distance, kMostPollsBetweenReads) : 1;
    polls_between_reads_.store(next, std::memory_order_relaxed);
    return next;
}

}  // namespace opennd::soft
