// SPDX-License-Identifier: MIT
// The slots of one lane's producer. It uses them in a ring: frame n + 2 gets the slot of the oldest frame that is consumed, and frame n
// names it. The ring grows by shared slots while frames are on their way, and shrinks to the connection's own.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>

#include "base/ref.h"
#include "platform/thread/biased_lock.h"
#include "transport/local/arena/free_numbers.h"
#include "transport/local/arena/segment.h"

namespace opennd::local {

// The shared slots of one side's frames (segment.h), between the connections of a link.
// Thread-safe.
class FramePool final : public RefCounted {
public:
    // Takes shared slots into the beginning of `slots`, for a connection that has `held`; it gets no more than are free
    // then. Returns how many.
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
    // Returns true if more than kLentFreely are lent: a connection without frames on their way then keeps none.
    bool is_short() const { return is_short_.load(std::memory_order_relaxed); }

private:
    static constexpr std::uint32_t kLentFreely = 1024;

    BiasedLock lock_;  // nothing is called under it
    FreeNumbers free_ GUARDED_BY(lock_){kSharedSlots};
    std::uint32_t lent_ GUARDED_BY(lock_) = 0;
    std::atomic<bool> is_short_{false};  // written under the lock; relaxed: a reader that is late gives back later
};

// Not thread-safe. Shared slots come back with the object.
class FrameSlots {
public:
    FrameSlots(Ref<FramePool> pool, Frames& frames, std::uint32_t connection)
        : pool_(std::move(pool)), frames_(frames), home_(Frames::home(connection)) {
        for (std::uint32_t slot = 0; slot < kHomeSlots; ++slot)
            at(slot < 2 ? slot : slot - kHomeSlots) = static_cast<std::uint16_t>(home_ + slot);
    }
    ~FrameSlots() { give_back(next_ + 2); }
    FrameSlots(const FrameSlots&) = delete;
    FrameSlots& operator=(const FrameSlots&) = delete;

    // The number of frames that can be on their way.
    std::uint32_t room() const { return room_; }
    // The frame with this number: on its way, the next, or the one after it.
    Frame& frame(std::uint32_t number) { return frames_.at(at(number)); }

    // The frame in this slot, which advance() returned.
    Frame& at_slot(std::uint16_t slot) { return frames_.slots[slot]; }

    // Prepares the frame with this number, which is about to be published; fewer than room() are on their way. Returns
    // the slot of the frame after the next.
    std::uint16_t advance(std::uint32_t number) {
        const std::uint16_t slot = at(number - room_);
        at(number + 2) = slot;
        next_ = number + 1;
        return slot;
    }

    // Takes more shared slots. Returns true if there is more room then.
    bool grow() {
        std::array<std::uint16_t, kFrames> taken;
        const std::uint32_t held = room_ + 2;
        const std::uint32_t count = pool_->take({taken.data(), std::min(held, kFrames - held)}, shared_);
        for (std::uint32_t i = 0; i < count; ++i) {
            // A mark that another connection left there is no frame of this lane's.
            const FrameMark none{next_, {}, {}, {}};
            frames_.at(taken[i]).mark.store(std::bit_cast<std::uint64_t>(none), std::memory_order_relaxed);
            at(next_ + 1 - held - i) = taken[i];
        }
        shared_ += count;
        room_ += count;
        return count != 0;
    }
    bool is_short() const { return pool_->is_short(); }
    // Gives shared slots back, but for those that are named. No frame is on its way.
    void shrink() { room_ -= give_back(next_); }

private:
    // Gives back the shared ones of the slots before `end`. Returns how many.
    std::uint32_t give_back(std::uint32_t end) {
        std::array<std::uint16_t, kFrames> given;
        std::uint32_t count = 0, kept = end;
        for (std::uint32_t number = end; number-- != next_ - room_;) {
            if (at(number) < kFirstShared)
                at(--kept) = at(number);
            else
                given[count++] = at(number);
        }
        pool_->give({given.data(), count});
        shared_ -= count;
        return count;
    }
    std::uint16_t& at(std::uint32_t number) { return slots_[number % kFrames]; }

    const Ref<FramePool> pool_;
    Frames& frames_;
    const std::uint32_t home_;
    std::uint32_t next_ = 0;                    // number of the next frame
    std::uint32_t room_ = kHomeSlots - 2;       // slots but the two that are named
    std::uint32_t shared_ = 0;                  // of all
    std::array<std::uint16_t, kFrames> slots_;  // by the number of the newest frame that has the slot, or will have it
};

}  // namespace opennd::local
