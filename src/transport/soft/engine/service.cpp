// SPDX-License-Identifier: MIT
// Service: see service.h.
#include "transport/soft/engine/service.h"

#include <new>
#include <utility>

namespace opennd::soft {

Result<Ref<Service>> Service::start(EventLoop& loop) {
    auto doorbell = Doorbell::create();
    if (!doorbell.ok()) return doorbell.status();
    const Ref<Service> service(new Service(loop, doorbell.take()));
    const Status status =
        loop.add(service->doorbell_.descriptor(), EventLoop::kArrival, Ref<EventLoop::Watcher>(service));
    if (!ok(status)) return status;
    return service;
}

Service::~Service() {
    const Held lock(mutex_);
    while (first_) (void)unlink(first_);
}

void Service::serve(ServedQueuePair& queue_pair) {
    if (queue_pair.serve()) serve_later(queue_pair);  // other queue pairs first
}

void Service::serve_later(ServedQueuePair& queue_pair) {
    {
        const Held lock(mutex_);
        if (queue_pair.wanting().listed.exchange(true)) return;
        (first_ ? last_->wanting().next : first_) = Ref<ServedQueuePair>(&queue_pair);
        last_ = &queue_pair;
    }
    doorbell_.ring();
}

Ref<ServedQueuePair> Service::unlink(Ref<ServedQueuePair>& first) {
    Ref<ServedQueuePair> taken = std::exchange(first, nullptr);
    first = std::exchange(taken->wanting().next, nullptr);
    (void)taken->wanting().listed.exchange(false);  // sees what the thread did that found it listed
    return taken;
}

// Serves the queue pairs that are listed now. One that is left with work has its next turn behind others of the loop.
void Service::on_ready(std::uint32_t) {
    Doorbell::heard();
    ServedQueuePair* last = nullptr;
    {
        const Held lock(mutex_);
        last = first_ ? last_ : nullptr;
    }
    for (bool more = last != nullptr; more;) {
        Ref<ServedQueuePair> oldest;
        {
            const Held lock(mutex_);
            oldest = unlink(first_);
        }
        more = oldest.get() != last;
        try {
            serve(*oldest);
        } catch (const std::bad_alloc&) {
            serve_later(*oldest);  // nobody lists it again for the same news
            throw;                 // the loop makes a pause
        }
    }
}

}  // namespace opennd::soft
