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
    // Makes the service. `loop` outlives it. insufficient_resources: no descriptor for the doorbell.
    static Result<Ref<Service>> start(EventLoop& loop);

    EventLoop& loop() const { return loop_; }
    // Serves one queue pair now, for an event that concerns it. In a callback.
    void serve(ServedQueuePair& queue_pair);
    // Serves the queue pair soon, in this loop, or in that of another service to which it is left already. Any thread.
    void serve_later(ServedQueuePair& queue_pair);

private:
    Service(EventLoop& loop, Doorbell doorbell) : loop_(loop), doorbell_(std::move(doorbell)) {}
    ~Service() override;
    static Ref<ServedQueuePair> unlink(Ref<ServedQueuePair>& first);
    void on_ready(std::uint32_t epoll_events) override;

    EventLoop& loop_;
    Doorbell doorbell_;
    Mutex mutex_;
    // A list through the queue pairs themselves, each once: a thread that leaves work here must not fail.
    Ref<ServedQueuePair> first_ GUARDED_BY(mutex_);
    ServedQueuePair* last_ GUARDED_BY(mutex_) = nullptr;
};

}  // namespace opennd::soft
