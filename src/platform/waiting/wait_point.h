// SPDX-License-Identifier: MIT
// Where threads of the program sleep until something under a mutex changes. One of them helps the service thread
// meanwhile (event_loop.h): a change made by its own turn needs no wake-up.
#pragma once

#include <atomic>
#include <optional>

#include "base/lock.h"
#include "base/ref.h"
#include "platform/process/clock.h"
#include "platform/thread/condition.h"
#include "platform/thread/event_loop.h"

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
    EventLoop* helped_ = nullptr;  // the loop that a thread helps which waits here; null: none does
};

// A call of the program, which holds no lock of OpenND at its end. Its thread then does the work that the call would leave to the service
// thread, and wakes no other thread.
using ProgramCall = EventLoop::RunsItsPosts;

// The object behind a HANDLE.
enum class HandleKind { event, completion_port, overlapped_file };

// A derived class T also has `static constexpr HandleKind kKind`, equal to its kind().
class HandleObject : public RefCounted {
public:
    virtual HandleKind kind() const = 0;

    // Called once, after its last handle was closed and no find() gives it any more. References may remain: requests in
    // progress go on undisturbed (ND2-FILE-02, ND2-OVL-06).
    virtual void on_close() {}

private:
    friend class HandleTable;
    // Counted by the table. Increments are relaxed, since they need no order; the decrement is acq_rel, so that
    // on_close() comes after all uses of any handle.
    std::atomic<unsigned> open_handles_{0};
};

inline bool WaitPoint::wait(Mutex& mutex, std::optional<SteadyTime> deadline) {
    if (deadline && now() >= *deadline) return false;
    EventLoop* const loop = EventLoop::of_thread();
    if (!helped_ && loop && loop->try_help()) {
        helped_ = loop;
        mutex.unlock();
        loop->help(deadline);
        mutex.lock();
        helped_ = nullptr;  // before end_help: no recall() after the helper has left
        loop->end_help();
        return true;
    }
    if (deadline) return changed_.wait_until(mutex, *deadline);
    changed_.wait(mutex);
    return true;
}

// Other threads are woken as if the helper were not there: it may take only a part, and not look again.
inline void WaitPoint::wake_one(Mutex&) {
    if (helped_) helped_->recall();
    changed_.notify_one();
}

inline void WaitPoint::wake_all(Mutex&) {
    if (helped_) helped_->recall();
    changed_.notify_all();
}

}  // namespace opennd
