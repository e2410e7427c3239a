// SPDX-License-Identifier: MIT
// Functions to run at points in time, earliest first. Part of EventLoop, which brings the lock and the clock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "platform/process/clock.h"

namespace opennd {

// Names one scheduled function. Never reused; 0 names none.
enum class TimerId : std::uint64_t {};

// Not thread-safe.
class TimerQueue {
public:
    TimerId add(SteadyTime when, std::function<void()> function);

    // One whose time has come.
    struct Due {
        TimerId id{};
        std::function<void()> function;
    };

    // The function, so that the caller can destroy it outside its lock; empty if it was taken or cancelled before.
    std::function<void()> cancel(TimerId id);

    // The earliest function if its time has come; empty otherwise. Equal times: in the order added.
    Due take_due(SteadyTime at);

    std::optional<SteadyTime> earliest() const;

private:
    using Key = std::pair<SteadyTime, TimerId>;  // ids grow, so equal times keep their order

    std::map<Key, std::function<void()>> by_time_;
    std::unordered_map<TimerId, SteadyTime> times_;
    std::uint64_t last_id_ = 0;
};

inline TimerId TimerQueue::add(SteadyTime when, std::function<void()> function) {
    const TimerId id{++last_id_};
    const auto time = times_.emplace(id, when).first;
    try {
        by_time_.emplace(Key(when, id), std::move(function));
    } catch (...) {
        times_.erase(time);
        throw;
    }
    return id;
}

inline std::function<void()> TimerQueue::cancel(TimerId id) {
    const auto time = times_.find(id);
    if (time == times_.end()) return {};
    const auto entry = by_time_.find(Key(time->second, id));
    std::function<void()> function = std::move(entry->second);
    by_time_.erase(entry);
    times_.erase(time);
    return function;
}

inline TimerQueue::Due TimerQueue::take_due(SteadyTime at) {
    if (by_time_.empty() || by_time_.begin()->first.first > at) return {};
    const TimerId id = by_time_.begin()->first.second;
    return {id, cancel(id)};
}

inline std::optional<SteadyTime> TimerQueue::earliest() const {
    if (by_time_.empty()) return std::nullopt;
    return by_time_.begin()->first.first;
}

}  // namespace opennd
