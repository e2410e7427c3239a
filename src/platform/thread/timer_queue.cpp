// SPDX-License-Identifier: MIT
// An ordered map of functions; see timer_queue.h.
#include "platform/thread/timer_queue.h"

namespace opennd {

TimerId TimerQueue::add(SteadyTime when, std::function<void()> function) {
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

std::function<void()> TimerQueue::cancel(TimerId id) {
    const auto time = times_.find(id);
    if (time == times_.end()) return {};
    const auto entry = by_time_.find(Key(time->second, id));
    std::function<void()> function = std::move(entry->second);
    by_time_.erase(entry);
    times_.erase(time);
    return function;
}

TimerQueue::Due TimerQueue::take_due(SteadyTime at) {
    if (by_time_.empty() || by_time_.begin()->first.first > at) return {};
    const TimerId id = by_time_.begin()->first.second;
    return {id, cancel(id)};
}

std::optional<SteadyTime> TimerQueue::earliest() const {
    if (by_time_.empty()) return std::nullopt;
    return by_time_.begin()->first.first;
}

}  // namespace opennd
