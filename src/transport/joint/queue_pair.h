// SPDX-License-Identifier: MIT
// A queue pair of a joint adapter: one of each part, of which one is in use. An attempt to connect chooses; until the first one that of
// shared memory is in use. Receives that are posted before the connection go along with the choice.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/lock.h"
#include "base/ref.h"
#include "transport/joint/completion_queue.h"
#include "transport/joint/device_keys.h"
#include "transport/queue_pair.h"

namespace opennd::joint {

class JointQueuePair final : public TransportQueuePair, public QueueUser {
public:
    // Makes it of two that complete in the halves of these queues. `keys` lives as long as `adapter`. Throws std::bad_alloc.
    static Ref<TransportQueuePair> create(Ref<RefCounted> adapter, const DeviceKeys& keys,
                                          const Ref<JointCompletionQueue>& receives,
                                          const Ref<JointCompletionQueue>& initiators,
                                          const Ref<TransportQueuePair>& host, const Ref<TransportQueuePair>& nic);
    ~JointQueuePair() override;

    Status post(const WorkRequest& request) override;
    void flush() override;
    void end(Status oldest) override;
    void end_soon(Status oldest) override { used()->end_soon(oldest); }
    void fail() override { used()->fail(); }
    bool heard() const override { return used()->heard(); }
    void close() override EXCLUDES(mutex_);
    QueuePairState state() const override { return used()->state(); }
    bool capture() override { return used()->capture(); }
    QueuePairUse use() override { return used()->use(); }
    void set_number(std::uint32_t number) override;

    // Lets an attempt to connect, or an answer to one, use this part from now on. Returns its queue pair. If this one is not idle any more,
    // neither is that.
    Ref<TransportQueuePair> choose(Part part) EXCLUDES(mutex_);
    // The part in use; constant once there is a connection.
    Part part() const { return used() == nic_.get() ? Part::nic : Part::host; }
    TransportQueuePair& inner() const { return *used(); }

    void fail_part(Part part) override;
    const RefCounted& object() const override { return *this; }

private:
    JointQueuePair(Ref<RefCounted> adapter, const DeviceKeys& keys, const Ref<JointCompletionQueue>& receives,
                   const Ref<JointCompletionQueue>& initiators, const Ref<TransportQueuePair>& host,
                   const Ref<TransportQueuePair>& nic);

    TransportQueuePair* used() const { return used_.load(std::memory_order_acquire); }
    Status post_to_nic(const WorkRequest& request);
    // Moves receives that came to the other part while the choice changed.
    void follow() EXCLUDES(mutex_);
    void move_receives(TransportQueuePair& from, TransportQueuePair& to) REQUIRES(mutex_);

    const Ref<RefCounted> adapter_;
    const DeviceKeys& keys_;
    const Ref<JointCompletionQueue> receives_, initiators_;
    const Ref<TransportQueuePair> host_, nic_;

    // Release and acquire. Written under mutex_. A thread that posts a receive reads it again behind the post: either the mover, which has
    // written before, finds the receive under the lock of the queue pair, or the thread sees the new value behind that lock.
    std::atomic<TransportQueuePair*> used_;
    Mutex mutex_;  // held while receives move; before the locks of either part
    bool closed_ GUARDED_BY(mutex_) = false;
};

}  // namespace opennd::joint
