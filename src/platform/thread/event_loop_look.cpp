// SPDX-License-Identifier: MIT
// EventLoop: a thread that helps looks for work before it sleeps. See event_loop.h.
#include <algorithm>
#include <iterator>
#include <thread>
#include <utility>

#include "platform/thread/event_loop.h"
#include "platform/thread/look_choice.h"

namespace opennd {
namespace {

// Looks between two at the clock: a microsecond or two. Some tens of microseconds later another thread may need this processor.
constexpr int kLooksInARow = 64;
constexpr int kRowsBeforeYield = 16;

}  // namespace

void EventLoop::had_work(Ref<Spot> spot) {
    if (!look_choice().looks) return;
    const SteadyTime at = now();
    const Held held(mutex_);
    look_pays_ = look_pacing_.did_work(look_place_, at);
    if (spots_.front() == spot) return;
    const auto last = std::prev(spots_.end());
    const auto place = std::find(spots_.begin(), last, spot);
    std::swap(*place, spot);  // a spot that has no place now is released without the lock
    std::rotate(spots_.begin(), place, std::next(place));
}

void EventLoop::forget(const Spot& spot) {
    Ref<Spot> forgotten;  // released without the lock
    const Held held(mutex_);
    for (Ref<Spot>& each : spots_)
        if (each.get() == &spot) forgotten = std::move(each);
}

// Returns true if there was work, which is done, or a recall. After a look in vain there is none until work was done otherwise.
bool EventLoop::look_before_sleep(std::optional<SteadyTime> deadline) {
    Spots spots;
    {
        const Held held(mutex_);
        if (!std::exchange(look_pays_, false)) return false;
        spots = spots_;
    }
    const SteadyTime since = now();
    const SteadyTime until = since + LookPacing::kLongestLook;
    helper_looks_.store(true);
    for (const Ref<Spot>& spot : spots)
        if (spot) spot->begin_look();
    bool yielded = false;
    bool found = look_at(spots, deadline ? std::min(*deadline, until) : until, yielded);
    for (const Ref<Spot>& spot : spots)
        if (spot) spot->end_look();
    helper_looks_.store(false);
    found = shows_work(spots) || found;
    {
        const auto time = now() - since;
        const Held held(mutex_);
        if (found && !yielded)
            look_pacing_.looked_with_success();
        else
            look_pacing_.looked_in_vain(time);
    }
    if (found) do_work_at(spots);
    return found || recalled_.load() != Recall::none;
}

// After a yield the work may come from a thread that waited for this processor: then the look held it up.
bool EventLoop::look_at(const Spots& spots, SteadyTime until, bool& yielded) const {
    for (int rows = 1;; ++rows) {
        for (int looks = 0; looks < kLooksInARow; ++looks) {
            if (shows_work(spots)) return true;
            if (recalled_.load() != Recall::none) return false;
            cpu_relax();
        }
        if (now() >= until) return false;
        if (rows % kRowsBeforeYield != 0) continue;
        yielded = true;
        std::this_thread::yield();
    }
}

bool EventLoop::shows_work(const Spots& spots) {
    return std::ranges::any_of(spots, [](const Ref<Spot>& spot) { return spot && spot->shows_work(); });
}

void EventLoop::do_work_at(const Spots& spots) {
    {
        const Held turn(turn_mutex_);
        const InTurn in_turn(*this);
        without_memory_.store(false);
        for (const Ref<Spot>& spot : spots)
            if (spot && spot->shows_work()) do_work_at(spot);
        run_all();
    }
    pause_without_memory();
}

}  // namespace opennd
