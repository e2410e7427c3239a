// SPDX-License-Identifier: MIT
// The service thread's part of the data path: it runs the engine of queue pairs that other threads leave to it, or that have
// news of their peers (docs/progress.md).
#pragma once

#include <cstdint>

#include "base/lock.h"
#include "base/result.h"
#include "platform/descriptor/doorbell.h"
#include "platform/thread/event_loop.h"
#include "transport/soft/engine/served_queue_pair.h"

namespace opennd::soft {

class Service final : public EventLoop::Watcher {
public:
    // Makes the service. insufficient_resources: no descriptor for the doorbell.
    static Result<Ref<Service>> start(EventLoop& loop);

    // Serves one queue pair now, for an event that concerns it. Service thread.
    void serve(ServedQueuePair& queue_pair);
    // Serves the queue pair soon, on the service thread. Any thread.
    void serve_later(ServedQueuePair& queue_pair);

private:
    explicit Service(Doorbell doorbell) : doorbell_(std::move(doorbell)) {}
    ~Service() override;
    static Ref<ServedQueuePair> unlink(Ref<ServedQueuePair>& first);
    void on_ready(std::uint32_t epoll_events) override;

    Doorbell doorbell_;
    Mutex mutex_;
    // A list through the queue pairs themselves, each once: a thread that leaves work here must not fail.
    Ref<ServedQueuePair> first_ GUARDED_BY(mutex_);
    ServedQueuePair* last_ GUARDED_BY(mutex_) = nullptr;
};

}  // namespace opennd::soft
