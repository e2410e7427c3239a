// SPDX-License-Identifier: MIT
// The shared slots of one side's frames (frames.h), between the connections of a link.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include "base/ref.h"
#include "platform/thread/biased_lock.h"
#include "transport/local/link/frames.h"
#include "transport/local/link/free_numbers.h"

namespace opennd::local {

// Thread-safe.
class FramePool final : public RefCounted {
public:
    // Fills the beginning of `slots`, for a connection that has `held`, which gets no more than are free. Returns how many.
    std::uint32_t take(std::span<std::uint16_t> slots, std::uint32_t held) EXCLUDES(lock_) {
        const Held lock(lock_);
        std::uint32_t count = 0;
        for (std::uint16_t& slot : slots) {
            if (held + count >= kSharedSlots - lent_) break;
            slot = static_cast<std::uint16_t>(kFirstShared + *free_.take());
            ++count;
            ++lent_;
        }
        is_short_.store(lent_ > kLentFreely, std::memory_order_relaxed);
        return count;
    }
    void give(std::span<const std::uint16_t> slots) EXCLUDES(lock_) {
        const Held lock(lock_);
        for (const std::uint16_t slot : slots) free_.give(slot - kFirstShared);
        lent_ -= static_cast<std::uint32_t>(slots.size());
        is_short_.store(lent_ > kLentFreely, std::memory_order_relaxed);
    }
    // More than kLentFreely are lent: a connection without frames on their way keeps none.
    bool is_short() const { return is_short_.load(std::memory_order_relaxed); }

private:
    static constexpr std::uint32_t kLentFreely = 1024;

    BiasedLock lock_;  // nothing is called under it
    FreeNumbers free_ GUARDED_BY(lock_){kSharedSlots};
    std::uint32_t lent_ GUARDED_BY(lock_) = 0;
    std::atomic<bool> is_short_{false};  // written under the lock; relaxed: a reader that is late gives back later
};

}  // namespace opennd::local
