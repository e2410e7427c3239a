// SPDX-License-Identifier: MIT
// A lock in one word of a program's structure, of three states. A release wakes a thread only from `contended`. A woken
// thread takes the lock as contended, because more threads may wait.
#pragma once

#include "win32/threads.h"
#include "windows/sync/futex.h"

namespace opennd::windows {

inline constexpr DWORD kFree = 0;
inline constexpr DWORD kHeld = 1;
inline constexpr DWORD kContended = 2;

inline bool try_take(DWORD& lock) {
    DWORD free = kFree;
    return atomic(lock).compare_exchange_strong(free, kHeld, std::memory_order_acquire, std::memory_order_relaxed);
}

// Spins up to `looks` times before it sleeps.
inline void take(DWORD& lock, DWORD looks) {
    if (try_take(lock)) return;
    for (DWORD i = 0; i < looks; ++i) {
        YieldProcessor();
        if (atomic(lock).load(std::memory_order_relaxed) == kFree && try_take(lock)) return;
    }
    while (atomic(lock).exchange(kContended, std::memory_order_acquire) != kFree)
        futex_wait(lock, kContended, Deadline(INFINITE));
}

// From the exchange on another thread may take the lock, leave it and free its memory: only its address is used after.
inline void leave(DWORD& lock) {
    if (atomic(lock).exchange(kFree, std::memory_order_release) == kContended) futex_wake_one(lock);
}

}  // namespace opennd::windows
