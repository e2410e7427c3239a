// SPDX-License-Identifier: MIT
// A waitable timer: an event, and a timer descriptor of the system that the timers' thread waits for.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>

#include "win32/waitable_timers.h"
#include "windows/companion.h"
#include "windows/sync/apc_queue.h"

namespace opennd::windows {

// Thread-safe.
class Timer final : public Companion {
public:
    // The timer owns both: a handle of its own for the event, beside the program's, and the descriptor.
    Timer(HANDLE event, int descriptor) : event_(event), descriptor_(descriptor) {}
    ~Timer() override;

    int descriptor() const { return descriptor_; }

    // When, and how often.
    struct Times {
        LONGLONG due;  // as SetWaitableTimer has it
        LONG period;   // milliseconds; 0: once
    };
    // routine null: no call, and no queue. Throws std::bad_alloc, with the timer as it was.
    void set(const Times& times, PTIMERAPCROUTINE routine, LPVOID argument);
    void cancel();

    // The descriptor polls readable: called by the timers' thread.
    void expire();

private:
    struct Completion {
        PTIMERAPCROUTINE routine = nullptr;  // null: none
        LPVOID argument = nullptr;
        std::shared_ptr<ApcQueue> queue;  // of the thread that set the timer; null: no routine
        std::unique_ptr<Apc> next;        // is queued at the next signal; null: there was no memory
    };
    class Call;

    void stop();
    void queue_call();

    const HANDLE event_;
    const int descriptor_;
    std::mutex mutex_;  // guards what the descriptor counts, too
    Completion completion_;
};

}  // namespace opennd::windows
