// SPDX-License-Identifier: MIT
// Where threads of the program sleep until something under a mutex changes. One of them helps the service thread
// meanwhile (event_loop.h): a change made by its own turn needs no wake-up.
#pragma once

#include <optional>

#include "base/lock.h"
#include "platform/process/clock.h"
#include "platform/thread/condition.h"

namespace opennd {

// Every call holds the same mutex, which guards the awaited state.
class WaitPoint {
public:
    // Sleeps with `mutex` released. False once `deadline` has passed; otherwise something may have changed, or not.
    bool wait(Mutex& mutex, std::optional<SteadyTime> deadline) REQUIRES(mutex);

    void wake_one(Mutex& mutex) REQUIRES(mutex);
    void wake_all(Mutex& mutex) REQUIRES(mutex);

private:
    Condition changed_;
    bool helped_with_ = false;  // the thread that helps the loop of the process waits here
};

}  // namespace opennd
