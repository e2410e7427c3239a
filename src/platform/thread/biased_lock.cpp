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
    Seat* const seat = others_seat();
    if (seat) turn_out(*seat, IfInside::wait);
    enter_shared(seat);
}

bool BiasedLock::try_lock_otherwise() {
    if (enter_from_another_seat()) return true;
    Seat* seat = nullptr;
    if (!try_take_shared(seat)) return false;
    enter_shared(seat);
    return true;
}

void BiasedLock::unlock_otherwise() {
    if (entered_from_ != kNoSeat)
        seat(entered_from_).inside.store(false, std::memory_order_release);
    else
        shared_.unlock();
}

bool BiasedLock::try_take_shared(Seat*& turned_out) {
    for (const Seat& seat : seats_)
        if (seat.inside.load(std::memory_order_relaxed)) return false;
    if (!shared_.try_lock()) return false;
    turned_out = others_seat();
    if (!turned_out || turn_out(*turned_out, IfInside::leave)) return true;
    shared_.unlock();
    return false;
}

BiasedLock::Seat* BiasedLock::others_seat() {
    for (Seat& seat : seats_) {
        const void* const owner = seat.owner.load(std::memory_order_relaxed);
        if (owner != nullptr) return owner == &this_thread_mark ? nullptr : &seat;
    }
    return nullptr;
}

bool BiasedLock::turn_out(Seat& seat, IfInside what) {
    seat.owner.store(nullptr, std::memory_order_relaxed);
    heavy_barrier();
    while (seat.inside.load(std::memory_order_acquire)) {
        if (what == IfInside::leave) {
            seat.owner.store(seat.thread, std::memory_order_relaxed);
            return false;
        }
        std::this_thread::yield();
    }
    return true;
}

void BiasedLock::enter_shared(const Seat* turned_out) {
    entered_from_ = kNoSeat;
    if (turned_out) patience_ = std::min(patience_ * 2, kMostPatience);
    const void* const me = &this_thread_mark;
    if (last_ != me || turned_out) {
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

// ---- looks that turn no owner out

void BiasedLock::step_out() {
    away_.store(away_.load(std::memory_order_relaxed) + kStepOut, std::memory_order_relaxed);
    unlock();
}

void BiasedLock::step_in() {
    lock();
    away_.store(away_.load(std::memory_order_relaxed) - 1, std::memory_order_release);
}

bool BiasedLock::wait_until_left() const {
    if (!asymmetric_barrier_available()) return false;
    const std::uint32_t away = away_.load(std::memory_order_acquire);
    if ((away & kAway) != 0) return false;
    for (const Seat& seat : seats_) spin_while([&] { return seat.inside.load(std::memory_order_acquire); });
    spin_while([this] { return shared_.is_held(); });
    return away_.load(std::memory_order_relaxed) == away;
}

BiasedLock::Visit::Visit(BiasedLock& lock) : lock_(lock) {
    has_entered_ = lock_.enter_as_owner(kFirstSeat) || lock_.enter_from_another_seat();
    if (has_entered_ || !lock_.try_take_shared(turned_out_)) return;
    has_entered_ = true;
    lock_.entered_from_ = kNoSeat;
}

BiasedLock::Visit::~Visit() {
    if (!has_entered_) return;
    if (turned_out_) {
        turned_out_->owner.store(turned_out_->thread, std::memory_order_release);
        lock_.shared_.unlock();  // unlock() would look at entered_from_, which is the owner's again
    } else {
        lock_.unlock();
    }
}

}  // namespace opennd
