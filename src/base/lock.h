// SPDX-License-Identifier: MIT
// The two locks. A SpinLock is held for the length of a queue operation or a short copy, never across a system
// call or a long copy; a waiter yields its processor when the holder seems to have lost its own.
#pragma once

#include <atomic>
#include <mutex>
#include <thread>

#include "base/thread_annotations.h"

namespace opennd {

inline void cpu_relax() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("isb" ::: "memory");
#endif
}

class CAPABILITY("lock") SpinLock {
public:
    void lock() ACQUIRE() {
        while (held_.exchange(true, std::memory_order_acquire)) wait();
    }
    bool try_lock() TRY_ACQUIRE(true) {
        return !held_.load(std::memory_order_relaxed) && !held_.exchange(true, std::memory_order_acquire);
    }
    void unlock() RELEASE() { held_.store(false, std::memory_order_release); }

private:
    void wait() {
        for (int spins = 0; held_.load(std::memory_order_relaxed); ++spins) {
            if (spins < kSpinsBeforeYield)
                cpu_relax();
            else
                std::this_thread::yield();
        }
    }

    static constexpr int kSpinsBeforeYield = 128;
    std::atomic<bool> held_{false};
};

// std::mutex with the annotations clang needs.
class CAPABILITY("mutex") Mutex {
public:
    void lock() ACQUIRE() { mutex_.lock(); }
    bool try_lock() TRY_ACQUIRE(true) { return mutex_.try_lock(); }
    void unlock() RELEASE() { mutex_.unlock(); }
    std::mutex& native() { return mutex_; }

private:
    std::mutex mutex_;
};

// Holds a SpinLock or Mutex for a scope.
template <typename L>
class SCOPED_CAPABILITY Held {
public:
    [[gnu::always_inline]] explicit Held(L& lock) ACQUIRE(lock) : lock_(lock) { lock_.lock(); }
    [[gnu::always_inline]] ~Held() RELEASE() { lock_.unlock(); }
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;

private:
    L& lock_;
};

}  // namespace opennd
