// SPDX-License-Identifier: MIT
// The receives of a queue pair, from their post to the hardware. They wait here until an attempt to connect begins, and again after one that
// failed. With a shared receive queue there are none, but it is known here what has come. Read request_ring.h first.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "base/lock.h"
#include "model/queue_use.h"
#include "model/work_request.h"
#include "transport/verbs/queue/device_queue_pair.h"
#include "transport/verbs/queue/request_ring.h"

namespace opennd::verbs {

class ReceiveQueue {
public:
    // `parts` and `owner` outlive it.
    ReceiveQueue(const QueuePairParts& parts, RequestOwner& owner);

    // Takes one receive, whose entries are translated. The statuses of TransportQueuePair::post.
    [[gnu::noinline]] Status post(const WorkRequest& request) EXCLUDES(lock_);

    // Sets the ibv_qp that has the receives; null: the hardware has no part any more.
    void set_hardware(ibv_qp* hardware) EXCLUDES(lock_);
    // Hands the receives posted so far to the hardware, and later ones as they are posted. Returns false if the
    // hardware refused one.
    [[nodiscard]] bool start() EXCLUDES(lock_);
    // Makes a ring for withdraw(). Throws std::bad_alloc.
    Ref<RequestRing> make_ring() const;
    // Moves the posted receives to the ring `to`, where they wait for the next start(). The hardware still has those of
    // the ring that is returned. The program gets no result of these from here on, so that another thread may poll while
    // they are flushed.
    Ref<RequestRing> withdraw(Ref<RequestRing> to) EXCLUDES(lock_);
    // Takes back the posted receives, which wait for start(), oldest first; none otherwise. If it throws std::bad_alloc, nothing has
    // changed.
    std::vector<PostedReceive> take_back() EXCLUDES(lock_);
    // Receives go to the hardware no more, and complete as canceled behind those that it has.
    void stop() EXCLUDES(lock_);
    // Completes as canceled all that is outstanding. The hardware owes none of it any more.
    void cancel(AfterLock& after) EXCLUDES(lock_);
    // Does so if receives still wait for start(). Returns false otherwise.
    bool cancel_waiting(AfterLock& after) EXCLUDES(lock_);

    // Returns true if a message of the peer has arrived; the caller has drained the hardware.
    bool heard() const EXCLUDES(lock_);
    // Notes that one is in a receive of the shared queue.
    void note_heard() { heard_.store(true, std::memory_order_relaxed); }
    // The device gives a receive back that it took out of the shared queue for a message in the middle, and then says
    // that it was the last, which is noted here. Returns true if it has not said so yet, and will once the connection
    // ends.
    void note_last_receive() { last_receive_.store(true, std::memory_order_relaxed); }
    bool awaits_last_receive() const;

    // Counts the receives that the hardware has once its results are taken.
    std::uint32_t count_owed() const EXCLUDES(lock_);
    // Fills in what a snapshot says of receives.
    void describe(QueuePairUse& use) const EXCLUDES(lock_);
    // The receives, for the completion queue. withdraw() changes the ring.
    Ref<RequestRing> ring() const EXCLUDES(lock_);

private:
    // waiting: receives wait for start(). stopped: for good.
    enum class Stage : std::uint8_t { waiting, started, stopped };

    Status start(RequestSlot& slot) REQUIRES(lock_);
    void cancel_locked(AfterLock& after) REQUIRES(lock_);

    // Constant after construction.
    const QueuePairParts& parts_;
    RequestOwner& owner_;
    VerbsCompletionQueue& results_;

    // This lock is taken before the lock of a completion queue, and held across the functions of the device's data
    // path, some of which enter the kernel on soft devices.
    mutable SpinLock lock_;
    ibv_qp* hardware_ GUARDED_BY(lock_) = nullptr;
    Ref<RequestRing> ring_ GUARDED_BY(lock_);  // the lock guards its poster's half, too
    Stage stage_ GUARDED_BY(lock_) = Stage::waiting;
    // Hints of receives from the shared queue; relaxed.
    std::atomic<bool> heard_{false}, last_receive_{false};
};

}  // namespace opennd::verbs
