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
//
// Two kinds of looks turn no owner out: a Visit reads what the lock guards, and wait_until_left() waits for those that were
// inside, without the lock.
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

    // These two unlock and lock around work with memory that this holder found under the lock. wait_until_left() knows of them.
    void step_out() RELEASE() NO_THREAD_SAFETY_ANALYSIS;
    void step_in() ACQUIRE() NO_THREAD_SAFETY_ANALYSIS;
    // Waits for all holds that began before the caller's newest heavy barrier; the lock and its bias stay as they are. Returns
    // false if this cannot tell: a holder stepped out, or barriers do not reach other threads. The caller takes the lock then.
    // Any thread that does not hold it (tests/protocols/leaving.pml).
    [[nodiscard]] bool wait_until_left() const;

    class Visit;

private:
    struct Seat {
        // The thread that may enter without shared_; null: not now. Changed by the holder of shared_ only; of all seats
        // one at most has an owner. Relaxed, ordered by the barriers; a visitor stores with release, behind its reads.
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
    // Takes shared_ and turns another owner out of its seat, `turned_out`; null: there was none. Returns false if another thread
    // is inside.
    bool try_take_shared(Seat*& turned_out) NO_THREAD_SAFETY_ANALYSIS;
    // Holding shared_: returns the seat of another thread that is the owner; null: there is none.
    Seat* others_seat();
    // Holding shared_: keeps the owner of the seat out. Returns false if it is inside just now, and stays the owner.
    enum class IfInside : std::uint8_t { wait, leave };
    static bool turn_out(Seat& seat, IfInside what);
    // Holding shared_, another owner turned out of `turned_out`, or null: this thread has the lock, and may become the owner.
    void enter_shared(const Seat* turned_out);
    void become_owner();

    static constexpr std::uint8_t kSeats = 4;
    static constexpr std::uint8_t kNoSeat = 0, kFirstSeat = 1;

    std::array<Seat, kSeats> seats_;
    // Number of the owner's seat; kNoSeat: through shared_. Guarded by the lock as a whole.
    std::uint8_t entered_from_ = kNoSeat;

    SpinLock shared_;
    // Holders that stepped out and are not in again, and above them the count of all steps out, lest a step out and in between
    // two looks goes unseen. Written under the lock, with release as a holder steps in; a waiter reads it with acquire.
    std::atomic<std::uint32_t> away_{0};
    static constexpr std::uint32_t kAway = 0xff, kStepOut = 0x101;
    // Guarded by shared_.
    const void* last_ = nullptr;  // the last thread that entered through shared_
    std::uint32_t in_a_row_ = 0;  // entries of last_ without another thread between
    std::uint32_t patience_ = kFirstPatience;

    static constexpr std::uint32_t kFirstPatience = 128;
    static constexpr std::uint32_t kMostPatience = 1u << 24;
};

// A scope under the lock that only reads: an owner that is turned out for it is the owner again at its end.
class BiasedLock::Visit {
public:
    explicit Visit(BiasedLock& lock);
    ~Visit();
    Visit(const Visit&) = delete;
    Visit& operator=(const Visit&) = delete;

    // Returns false if another thread was inside: there is nothing to be read.
    bool has_entered() const { return has_entered_; }

private:
    BiasedLock& lock_;
    Seat* turned_out_ = nullptr;
    bool has_entered_;
};

}  // namespace opennd
