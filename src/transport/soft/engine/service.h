// SPDX-License-Identifier: MIT
// The service thread's part of the data path: it runs the engine of queue pairs that other threads leave to it, or that have
// news of their peers (docs/architecture.md, "The threads that make progress").
#pragma once

#include <memory>
#include <vector>

#include "base/lock.h"
#include "base/result.h"
#include "platform/descriptor/doorbell.h"
#include "platform/thread/event_loop.h"
#include "transport/soft/engine/queue_pair.h"

namespace opennd::soft {

class Service final : public EventLoop::Watcher {
public:
    // insufficient_resources: no descriptor for the doorbell.
    static Result<Ref<Service>> start(EventLoop& loop);

    // Connected queue pairs only. Any thread.
    void add(Ref<SoftQueuePair> queue_pair);
    void remove(const SoftQueuePair& queue_pair);

    // Serves one queue pair now, for an event that concerns it. Service thread.
    void serve(SoftQueuePair& queue_pair);
    // The same soon, on the service thread. Any thread.
    void serve_later(SoftQueuePair& queue_pair);

private:
    explicit Service(Doorbell doorbell) : doorbell_(std::move(doorbell)) {}
    void on_ready(std::uint32_t epoll_events) override;

    Doorbell doorbell_;
    Mutex mutex_;
    std::vector<Ref<SoftQueuePair>> queue_pairs_ GUARDED_BY(mutex_);
};

}  // namespace opennd::soft
