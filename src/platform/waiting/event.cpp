// SPDX-License-Identifier: MIT
// See event.h.
#include "platform/waiting/event.h"

#include <algorithm>
#include <functional>
#include <mutex>

namespace opennd {

void Event::set() {
    const Held held(mutex_);
    if (signalled_) return;
    put_signal(true);
    if (reset_ == EventReset::manual)
        waiters_.wake_all(mutex_);
    else
        waiters_.wake_one(mutex_);
}

void Event::reset() {
    const Held held(mutex_);
    put_signal(false);
}

void Event::put_signal(bool signalled) {
    if (signalled_ == signalled) return;
    signalled_ = signalled;
    if (readable_.descriptor() < 0) return;  // no program polls it: spares a system call
    if (signalled)
        readable_.ring();
    else
        readable_.clear();
}

Status Event::wait(std::optional<SteadyTime> deadline) {
    const Held held(mutex_);
    // A signal that comes with the deadline is taken: the state is read once more after the wait.
    for (bool in_time = true; !signalled_; in_time = waiters_.wait(mutex_, deadline))
        if (!in_time) return Status::timed_out;
    if (reset_ == EventReset::automatic) put_signal(false);
    return Status::success;
}

// The analysis cannot follow locks that are kept in a list.
Status Event::take_all(std::vector<Ref<Event>> events) NO_THREAD_SAFETY_ANALYSIS {
    const auto before = [](const Ref<Event>& a, const Ref<Event>& b) { return std::less<>{}(a.get(), b.get()); };
    // In the order of addresses, so that two waits for the same events cannot deadlock.
    std::sort(events.begin(), events.end(), before);
    events.erase(std::unique(events.begin(), events.end()), events.end());
    std::vector<std::unique_lock<Mutex>> locks;
    locks.reserve(events.size());
    for (const Ref<Event>& event : events) locks.emplace_back(event->mutex_);
    for (const Ref<Event>& event : events)
        if (!event->signalled_) return Status::timed_out;
    for (const Ref<Event>& event : events)
        if (event->reset_ == EventReset::automatic) event->put_signal(false);
    return Status::success;
}

Result<int> Event::descriptor() {
    const Held held(mutex_);
    if (readable_.descriptor() < 0) {
        Result<Doorbell> made = Doorbell::create();
        if (!made.ok()) return made.status();
        readable_ = made.take();
        if (signalled_) readable_.ring();
    }
    return readable_.descriptor();
}

}  // namespace opennd
