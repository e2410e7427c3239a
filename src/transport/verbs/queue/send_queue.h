// SPDX-License-Identifier: MIT
// The initiator requests of a queue pair, from their post to the hardware: through the gate of the connection, and past earlier Reads that a
// device would overtake. Read request_ring.h first.
#pragma once

#include <cstdint>
#include <span>

#include "base/lock.h"
#include "model/limits.h"
#include "model/queue_use.h"
#include "model/work_request.h"
#include "transport/memory.h"
#include "transport/verbs/queue/device_queue_pair.h"
#include "transport/verbs/queue/message_watch.h"
#include "transport/verbs/queue/queue_pair.h"
#include "transport/verbs/queue/request_ring.h"

namespace opennd::verbs {

class SendQueue {
public:
    // `parts` outlive it, and so does `owner`, which hears of a request that OpenND refuses in its turn.
    SendQueue(const QueuePairParts& parts, RequestOwner& owner);
    ~SendQueue();
    SendQueue(const SendQueue&) = delete;
    SendQueue& operator=(const SendQueue&) = delete;

    // Takes one request, whose entries are translated. The statuses of TransportQueuePair::post.
    // It is not inlined into the caller that tells sends from receives, which would save registers for both.
    [[gnu::noinline]] Status post(const WorkRequest& request) EXCLUDES(lock_);
    // Starts the requests that waited and may go now. Returns false if the hardware refused one.
    [[nodiscard]] bool go_on() EXCLUDES(lock_);

    // Sets the ibv_qp that carries requests out; null: the hardware has no part any more. `has_spare_place`: beside those for the
    // depth of the queue.
    void set_hardware(ibv_qp* hardware, bool has_spare_place) EXCLUDES(lock_);
    // A connection is up or about to be: requests are accepted, and started or held.
    // `watched`: RequestOwner::watch_messages() is called when a message has started that nobody watches.
    void open(const ReadLimits& limits, Start start, bool watched) EXCLUDES(lock_);
    // Lets held requests start at the next go_on().
    void release() EXCLUDES(lock_);
    // Requests complete as canceled from here on, behind those that the hardware has.
    void stop() EXCLUDES(lock_);
    // Completes as canceled all that is outstanding. The hardware owes none of it any more.
    void cancel(AfterLock& after) EXCLUDES(lock_);

    // Returns true once open() was called.
    bool was_open() const EXCLUDES(lock_);
    // Returns true if no request is outstanding or held; the caller has drained the hardware.
    bool finished() const EXCLUDES(lock_);
    // Returns how far the hardware has told.
    SendProgress progress() const EXCLUDES(lock_);
    // Ends the watch if nothing is outstanding: the next message begins it again. Returns false if something is.
    [[nodiscard]] bool end_watch() EXCLUDES(lock_);
    // Posts a request of nothing, of which the result tells that all before it has been carried out. No effect if the
    // newest request tells, or there is no place in the hardware's queue.
    void post_teller() EXCLUDES(lock_);
    // Counts the requests that the hardware has once its results are taken.
    std::uint32_t count_owed() const EXCLUDES(lock_);
    // Fills in what a snapshot says of initiator requests.
    void describe(QueuePairUse& use) const EXCLUDES(lock_);
    // The requests, for the completion queue.
    const Ref<RequestRing>& ring() const { return ring_; }

private:
    // Where a request goes.
    enum class Gate : std::uint8_t { refused, held, open, canceled };

    static constexpr std::uint32_t bit(Operation operation) { return 1u << static_cast<unsigned>(operation); }
    // Those that take a receive of the peer's.
    static constexpr std::uint32_t kMessages = 1u << static_cast<unsigned>(Operation::send) |
                                               1u << static_cast<unsigned>(Operation::send_and_invalidate) |
                                               1u << static_cast<unsigned>(Operation::send_with_immediate) |
                                               1u << static_cast<unsigned>(Operation::write_with_immediate);

    bool can_start_at_once(const RequestRing& ring, const WorkRequest& request) const REQUIRES(lock_);
    Status post_rarely(const WorkRequest& request) EXCLUDES(lock_);
    Status take(const WorkRequest& request, AfterLock& after) REQUIRES(lock_);
    Status keep_entries(RequestSlot& slot, std::span<const Sge> sges) REQUIRES(lock_);
    // Hands a request to the hardware: the newest one, or one that waited. Statuses of a post that the hardware
    // refuses.
    Status start(RequestRing& ring, RequestSlot& slot) REQUIRES(lock_);
    Status start_local(RequestSlot& slot) REQUIRES(lock_);
    Status start_any(RequestSlot& slot) REQUIRES(lock_);
    void apply_flags(const RequestSlot& slot, ibv_send_wr& request) const;
    bool is_silent(const RequestSlot& slot) const;
    void watch(const RequestSlot& slot, AfterLock& after) REQUIRES(lock_);
    bool is_fenced_off(const RequestSlot& slot, AfterLock& after) REQUIRES(lock_);
    // Begins and ends the wait of requests here for results of the hardware, which are taken though nobody polls.
    void await_results(AfterLock& after) REQUIRES(lock_);
    void stop_awaiting() REQUIRES(lock_);
    [[nodiscard]] bool start_waiting(AfterLock& after) REQUIRES(lock_);
    // Returns the outcome of a request that must not go to the hardware; success: it may.
    Status outcome_without_hardware(const RequestSlot& slot) const REQUIRES(lock_);
    bool refuse_waiting(Status outcome, AfterLock& after) REQUIRES(lock_);
    void cancel_locked(AfterLock& after) REQUIRES(lock_);
    [[gnu::cold]] Status refuse(Operation operation, int result) const;

    // Constant after construction.
    OpenDevice& adapter_;
    VerbsCompletionQueue& results_;
    const Quirks& quirks_;
    RequestOwner& owner_;
    const std::uint32_t most_entries_;
    const std::uint32_t signal_mask_;   // silent requests of which the number has these bits are signalled for OpenND
    const std::uint32_t behind_reads_;  // operations that a device may have together with an earlier Read
    const Ref<RequestRing> ring_;       // its poster's half is guarded by lock_

    // This lock is taken before the lock of a completion queue, and held across the functions of the device's data
    // path, some of which enter the kernel on soft devices.
    mutable SpinLock lock_;
    ibv_qp* hardware_ GUARDED_BY(lock_) = nullptr;
    bool has_spare_place_ GUARDED_BY(lock_) = false;
    Gate gate_ GUARDED_BY(lock_) = Gate::refused;
    // The operations, a bit each, that the hardware carries out as they are; not Read where the connection's limit is
    // 0.
    std::uint32_t plain_ GUARDED_BY(lock_) = 0;
    std::uint32_t at_once_ GUARDED_BY(lock_) = 0;    // of plain_, those that have no earlier Read to wait for
    std::uint32_t watched_ GUARDED_BY(lock_) = ~0u;  // the operations that may start without a call of watch()
    std::uint32_t last_read_ GUARDED_BY(lock_) = 0;  // behind the newest Read that was started
    bool awaits_results_ GUARDED_BY(lock_) = false;  // between await_results() and stop_awaiting()
    Ref<TransportMemory> copies_ GUARDED_BY(lock_);  // of ring_, registered at the first request that needs it
};

}  // namespace opennd::verbs
