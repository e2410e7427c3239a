// SPDX-License-Identifier: MIT
// The thread on which an adapter instance calls its consumer, one callback at a time (NDK-GEN-20, -21). A callback is a
// node inside its object: scheduling allocates nothing, so it never fails.
#pragma once

#include "base/lock.h"
#include "base/ref.h"
#include "base/status.h"
#include "platform/process/clock.h"
#include "platform/process/signals.h"
#include "platform/thread/condition.h"

namespace opennd {

class CallbackThread;

// A function to run later. The scheduler keeps it alive until run() begins; run() may destroy it.
class Callback {
public:
    Callback() = default;
    Callback(const Callback&) = delete;
    Callback& operator=(const Callback&) = delete;

    // On the callback thread, no lock held.
    virtual void run() = 0;

protected:
    virtual ~Callback() = default;

private:
    friend class CallbackThread;
    Callback* next_ = nullptr;
};

// A function to run at a point in time, unless it is cancelled before. Lifetime as for Callback.
class CallbackTimer {
public:
    CallbackTimer() = default;
    CallbackTimer(const CallbackTimer&) = delete;
    CallbackTimer& operator=(const CallbackTimer&) = delete;

    virtual void expire() = 0;

protected:
    virtual ~CallbackTimer() = default;

private:
    friend class CallbackThread;
    CallbackTimer* earlier_ = nullptr;
    CallbackTimer* later_ = nullptr;
    SteadyTime when_{};
    bool set_ = false;
};

// Thread-safe. A caller that schedules the end of the instance's last object holds a Ref: the instance does not wait
// for threads that are leaving these functions.
class CallbackThread final : public RefCounted {
public:
    // insufficient_resources.
    Status start();
    // Runs all scheduled callbacks, and returns when the thread has ended. Not from a callback. Once.
    void stop();

    // Behind all scheduled callbacks. No effect if it is scheduled already.
    void schedule(Callback& callback) EXCLUDES(mutex_);

    // Not if it is set.
    void set(CallbackTimer& timer, SteadyTime when) EXCLUDES(mutex_);
    // Returns true if the timer was set; it does not expire any more.
    bool cancel(CallbackTimer& timer) EXCLUDES(mutex_);

    // The calling thread is the callback thread of some instance.
    static bool is_current();

private:
    static void* main(void* self);
    void run() EXCLUDES(mutex_);
    Callback* take_callback() REQUIRES(mutex_);
    CallbackTimer* take_due() REQUIRES(mutex_);
    void unlink(CallbackTimer& timer) REQUIRES(mutex_);
    bool sleep() REQUIRES(mutex_);

    QuietThread thread_;  // start() and stop() alone

    Mutex mutex_;  // nothing is called under it
    Condition changed_;
    Callback* first_ GUARDED_BY(mutex_) = nullptr;
    Callback* last_ GUARDED_BY(mutex_) = nullptr;  // null if there is no first
    CallbackTimer* earliest_ GUARDED_BY(mutex_) = nullptr;
    CallbackTimer* latest_ GUARDED_BY(mutex_) = nullptr;
    bool stopping_ GUARDED_BY(mutex_) = false;
};

}  // namespace opennd
