// SPDX-License-Identifier: MIT
// Threads for the calls into the kernel that block: rdma_connect dials TCP for minutes on some devices, rdma_destroy_id and
// ibv_destroy_qp wait for a dial. Neither the program's threads (ND2-GEN-09) nor the service thread may wait so long.
//
// A thread starts when all others are busy, up to kMostThreads: one host that swallows packets must not hold up the
// Connects to others. A thread that has nothing to do for kIdleTime ends.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>

#include "base/lock.h"
#include "base/ref.h"
#include "platform/thread/condition.h"
#include "platform/thread/event_loop.h"

namespace opennd::verbs {

class Reaper final : public RefCounted {
public:
    static constexpr std::size_t kMostThreads = 16;
    static constexpr std::chrono::milliseconds kIdleTime{1000};

    // `loop` outlives this object.
    explicit Reaper(EventLoop& loop, std::chrono::milliseconds idle_time = kIdleTime);

    // Runs `call` on a thread of its own; calls begin in the order of run(), several run at a time. Each thread keeps this object
    // alive. Any thread, with any lock held: nothing waits here. Where no thread can be started, `call` waits for one that is
    // busy, or for kTryAgain.
    void run(std::function<void()> call) EXCLUDES(mutex_);

    // Threads alive now.
    std::size_t threads() const EXCLUDES(mutex_);

private:
    static constexpr std::chrono::milliseconds kTryAgain{100};

    static void* thread_main(void* self);
    void run_calls() EXCLUDES(mutex_);
    void start_thread() REQUIRES(mutex_);

    EventLoop& loop_;
    const std::chrono::milliseconds idle_time_;

    mutable Mutex mutex_;  // held for a few steps; no call runs under it
    Condition came_;       // a call; with mutex_
    std::deque<std::function<void()>> waiting_ GUARDED_BY(mutex_);
    std::size_t threads_ GUARDED_BY(mutex_) = 0;
    std::size_t idle_ GUARDED_BY(mutex_) = 0;      // threads in came_.wait_until
    bool tries_again_ GUARDED_BY(mutex_) = false;  // a timer will call start_thread()
};

}  // namespace opennd::verbs
