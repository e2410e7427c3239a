// SPDX-License-Identifier: MIT
// The work that results of the hardware leave for after the lock of their completion queue. Rare: in the common case it costs a
// comparison.
#pragma once

#include <memory>

#include "base/ref.h"
#include "model/completion.h"
#include "transport/verbs/rdma_core.h"

namespace opennd {
class EventLoop;
class TransportRequestSubject;
}  // namespace opennd

namespace opennd::verbs {

class VerbsCompletionQueue;
class VerbsSharedReceiveQueue;
class VerbsWindowBinding;
class HardwareQueuePair;

// The first failed request of a queue pair, as the hardware tells it.
struct RequestFailure {
    Operation operation;
    Status status;
    ibv_wc_status reason;  // SUCCESS: OpenND refused it, a Read on a connection without Reads
    std::uint32_t vendor_code;
};

class AfterLock {
public:
    AfterLock() = default;

    // A request of the queue pair failed; requests of it wait for a result that has come.
    void add_failed(Ref<HardwareQueuePair> queue_pair, const RequestFailure& failure);
    void add_awaiting(Ref<HardwareQueuePair> queue_pair);
    // A Bind or an Invalidate of the window has completed: a thread may wait for that.
    void add_settled(Ref<VerbsWindowBinding> binding);
    // Perhaps the last reference.
    void release(Ref<TransportRequestSubject> subject);
    // The queue has an event, or an overrun, to deliver.
    void add_due(VerbsCompletionQueue& queue);
    // The queue has an event to deliver.
    void add_due(VerbsSharedReceiveQueue& queue);

    // Does all of it. No lock held.
    void run() {
        if (work_) [[unlikely]]
            run_all();
    }
    // The same soon, on the service thread: the caller may hold a lock.
    void run_on(EventLoop& event_loop);

private:
    struct Work;
    struct Delete {
        void operator()(Work* work) const;
    };
    Work& work();
    void run_all();

    std::unique_ptr<Work, Delete> work_;
};

}  // namespace opennd::verbs
