// SPDX-License-Identifier: MIT
// EventLoop: who sleeps in the set, for how long, who is woken, and what is done before a sleep. See event_loop.h.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <utility>

#include "platform/thread/event_loop.h"

namespace opennd {
namespace {

// Rounded up, so that a timer never makes a thread spin.
int milliseconds_until(SteadyTime when, SteadyTime at) {
    if (when <= at) return 0;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(when - at).count();
    return static_cast<int>(std::min<std::int64_t>(left, std::numeric_limits<int>::max()));
}

}  // namespace

// Returns the timeout of a sleep that ends in time for the timers and `deadline`, or at once if something is to be done; -1: without limit.
int EventLoop::choose_sleep(SleepEnd& end, SleepEnd deadline) {
    const SteadyTime at = now();
    const SleepEnd earliest = timers_.earliest();
    const bool stays = end && *end > at && (!earliest || *end < *earliest);
    if (!stays) end = earliest;
    if (must_look() || !posted_.empty() || without_memory_.load()) return 0;
    if (deadline && (!end || *deadline < *end)) return milliseconds_until(*deadline, at);
    return end ? milliseconds_until(*end, at) : -1;
}

// Each turn ends with a look at functions and timers, so the loop's own thread needs no wake-up.
void EventLoop::wake() {
    if (on_loop_thread()) return;
    if (stands_by_ != StandBy::no && !helped_.load(std::memory_order_relaxed))
        takes_over_.notify_one();
    else
        wake_.ring();
}

// Something is to be done at once.
bool EventLoop::leaves_work() const {
    return !posted_.empty() || without_memory_.load() ||
           lookers_caller_.load(std::memory_order_relaxed) == Looking::anybody;
}

// The thread that sleeps in the set wakes early enough for a timer. A thread that begins to help, or takes over, finds the timer.
bool EventLoop::ends_in_time(SteadyTime when) const {
    if (stands_by_ != StandBy::no && !helped_.load(std::memory_order_relaxed)) return true;
    const SleepEnd& end = stands_by_ == StandBy::no ? service_sleep_ : helper_sleep_;
    return end && *end <= when;
}

// This thread's turns may leave a timer or a posted function: a thread that would sleep too long for it is woken.
void EventLoop::wake_if_left() {
    const SleepEnd earliest = timers_.earliest();
    if (leaves_work() || (earliest && !ends_in_time(*earliest))) wake();
}

// While threads of the program help, each arrival is to wake one of them. A thread that falls asleep in the set later than a helper
// would be the one that is woken, so this one does not go there before the helper has left. Naps spare a thread that helps again and
// again the wake-up of this one each time.
void EventLoop::stand_by() {
    const auto stands_by = [this]() REQUIRES(mutex_) {
        return !stopping_ && !must_look() && (helped_.load(std::memory_order_relaxed) || !leaves_work());
    };
    if (!stands_by() || (!helped_.load(std::memory_order_relaxed) && now() - left_at_ >= kNap)) return;
    stands_by_ = StandBy::naps;
    wake_if_left();  // a helper may sleep for longer than this thread did
    std::uint32_t helps = helps_ - 1;
    while (stands_by()) {
        if (std::exchange(helps, helps_) != helps_) {
            (void)takes_over_.wait_until(mutex_, now() + kNap);
        } else if (helped_.load(std::memory_order_relaxed)) {
            stands_by_ = StandBy::deep;
            while (stands_by() && helps == helps_) takes_over_.wait(mutex_);
            stands_by_ = StandBy::naps;
            if (!helped_.load(std::memory_order_relaxed) && !has_put_off_.load(std::memory_order_relaxed)) break;
        } else {
            break;
        }
    }
    stands_by_ = StandBy::no;
}

// ---- errands

bool EventLoop::put_off(Ref<RefCounted> owner, Errand& errand) {
    if (own_looking() != Looking::helper || !helps_often_) return false;
    const auto place =
        std::ranges::find_if(put_off_, [&](const PutOff& each) { return !each.owner || each.errand == &errand; });
    if (place == put_off_.end()) return false;
    *place = {std::move(owner), &errand};
    has_put_off_.store(true, std::memory_order_relaxed);
    return true;
}

void EventLoop::run_errands() {
    if (!has_put_off_.load(std::memory_order_relaxed)) return;
    const Held turn(turn_mutex_);
    const InTurn in_turn(*this);
    has_put_off_.store(false, std::memory_order_relaxed);
    for (PutOff& each : put_off_) {
        const PutOff next = std::exchange(each, {});
        if (!next.owner) return;
        next.errand->before_sleep();
    }
}

}  // namespace opennd
