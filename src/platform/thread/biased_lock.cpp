// SPDX-License-Identifier: MIT
// BiasedLock: see biased_lock.h.
#include "platform/thread/biased_lock.h"

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

// The owner was turned out while it entered.
bool BiasedLock::withdraw(std::uint8_t number) {
    seat(number).inside.store(false, std::memory_order_release);
    return false;
}

bool BiasedLock::enter_from_another_seat() {
    for (std::uint8_t number = kFirstSeat + 1; number <= kSeats; ++number)
        if (enter_as_owner(number)) return true;
    return false;
}

void BiasedLock::lock_otherwise() {
    if (enter_from_another_seat()) return;
    shared_.lock();
    turn_out_owner(IfInside::wait);
    enter_shared();
}

bool BiasedLock::try_lock_otherwise() {
    if (enter_from_another_seat()) return true;
    for (const Seat& seat : seats_)
        if (seat.inside.load(std::memory_order_relaxed)) return false;
    if (!shared_.try_lock()) return false;
    if (!turn_out_owner(IfInside::leave)) {
        shared_.unlock();
        return false;
    }
    enter_shared();
    return true;
}

void BiasedLock::unlock_otherwise() {
    if (entered_from_ != kNoSeat)
        seat(entered_from_).inside.store(false, std::memory_order_release);
    else
        shared_.unlock();
}

bool BiasedLock::turn_out_owner(IfInside what) {
    for (Seat& seat : seats_)
        if (!turn_out(seat, what)) return false;
    return true;
}

bool BiasedLock::turn_out(Seat& seat, IfInside what) {
    const void* const owner = seat.owner.load(std::memory_order_relaxed);
    if (owner == nullptr || owner == &this_thread_mark) return true;
    seat.owner.store(nullptr, std::memory_order_relaxed);
    heavy_barrier();
    while (seat.inside.load(std::memory_order_acquire)) {
        if (what == IfInside::leave) {
            seat.owner.store(owner, std::memory_order_relaxed);
            return false;
        }
        std::this_thread::yield();
    }
    patience_ = std::min(patience_ * 2, kMostPatience);
    last_ = nullptr;
    return true;
}

void BiasedLock::enter_shared() {
    entered_from_ = kNoSeat;
    const void* const me = &this_thread_mark;
    if (last_ != me) {
        last_ = me;
        in_a_row_ = 0;
    } else if (++in_a_row_ >= patience_ && kBiasAllowed && asymmetric_barrier_available()) {
        in_a_row_ = 0;
        become_owner();
    }
}

void BiasedLock::become_owner() {
    const void* const me = &this_thread_mark;
    for (Seat& seat : seats_) {
        if (seat.thread != nullptr && seat.thread != me) continue;
        seat.thread = me;
        return seat.owner.store(me, std::memory_order_relaxed);
    }
}

}  // namespace opennd
