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

void BiasedLock::settle_owner() {
    const void* const me = &this_thread_mark;
    if (owner_.load(std::memory_order_relaxed) != nullptr) {
        owner_.store(nullptr, std::memory_order_relaxed);
        heavy_barrier();
        while (inside_.load(std::memory_order_acquire)) std::this_thread::yield();
        patience_ = std::min(patience_ * 2, kMostPatience);
        last_ = nullptr;
    }
    entered_as_owner_ = false;  // not before the owner is out
    if (last_ != me) {
        last_ = me;
        in_a_row_ = 0;
    } else if (++in_a_row_ >= patience_ && kBiasAllowed && asymmetric_barrier_available()) {
        in_a_row_ = 0;
        owner_.store(me, std::memory_order_relaxed);
    }
}

}  // namespace opennd
