// SPDX-License-Identifier: MIT
// Posted initiator requests on their way: checks local memory, hands them to the channel strictly in order, and completes
// them strictly in order (ND2-CQ-GET-04). Read send_queue.h and channel.h first.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <utility>

#include "model/limits.h"
#include "model/queue_use.h"
#include "platform/thread/biased_lock.h"
#include "transport/soft/channel/channel.h"
#include "transport/soft/engine/bound_windows.h"
#include "transport/soft/engine/result_ring.h"
#include "transport/soft/memory/fast_region.h"
#include "transport/soft/memory/resolved_memory.h"
#include "transport/soft/memory/token_table.h"
#include "transport/soft/queues/send_queue.h"

namespace opennd::soft {

// Not thread-safe; all members are guarded by the queue pair's lock, which run() releases for long copies. While it does,
// busy() is true and only one thread is inside.
class Initiator {
public:
    Initiator(const QueuePairLimits& limits, TokenTable& tokens, ResultRing& completions, void* context,
              BoundWindows& windows, FastRegions& regions);

    // Carries out a short Read or Write if the channel can do so on the spot: it never enters the queue, and is
    // complete on return. Returns false if nothing happened; post() it, which also finds its faults.
    bool carry_out(const WorkRequest& request, std::uint32_t length_bytes, Channel& channel, Progress& progress);
    // Puts the request into the queue. queue_full, or success.
    Status post(const WorkRequest& request, std::uint32_t length_bytes) {
        if (!queue_.make_room()) [[unlikely]]
            return Status::queue_full;
        queue_.append(request, length_bytes);
        if (!has(request.flags, RequestFlags::silent_success)) ++to_report_;
        return Status::success;
    }
    // Starts the newest request straight from the poster's memory if nothing waits before it; otherwise keeps it.
    // `lock` is held on entry and on return. Returns true if it was released meanwhile, so that other threads posted,
    // or found this busy and left arrivals: the caller runs the engine.
    bool start_posted(const WorkRequest& request, std::uint32_t length_bytes, Channel& channel, BiasedLock& lock,
                      Progress& progress) REQUIRES(lock);

    // Completes the requests that are known to have finished. Before a receive completes, so that a reply never overtakes the
    // request it answers (docs/decisions/0007).
    void reap(Channel& channel, Progress& progress);
    // Completes finished requests, starts waiting ones. Stops at the first failure. Returns true if a request completed
    // or started. While busy, the thread inside does this, once more for each caller but a poller, which polls again.
    bool run(Channel& channel, BiasedLock& lock, Progress& progress) REQUIRES(lock);

    // Completes all outstanding requests: finished ones with the channel's status, the rest as canceled, but the oldest of the
    // rest with `oldest` if nothing has failed before. The memory of all belongs to the program again, and the peer takes none
    // of the rest. Only while not busy(), once PeerAccess::stop_requests() was true. `channel` may be null.
    void flush(Channel* channel, Progress& progress, Status oldest);
    // The number of the oldest outstanding request; a change means progress.
    std::uint32_t head() const { return queue_.head(); }

    bool busy() const { return busy_ && !abandoned_; }
    // Lets nothing start any more; called while busy.
    void stop() { stopped_ = true; }
    // Notes that the channel has abandoned the start that keeps this busy: the request timed out, and nothing starts
    // any more. The thread inside touches nothing when the start returns.
    void abandon_start();
    bool abandoned() const { return abandoned_; }
    bool idle() const { return queue_.idle(); }
    // Returns true if run() can do more than complete silent successes, which can wait for a post without room or for a
    // run that reads counters.
    bool has_work() const { return owes_reports() || queue_.started() != queue_.tail(); }
    bool owes_reports() const { return to_report_ > 0; }
    // Returns true once a request completed with a failure; the queue pair is to go to error. Stays true.
    bool failed() const { return failed_; }
    // Returns the status with which a failure completes now, be it a request's or a receive's: that of the queue pair's
    // first failure is its own, every later one is canceled (ND2-QP-ERR-01).
    Status tell_failure(Status status) { return std::exchange(told_, true) ? Status::canceled : status; }

    // Returns true if the rest of a request is this side's work, once the peer made room or answered: a thread must
    // revisit it.
    bool waits_for_peer() const { return (!stopped_ && queue_.started() != queue_.tail()) || reads_in_flight_ > 0; }
    // Returns true if a caller that does not poll found run() busy, and run() stopped before it looked once more.
    bool needs_run() const { return turned_away_ && !busy_; }
    // Returns true if requests are in flight or wait for room: then a poller reads the peer's counters now and then.
    // Relaxed: only a hint.
    bool has_outstanding() const { return outstanding_.load(std::memory_order_relaxed); }

    void set_read_limit(std::uint32_t outbound) { read_limit_ = outbound; }
    // The number of Reads that have begun and are not done.
    std::uint32_t reads_in_flight() const { return reads_in_flight_; }
    // Returns true if the newest run() released the lock meanwhile.
    bool released_lock() const { return released_lock_; }
    // read_target() finds the memory of the oldest Read in flight, for its answer. read_done() ends that Read: the
    // answer is complete, or cannot be placed.
    Status read_target(std::span<const Sge>& target, ResolvedMemory& memory);
    void read_done(Status status);

    std::atomic<std::uint32_t>& freed() { return queue_.freed(); }
    // Fills in its part of `use`.
    void describe(QueuePairUse& use);
    // Sets the number of the queue pair, for texts. Once, before its first use.
    void set_number(std::uint32_t number) { number_ = number; }
    std::uint32_t number() const { return number_; }

private:
    class Unlocked;

    // Starts the next request: blocked, in flight, or done. `by_poster`: the caller posts it.
    [[gnu::always_inline]] inline Start start_next(std::span<const Sge> sges, bool by_poster, Channel& channel,
                                                   BiasedLock& lock) REQUIRES(lock);
    StartResult start_with_lock_released(const OutboundRequest& request, Channel& channel, BiasedLock& lock)
        REQUIRES(lock);
    void expect_answer(SendSlot& slot);
    StartResult start_resolved(SendSlot& slot, std::span<const Sge> sges, Channel& channel, BiasedLock& lock,
                               bool& starts) REQUIRES(lock);
    StartResult start_with_immediate(const SendSlot& slot, std::span<const Sge> sges, Channel& channel,
                                     BiasedLock& lock) REQUIRES(lock);
    StartResult start_without_channel(SendSlot& slot, Channel& channel, BiasedLock& lock) REQUIRES(lock);
    StartResult start_invalidate(SendSlot& slot, Channel& channel, BiasedLock& lock) REQUIRES(lock);
    [[gnu::always_inline]] inline Status check(const SendSlot& slot, std::span<const Sge> sges) const;
    void end_registration_read_into(std::uint32_t number);
    Status check_registered(std::span<const Sge> sges) const;
    Status outcome_of(const SendSlot& slot, Channel* channel, Status otherwise) const;
    [[gnu::always_inline]] inline void complete_head(Status status, std::uint32_t provider_code, Progress& progress);
    SendSlot* oldest_read(std::uint32_t& number);
    void note_outstanding() { outstanding_.store(!queue_.idle(), std::memory_order_relaxed); }

    // Constant after construction.
    TokenTable& tokens_;
    ResultRing& completions_;
    void* const context_;
    BoundWindows& windows_;
    FastRegions& regions_;

    SendQueue queue_;
    std::uint32_t read_limit_ = 0;
    std::uint32_t reads_in_flight_ = 0;
    std::uint32_t to_report_ = 0;  // requests in the queue that make a completion even if they succeed
    bool busy_ = false;
    // True if a thread that will not poll again found this busy: the thread inside runs once more, so that no room or
    // answer is left (tests/protocols/turned_away.pml). After some rounds it leaves the next one to the service thread.
    bool turned_away_ = false;
    bool released_lock_ = false;  // in the newest start_posted() or run()
    bool stopped_ = false;        // a request is known to fail, or has failed: nothing behind it starts (ND2-QP-ERR-01)
    bool failed_ = false;         // such a request has completed, after those before it
    bool told_ = false;           // the first failure of the queue pair has completed, here or as a receive
    bool abandoned_ = false;      // a thread is, or was, in a start that was abandoned
    std::atomic<bool> outstanding_{false};
    std::uint32_t number_ = 0;
};

}  // namespace opennd::soft
