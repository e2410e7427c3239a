// SPDX-License-Identifier: MIT
// A spin lock for objects that one thread uses nearly always. That thread, the owner, enters and leaves by plain
// stores. Any other thread may take the lock at any time; the first one to do so pays for a barrier on all processors
// and ends the bias. The bias returns when one thread alone has used the lock for a while, twice as long each time.
//
// Why: in nearly every program one thread posts to a queue pair and polls a completion queue. An atomic exchange costs
// twenty cycles and holds up every later load; a short message would pass four of them.
//
// Each owner has a seat that no other thread ever has. A thread may be held up between reading `owner` and storing
// `inside`, while another thread becomes the owner and enters. With one flag for all, the late thread would then clear
// the new owner's flag as it withdraws. The first seat is the cheapest. A thread that finds all seats taken never
// becomes the owner. tests/protocols/biased_lock.pml explores this.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/lock.h"
#include "platform/thread/asymmetric_barrier.h"

namespace opennd {

// Every thread has its own mark, and its address names the thread. A later thread reuses the address only when this
// thread is gone.
[[gnu::tls_model("initial-exec")]] inline thread_local char this_thread_mark;

class CAPABILITY("lock") BiasedLock {
public:
    [[gnu::always_inline]] void lock() ACQUIRE() NO_THREAD_SAFETY_ANALYSIS {
        if (enter_as_owner(kFirstSeat)) [[likely]]
            return;
        lock_otherwise();
    }
    // Returns false if another thread holds it. Never waits.
    [[gnu::always_inline]] bool try_lock() TRY_ACQUIRE(true) NO_THREAD_SAFETY_ANALYSIS {
        if (enter_as_owner(kFirstSeat)) [[likely]]
            return true;
        return try_lock_otherwise();
    }
    void unlock() RELEASE() NO_THREAD_SAFETY_ANALYSIS {
        if (entered_from_ == kFirstSeat) [[likely]]
            seat(kFirstSeat).inside.store(false, std::memory_order_release);
        else
            unlock_otherwise();
    }

private:
    struct Seat {
        // The thread that may enter without shared_; null: not now. Changed by the holder of shared_ only; of all seats
        // one at most has an owner. Relaxed: ordered by the barriers.
        std::atomic<const void*> owner{nullptr};
        // The owner is inside, or tries to be. Written by the thread of the seat alone, also when it owns the lock no
        // more and finds out; its release pairs with the acquire of the thread that turned it out.
        std::atomic<bool> inside{false};
        const void* thread = nullptr;  // the seat's thread, for ever; null: free. Guarded by shared_
    };

    [[gnu::always_inline]] bool enter_as_owner(std::uint8_t number) {
        const void* const me = &this_thread_mark;
        if (seat(number).owner.load(std::memory_order_relaxed) != me) return false;
        seat(number).inside.store(true, std::memory_order_relaxed);
        light_barrier();  // against the heavy one in turn_out(): either that thread sees me inside, or I see it
        if (seat(number).owner.load(std::memory_order_relaxed) != me) [[unlikely]]
            return withdraw(number);
        entered_from_ = number;
        return true;
    }
    [[gnu::cold, gnu::noinline]] bool withdraw(std::uint8_t number);
    Seat& seat(std::uint8_t number) { return seats_[number - kFirstSeat]; }
    bool enter_from_another_seat();
    [[gnu::noinline]] void lock_otherwise() NO_THREAD_SAFETY_ANALYSIS;
    [[gnu::noinline]] bool try_lock_otherwise() NO_THREAD_SAFETY_ANALYSIS;
    [[gnu::noinline]] void unlock_otherwise() NO_THREAD_SAFETY_ANALYSIS;
    // Holding shared_: ends another thread's bias. False: that thread is inside just now, and the bias stays.
    enum class IfInside : std::uint8_t { wait, leave };
    bool turn_out_owner(IfInside what);
    bool turn_out(Seat& seat, IfInside what);
    // Holding shared_, no owner inside: this thread has the lock, and may become the owner.
    void enter_shared();
    void become_owner();

    static constexpr std::uint8_t kSeats = 4;
    static constexpr std::uint8_t kNoSeat = 0, kFirstSeat = 1;

    std::array<Seat, kSeats> seats_;
    // Number of the owner's seat; kNoSeat: through shared_. Guarded by the lock as a whole.
    std::uint8_t entered_from_ = kNoSeat;

    SpinLock shared_;
    // Guarded by shared_.
    const void* last_ = nullptr;  // the last thread that entered through shared_
    std::uint32_t in_a_row_ = 0;  // entries of last_ without another thread between
    std::uint32_t patience_ = kFirstPatience;

    static constexpr std::uint32_t kFirstPatience = 128;
    static constexpr std::uint32_t kMostPatience = 1u << 24;
};

}  // namespace opennd
