// SPDX-License-Identifier: MIT
// A spin lock for what one thread uses nearly always: that thread, the owner, enters and leaves by plain stores. Any other
// thread may take it at any time; the first one to do so pays for a barrier on all processors and ends the bias, which
// comes back when one thread alone has used the lock for a while, twice as long each time.
//
// Why: a queue pair and a completion queue are polled and posted to by one thread in nearly every program. An atomic
// exchange costs twenty cycles and holds up every later load; a short message would pass four of them.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/lock.h"
#include "platform/asymmetric_barrier.h"

namespace opennd {

// Where every thread has its own; the address names the thread. Reused by a later thread only when this one is gone.
[[gnu::tls_model("initial-exec")]] inline thread_local char this_thread_mark;

class CAPABILITY("lock") BiasedLock {
public:
    [[gnu::always_inline]] void lock() ACQUIRE() NO_THREAD_SAFETY_ANALYSIS {
        if (enter_as_owner()) [[likely]]
            return;
        lock_shared();
    }
    // False: another thread holds it. Never waits.
    [[gnu::always_inline]] bool try_lock() TRY_ACQUIRE(true) NO_THREAD_SAFETY_ANALYSIS {
        if (enter_as_owner()) [[likely]]
            return true;
        return try_lock_shared();
    }
    void unlock() RELEASE() NO_THREAD_SAFETY_ANALYSIS {
        if (entered_as_owner_)
            inside_.store(false, std::memory_order_release);
        else
            shared_.unlock();
    }

private:
    bool enter_as_owner() {
        const void* const me = &this_thread_mark;
        if (owner_.load(std::memory_order_relaxed) != me) return false;
        inside_.store(true, std::memory_order_relaxed);
        light_barrier();  // against the heavy one in turn_out_owner(): either that thread sees me inside, or I see it
        if (owner_.load(std::memory_order_relaxed) != me) [[unlikely]] {
            inside_.store(false, std::memory_order_release);
            return false;
        }
        entered_as_owner_ = true;
        return true;
    }
    [[gnu::noinline]] void lock_shared() NO_THREAD_SAFETY_ANALYSIS;
    [[gnu::noinline]] bool try_lock_shared() NO_THREAD_SAFETY_ANALYSIS;
    // Holding shared_: ends another thread's bias. False: that thread is inside just now, and the bias stays.
    enum class IfInside : std::uint8_t { wait, leave };
    bool turn_out_owner(IfInside what);
    // Holding shared_, no owner inside: this thread has the lock, and may become the owner.
    void enter_shared();

    // Who may enter without shared_. Changed by the holder of shared_ only. Relaxed: ordered by the barriers.
    std::atomic<const void*> owner_{nullptr};
    // The owner is inside, or tries to be. Written by the owner (and by a former owner that finds out); its release pairs
    // with the acquire of who turns it out.
    std::atomic<bool> inside_{false};
    bool entered_as_owner_ = false;  // guarded by the lock as a whole

    SpinLock shared_;
    // Guarded by shared_.
    const void* last_ = nullptr;  // who entered last that way
    std::uint32_t in_a_row_ = 0;  // how often without another between
    std::uint32_t patience_ = kFirstPatience;

    static constexpr std::uint32_t kFirstPatience = 128;
    static constexpr std::uint32_t kMostPatience = 1u << 24;
};

}  // namespace opennd
