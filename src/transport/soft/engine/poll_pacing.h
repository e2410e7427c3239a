// SPDX-License-Identifier: MIT
// How often a poller does more than a handful of loads: its polls until the peer may rely on them, its reads of the peer's
// counters, its nudges (docs/architecture.md, "The threads that make progress").
#pragma once

#include <atomic>
#include <cstdint>

#include "transport/soft/channel/channel.h"

namespace opennd::soft {

// Any thread. All members are hints: relaxed, and a lost count does no harm.
class PollPacing {
public:
    // The next poll counts towards attention polling, with count_poll().
    bool counts_polls() const {
        return polls_since_armed_.load(std::memory_order_relaxed) <
               polls_until_polling_.load(std::memory_order_relaxed);
    }
    // A poll, with no queue armed. True: attention changed, and the caller checks for an armed queue once more.
    bool count_poll(Channel& channel);
    // Attention becomes asleep: polls count anew.
    void restart() { polls_since_armed_.store(0, std::memory_order_relaxed); }
    // No poll counts until restart(): a crowd counts its polls.
    void suspend() { polls_since_armed_.store(UINT32_MAX, std::memory_order_relaxed); }
    void trust_pollers_anew() { polls_until_polling_.store(kPollsUntilPolling, std::memory_order_relaxed); }
    // A poller stopped silently, and an arrival had to wait for that: doubles polls_until_polling_.
    void trust_pollers_less();

    void note_arrival() { idle_polls_.store(0, std::memory_order_relaxed); }
    // Counts a poll at which no message arrives, with requests in flight. True: is_run_due() decides what follows.
    bool count_idle_poll() {
        const std::uint32_t idle = idle_polls_.load(std::memory_order_relaxed) + 1;
        idle_polls_.store(idle, std::memory_order_relaxed);
        return idle == 1 || idle >= read_at_poll_.load(std::memory_order_relaxed);
    }
    // True: the engine is to run, though no message arrives.
    bool is_run_due(Channel& channel);

private:
    std::uint32_t next_distance(std::int64_t time, std::uint32_t distance);
    void nudge(Channel& channel);

    std::atomic<std::uint32_t> polls_since_armed_{0};
    // Polls until attention becomes polling, by which the peer neither rings nor orders its stores. Doubled, up to the second,
    // each time that pollers stopped silently.
    static constexpr std::uint32_t kPollsUntilPolling = 64, kMostPollsUntilPolling = 64 << 9;
    std::atomic<std::uint32_t> polls_until_polling_{kPollsUntilPolling};
    std::atomic<std::uint32_t> idle_polls_{0};           // in a row, with requests in flight
    std::atomic<std::uint32_t> polls_between_reads_{1};  // at the peer's counters
    std::atomic<std::uint32_t> read_at_poll_{1};         // the next read, counted as idle_polls_
    std::atomic<std::int64_t> counters_read_at_{0};      // nanoseconds of the steady clock
    // A peer that answers nothing for kPollsUntilNudge polls (tens of microseconds) may have stopped polling: it is nudged,
    // the next time after twice as many.
    static constexpr std::uint32_t kPollsUntilNudge = 8192;
    std::atomic<std::uint32_t> nudge_at_{kPollsUntilNudge};
    std::atomic<std::int64_t> idle_since_{0};  // nanoseconds of the steady clock
};

}  // namespace opennd::soft
