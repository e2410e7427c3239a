// SPDX-License-Identifier: MIT
// How often a poller does more than a handful of loads: its polls until the peer may rely on them, its reads of the peer's
// counters, its nudges (docs/progress.md). A queue pair and a crowd of them count alike.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>

#include "transport/soft/channel/channel.h"

namespace opennd::soft {

// All members of the three classes are hints: relaxed, and a lost count does no harm. Any thread.

// The trust of the peers in the pollers of this side: as long as they may rely on them, they neither ring nor order their stores.
class PollerTrust {
public:
    // Returns true if the next poll counts, with count().
    bool counts() const {
        return polls_since_armed_.load(std::memory_order_relaxed) <
               polls_until_polling_.load(std::memory_order_relaxed);
    }
    // Counts a poll, with no queue armed. Returns the attention that it leads to; nothing if that stays.
    std::optional<Attention> count();
    // Counts polls anew, because attention becomes asleep.
    void restart() { polls_since_armed_.store(0, std::memory_order_relaxed); }
    // Counts no poll until restart(): a crowd counts its polls.
    void suspend() { polls_since_armed_.store(UINT32_MAX, std::memory_order_relaxed); }
    void trust_anew() { polls_until_polling_.store(kPollsUntilPolling, std::memory_order_relaxed); }
    // Doubles the polls until attention becomes polling: a poller stopped silently, and an arrival had to wait for
    // that.
    void trust_less();

private:
    static constexpr std::uint32_t kPollsUntilPolling = 64, kMostPollsUntilPolling = 64 << 9;
    std::atomic<std::uint32_t> polls_since_armed_{0};
    std::atomic<std::uint32_t> polls_until_polling_{kPollsUntilPolling};
};

// The nudges of a peer that answers nothing, and may have stopped polling: after a number of idle polls or a time, the next time after
// twice as many and as long.
class NudgePacing {
public:
    bool is_due(std::uint32_t idle_polls, std::chrono::nanoseconds idle);
    // Paces anew, because the peer has answered.
    void restart() { nudge_at_.store(kPollsUntilNudge, std::memory_order_relaxed); }

private:
    static constexpr std::uint32_t kPollsUntilNudge = 8192;  // tens of microseconds
    std::atomic<std::uint32_t> nudge_at_{kPollsUntilNudge};
};

class PollPacing {
public:
    PollerTrust trust;

    void note_arrival() { idle_polls_.store(0, std::memory_order_relaxed); }
    // Counts a poll at which no message arrives, with requests in flight. Returns true if is_run_due() is to be asked.
    bool count_idle_poll() {
        const std::uint32_t idle = idle_polls_.load(std::memory_order_relaxed) + 1;
        idle_polls_.store(idle, std::memory_order_relaxed);
        return idle == 1 || idle >= read_at_poll_.load(std::memory_order_relaxed);
    }
    // Returns true if the queue pair is to run, though no message arrives.
    bool is_run_due(Channel& channel);

private:
    std::uint32_t next_distance(std::int64_t time, std::uint32_t distance);

    std::atomic<std::uint32_t> idle_polls_{0};           // in a row, with requests in flight
    std::atomic<std::uint32_t> polls_between_reads_{1};  // at the peer's counters
    std::atomic<std::uint32_t> read_at_poll_{1};         // the next read, counted as idle_polls_
    std::atomic<std::int64_t> counters_read_at_{0};      // nanoseconds of the steady clock
    std::atomic<std::int64_t> idle_since_{0};            // nanoseconds of the steady clock
    NudgePacing nudges_;
};

}  // namespace opennd::soft
