// SPDX-License-Identifier: MIT
// Service: see service.h.
#include "transport/soft/engine/service.h"

#include <algorithm>
#include <iterator>

namespace opennd::soft {

Result<Ref<Service>> Service::start(EventLoop& loop) {
    auto doorbell = Doorbell::create();
    if (!doorbell.ok()) return doorbell.status();
    const Ref<Service> service(new Service(doorbell.take()));
    const Status status =
        loop.add(service->doorbell_.descriptor(), EventLoop::kArrival, Ref<EventLoop::Watcher>(service));
    if (!ok(status)) return status;
    return service;
}

void Service::add(Ref<SoftQueuePair> queue_pair) {
    const Held lock(mutex_);
    queue_pairs_.push_back(std::move(queue_pair));
}

void Service::remove(const SoftQueuePair& queue_pair) {
    Ref<SoftQueuePair> last;  // released outside the lock
    const Held lock(mutex_);
    const auto found = std::find_if(queue_pairs_.begin(), queue_pairs_.end(),
                                    [&](const Ref<SoftQueuePair>& each) { return each.get() == &queue_pair; });
    if (found == queue_pairs_.end()) return;
    last = std::move(*found);
    queue_pairs_.erase(found);
}

void Service::serve(SoftQueuePair& queue_pair) {
    if (queue_pair.serve()) serve_later(queue_pair);  // other queue pairs first
}

void Service::serve_later(SoftQueuePair& queue_pair) {
    queue_pair.want_service();
    doorbell_.ring();
}

void Service::on_ready(std::uint32_t) {
    doorbell_.clear();
    std::vector<Ref<SoftQueuePair>> wanting;
    {
        const Held lock(mutex_);
        std::copy_if(queue_pairs_.begin(), queue_pairs_.end(), std::back_inserter(wanting),
                     [](const Ref<SoftQueuePair>& queue_pair) { return queue_pair->wants_service(); });
    }
    for (const Ref<SoftQueuePair>& queue_pair : wanting) serve(*queue_pair);
}

}  // namespace opennd::soft
