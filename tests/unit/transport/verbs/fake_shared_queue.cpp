// SPDX-License-Identifier: MIT
// See fake_shared_queue.h.
#include "unit/transport/verbs/fake_shared_queue.h"

#include <cerrno>
#include <utility>

#include "unit/transport/verbs/fake_device.h"

namespace opennd::verbs {
namespace {

FakeSharedQueue& queue_of(ibv_srq* base) { return *reinterpret_cast<FakeSharedQueue*>(base); }

}  // namespace

ibv_srq* FakeSharedQueue::create(ibv_pd* domain, ibv_srq_init_attr* attributes) {
    FakeDevice& device = FakeDevice::of(domain->context);
    const std::lock_guard lock(device.mutex_);
    if (device.refuses_shared_queues) return errno = ENOMEM, nullptr;
    auto* const made = new FakeSharedQueue;
    made->base.context = domain->context;
    made->base.pd = domain;
    made->room = attributes->attr.max_wr;
    ++device.counts_.shared_queues;
    return &made->base;
}

int FakeSharedQueue::modify(ibv_srq* base, ibv_srq_attr* attributes, int mask) {
    FakeDevice& device = FakeDevice::of(base->context);
    const std::lock_guard lock(device.mutex_);
    if ((mask & IBV_SRQ_MAX_WR) != 0) {
        if (!device.resizes_shared_queues) return ENOSYS;
        queue_of(base).room = attributes->max_wr;
    }
    if ((mask & IBV_SRQ_LIMIT) != 0) {
        if (device.refuses_limits) return EINVAL;
        queue_of(base).limit = attributes->srq_limit;
        ++device.counts_.limit_requests;
    }
    return 0;
}

int FakeSharedQueue::destroy(ibv_srq* base) {
    FakeDevice& device = FakeDevice::of(base->context);
    const std::lock_guard lock(device.mutex_);
    if (device.has_takers(queue_of(base))) return EBUSY;
    --device.counts_.shared_queues;
    delete &queue_of(base);
    return 0;
}

int FakeSharedQueue::post(ibv_srq* base, ibv_recv_wr* wanted, ibv_recv_wr** refused) {
    FakeDevice& device = FakeDevice::of(base->context);
    const std::lock_guard lock(device.mutex_);
    FakeSharedQueue& queue = queue_of(base);
    *refused = wanted;
    if (device.post_error != 0) return std::exchange(device.post_error, 0);
    if (queue.posted.size() == queue.room) return ENOMEM;
    queue.posted.push_back(FakeRequest::receive(*wanted));
    ++device.counts_.receives;
    if (!device.held_) device.run_peers_of_takers(queue);
    return 0;
}

FakeRequest FakeSharedQueue::take() {
    FakeRequest taken = std::move(posted.front());
    posted.pop_front();
    return taken;
}

void FakeSharedQueue::tell_limit() {
    if (posted.size() >= limit) return;
    limit = 0;
    ibv_async_event event{};
    event.event_type = IBV_EVENT_SRQ_LIMIT_REACHED;
    event.element.srq = &base;
    FakeDevice::of(base.context).add_event(event);
}

}  // namespace opennd::verbs
