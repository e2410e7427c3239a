// SPDX-License-Identifier: MIT
// A condition variable that waits on a Mutex, with the annotations clang needs and deadlines on the steady clock.
#pragma once

#include <condition_variable>
#include <mutex>

#include "base/lock.h"
#include "platform/process/clock.h"

namespace opennd {

// Any thread. Waits may end without a cause: the caller checks its predicate in a loop.
class Condition {
public:
    void wait(Mutex& mutex) REQUIRES(mutex) {
        std::unique_lock<std::mutex> borrowed(mutex.native(), std::adopt_lock);
        condition_.wait(borrowed);
        borrowed.release();  // the caller holds it again
    }

    // False once `deadline` has passed.
    bool wait_until(Mutex& mutex, SteadyTime deadline) REQUIRES(mutex) {
        std::unique_lock<std::mutex> borrowed(mutex.native(), std::adopt_lock);
        const bool in_time = condition_.wait_until(borrowed, deadline) == std::cv_status::no_timeout;
        borrowed.release();
        return in_time;
    }

    void notify_one() { condition_.notify_one(); }
    void notify_all() { condition_.notify_all(); }

private:
    std::condition_variable condition_;
};

}  // namespace opennd
