// SPDX-License-Identifier: MIT
// A completion queue: polling goes straight to the transport; core keeps the requests that wait for events (ND2-CQ-NTF).
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "base/lock.h"
#include "base/ref.h"
#include "base/result.h"
#include "core/adapter/live_objects.h"
#include "core/request/async_request.h"
#include "core/request/pending_requests.h"
#include "model/completion.h"
#include "model/processor_group.h"
#include "transport/completion_queue.h"

namespace opennd {

class Adapter;

// For a face that takes every event through one function instead of requests. Any thread, no lock of core's held; it
// must neither block nor call the queue.
class CompletionQueueListener {
public:
    // success: a completion matched the armed kind, and the queue is disarmed. Any other status: the queue has failed
    // for good, armed or not; called once.
    virtual void on_event(Status status) = 0;

protected:
    ~CompletionQueueListener() = default;
};

class CompletionQueue final : public RefCounted, private CompletionQueueSink {
public:
    // Fails with the transport's status if it has no room. Every queue needs a close(), even an unused one. A queue
    // with a listener is armed by arm() instead of notify(); the listener is called until close() has returned.
    static Result<Ref<CompletionQueue>> create(Ref<Adapter> adapter, std::uint32_t depth,
                                               NotifyRule rule = NotifyRule::level,
                                               CompletionQueueListener* listener = nullptr,
                                               const ProcessorGroup& processors = {});
    ~CompletionQueue() override;

    const Adapter& adapter() const { return *adapter_; }
    const Ref<TransportCompletionQueue>& transport() const { return transport_; }

    // The data path: the oldest completions, at most as many as fit; fewer only if no more were there (ND2-CQ-GET-01).
    std::size_t poll(std::span<Completion> completions) { return transport_->poll(completions); }

    // Waits for a completion of this kind, added from now on or not yet polled (ND2-CQ-NTF-02). success: pending; it
    // completes with success, canceled, or the status the queue failed with. Otherwise that status (ND2-CQ-NTF-07).
    Status notify(NotifyKind kind, std::unique_ptr<AsyncRequest> request) EXCLUDES(mutex_);

    // See TransportCompletionQueue.
    bool moderate(std::chrono::microseconds interval, std::uint32_t count) {
        return transport_->moderate(interval, count);
    }

    // Arms for one event: a completion of this kind or a dominating one, by the rule. Cannot fail. The listener may be
    // called before this returns.
    void arm(NotifyKind kind) { transport_->arm(kind); }

    WaitingCompletions count_waiting() const { return transport_->count_waiting(); }

    // For people who look into the process: its number among the completion queues of the process; the depth in force; whether a
    // Notify waits.
    std::uint32_t number() const { return place_.number(); }
    std::uint32_t depth() const { return depth_.load(std::memory_order_relaxed); }
    bool notify_waits() const EXCLUDES(mutex_);

    // The queue has overrun, and is dead.
    bool failed() const EXCLUDES(mutex_);

    // invalid_parameter: 0, or more than the adapter's maximum; overrun: more are waiting, or the queue has failed so;
    // not_supported; insufficient_resources; internal_error: the queue has failed.
    Status resize(std::uint32_t depth) EXCLUDES(mutex_);

    // Completes the pending requests as canceled; all are complete on return (ND2-OVL-12). The queue stays usable.
    void cancel() EXCLUDES(mutex_);

    // Releases it for the program: cancel(), and later completions are dropped (ND2-CQ-REL-01). Once.
    void close() EXCLUDES(mutex_);

private:
    CompletionQueue(Ref<Adapter> adapter, std::uint32_t depth, NotifyRule rule, CompletionQueueListener* listener,
                    const ProcessorGroup& processors);

    void on_completion_event(NotifyKind kind) override EXCLUDES(mutex_);
    void on_overrun() override EXCLUDES(mutex_);
    ProcessorGroup processors() const override { return processors_; }

    // Constant after create().
    const Ref<Adapter> adapter_;
    const NotifyRule rule_;
    CompletionQueueListener* const listener_;  // null: events complete requests
    const ProcessorGroup processors_;
    Ref<TransportCompletionQueue> transport_;

    mutable Mutex mutex_;
    PendingRequests pending_ GUARDED_BY(mutex_);
    Status failure_ GUARDED_BY(mutex_) = Status::success;  // why the queue is dead, for good
    InFlight in_flight_;

    std::atomic<std::uint32_t> depth_;  // relaxed: for readers of no other member
    LiveObjects<CompletionQueue>::Place place_;
};

}  // namespace opennd
