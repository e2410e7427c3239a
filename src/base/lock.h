// SPDX-License-Identifier: MIT
// The two locks. A SpinLock is held for the length of a queue operation or a short copy, never across a system
// call or a long copy; a waiter yields its processor when the holder seems to have lost its own.
#pragma once

#include <atomic>
#include <mutex>
#include <thread>

// Names for clang's -Wthread-safety attributes, which have no standard spelling.
#if defined(__clang__)
#define OPENND_ATTRIBUTE(x) __attribute__((x))
#else
#define OPENND_ATTRIBUTE(x)
#endif

#define CAPABILITY(name)          OPENND_ATTRIBUTE(capability(name))
#define SCOPED_CAPABILITY         OPENND_ATTRIBUTE(scoped_lockable)
#define GUARDED_BY(lock)          OPENND_ATTRIBUTE(guarded_by(lock))
#define REQUIRES(...)             OPENND_ATTRIBUTE(requires_capability(__VA_ARGS__))
#define ACQUIRE(...)              OPENND_ATTRIBUTE(acquire_capability(__VA_ARGS__))
#define RELEASE(...)              OPENND_ATTRIBUTE(release_capability(__VA_ARGS__))
#define TRY_ACQUIRE(...)          OPENND_ATTRIBUTE(try_acquire_capability(__VA_ARGS__))
#define EXCLUDES(...)             OPENND_ATTRIBUTE(locks_excluded(__VA_ARGS__))
#define LOCK_RETURNED(lock)       OPENND_ATTRIBUTE(lock_returned(lock))
#define NO_THREAD_SAFETY_ANALYSIS OPENND_ATTRIBUTE(no_thread_safety_analysis)

namespace opennd {

inline void cpu_relax() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("isb" ::: "memory");
#endif
}

// Waits while the condition is true, and yields when that lasts.
template <typename Condition>
void spin_while(Condition condition) {
    constexpr int kSpinsBeforeYield = 128;
    for (int spins = 0; condition(); ++spins) {
        if (spins < kSpinsBeforeYield)
            cpu_relax();
        else
            std::this_thread::yield();
    }
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
    // Returns false once a holder of before has left. For a thread that takes no part.
    bool is_held() const { return held_.load(std::memory_order_acquire); }

private:
    void wait() {
        spin_while([this] { return held_.load(std::memory_order_relaxed); });
    }

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
