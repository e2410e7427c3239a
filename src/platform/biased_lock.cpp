// SPDX-License-Identifier: MIT
// BiasedLock: see biased_lock.h.
#include "platform/biased_lock.h"

#include <algorithm>
#include <thread>

namespace opennd {
namespace {

// The thread sanitizer cannot see a barrier that another processor executes: under it the lock is never biased.
#if defined(__SANITIZE_THREAD__)
constexpr bool kBiasAllowed = false;
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
constexpr bool kBiasAllowed = false;
#else
constexpr bool kBiasAllowed = true;
#endif
#else
constexpr bool kBiasAllowed = true;
#endif

}  // namespace

void BiasedLock::lock_shared() {
    shared_.lock();
    turn_out_owner(IfInside::wait);
    enter_shared();
}

bool BiasedLock::try_lock_shared() {
    if (inside_.load(std::memory_order_relaxed) || !shared_.try_lock()) return false;
    if (!turn_out_owner(IfInside::leave)) {
        shared_.unlock();
        return false;
    }
    enter_shared();
    return true;
}

bool BiasedLock::turn_out_owner(IfInside what) {
    const void* const owner = owner_.load(std::memory_order_relaxed);
    if (owner == nullptr || owner == &this_thread_mark) return true;
    owner_.store(nullptr, std::memory_order_relaxed);
    heavy_barrier();
    while (inside_.load(std::memory_order_acquire)) {
        if (what == IfInside::leave) {
            owner_.store(owner, std::memory_order_relaxed);
            return false;
        }
        std::this_thread::yield();
    }
    patience_ = std::min(patience_ * 2, kMostPatience);
    last_ = nullptr;
    return true;
}

void BiasedLock::enter_shared() {
    entered_as_owner_ = false;
    const void* const me = &this_thread_mark;
    if (last_ != me) {
        last_ = me;
        in_a_row_ = 0;
    } else if (++in_a_row_ >= patience_ && kBiasAllowed && asymmetric_barrier_available()) {
        in_a_row_ = 0;
        owner_.store(me, std::memory_order_relaxed);
    }
}

}  // namespace opennd
