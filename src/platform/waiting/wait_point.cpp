// SPDX-License-Identifier: MIT
// See wait_point.h.
#include "platform/waiting/wait_point.h"

#include "platform/thread/event_loop.h"

namespace opennd {

bool WaitPoint::wait(Mutex& mutex, std::optional<SteadyTime> deadline) {
    if (deadline && now() >= *deadline) return false;
    EventLoop* const loop = EventLoop::of_process();
    if (loop && loop->try_help()) {
        helped_with_ = true;
        mutex.unlock();
        loop->help(deadline);
        mutex.lock();
        helped_with_ = false;  // before end_help: no recall() after the helper has left
        loop->end_help();
        return true;
    }
    if (deadline) return changed_.wait_until(mutex, *deadline);
    changed_.wait(mutex);
    return true;
}

// Other threads are woken as if the helper were not there: it may take only a part, and not look again.
void WaitPoint::wake_one(Mutex&) {
    if (helped_with_) EventLoop::of_process()->recall();
    changed_.notify_one();
}

void WaitPoint::wake_all(Mutex&) {
    if (helped_with_) EventLoop::of_process()->recall();
    changed_.notify_all();
}

}  // namespace opennd
