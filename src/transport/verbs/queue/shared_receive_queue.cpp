// SPDX-License-Identifier: MIT
// VerbsSharedReceiveQueue: see shared_receive_queue.h.
#include "transport/verbs/queue/shared_receive_queue.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "base/explanation.h"
#include "platform/process/errno_status.h"
#include "transport/verbs/memory/open_device.h"
#include "transport/verbs/memory/translated_request.h"
#include "transport/verbs/queue/request_failure.h"

namespace opennd::verbs {

Result<Ref<VerbsSharedReceiveQueue>> VerbsSharedReceiveQueue::create(Ref<OpenDevice> adapter,
                                                                     const SharedReceiveQueueLimits& limits,
                                                                     SharedReceiveQueueSink& sink) {
    const Device& device = *adapter->device();
    ibv_srq_init_attr attributes{};
    attributes.attr.max_wr = limits.depth;
    attributes.attr.max_sge = std::max(limits.sges, 1u);
    ibv_srq* const queue = device.ibv().create_srq(adapter->domain(), &attributes);
    if (!queue) {
        const int error = errno;
        if (device.ended()) return device.refuse_after_end("shared receive queue", "creation");
        return explain(resource_status(error),
                       {.object = "shared receive queue",
                        .operation = "ibv_create_srq",
                        .asked = phrase("{} receives of {} entries", limits.depth, limits.sges),
                        .limit = phrase("the resources of RDMA device {}: {}", device.facts().name,
                                        std::generic_category().message(error)),
                        .remedy = "release shared receive queues, ask for smaller ones, or raise the limit on locked "
                                  "memory (ulimit -l)",
                        .requirement = "ND2-ADP-SRQ-01"});
    }
    Ref<VerbsSharedReceiveQueue> made;
    try {
        made = Ref<VerbsSharedReceiveQueue>(new VerbsSharedReceiveQueue(adapter, queue, limits, sink));
    } catch (...) {
        (void)device.ibv().destroy_srq(queue);
        throw;
    }
    adapter->device()->add(queue, *made, *made);
    if (device.ended()) made->fail();  // just now: it was told to the others
    return made;
}

// The ring has slots for the greatest depth, so that they stay where they are as the depth grows. Its pages become real as they are
// used.
VerbsSharedReceiveQueue::VerbsSharedReceiveQueue(Ref<OpenDevice> adapter, ibv_srq* queue,
                                                 const SharedReceiveQueueLimits& limits, SharedReceiveQueueSink& sink)
    : adapter_(std::move(adapter)),
      queue_(queue),
      most_entries_(limits.sges),
      made_depth_(limits.depth),
      room_(limits.depth),
      ring_(make_ref<RequestRing>(*this, adapter_->limits().max_shared_receive_depth, limits.sges)),
      depth_(limits.depth),
      threshold_(limits.threshold),
      sink_(&sink) {
    free_.reserve(limits.depth);
}

VerbsSharedReceiveQueue::~VerbsSharedReceiveQueue() {
    adapter_->device()->remove(queue_);
    (void)adapter_->device()->ibv().destroy_srq(queue_);  // EBUSY is impossible: its queue pairs have gone
}

Status VerbsSharedReceiveQueue::post(void* context, std::span<const Sge> sges) {
    TranslatedEntries entries;
    if (adapter_->translates()) {
        if (const Status status = entries.translate(*adapter_, Operation::receive, sges, most_entries_); !ok(status))
            return status;
        sges = entries.get();
    }
    const Held lock(lock_);
    if (posted_ - ring_->returned() >= depth_) return Status::queue_full;
    const std::uint32_t number = free_.empty() ? first_unused_ : free_.back();
    RequestSlot& slot = ring_->fill(number, {Operation::receive, RequestFlags::none, context, sges});
    ibv_sge nothing{};
    ibv_recv_wr request{};
    request.wr_id = reinterpret_cast<std::uintptr_t>(&slot);
    request.sg_list = ring_->device_entries_of(slot);
    request.num_sge = slot.entry_count;
    if (slot.entry_count == 0 && adapter_->device()->quirks().receives_need_an_entry) {
        request.sg_list = &nothing;
        request.num_sge = 1;
    }
    ibv_recv_wr* refused = nullptr;
    const int error = queue_->context->ops.post_srq_recv(queue_, &request, &refused);
    if (error != 0) [[unlikely]]
        return refuse_post(*adapter_->device(), "shared receive queue", "Receive",
                           "a receive that is within its limits", error);
    if (free_.empty())
        ++first_unused_;
    else
        free_.pop_back();
    ++posted_;
    ++left_;
    return Status::success;
}

void VerbsSharedReceiveQueue::retire(const RequestSlot& slot, AfterLock& after) {
    const Held lock(lock_);
    free_.push_back(slot.number);
    --left_;
    if (!armed_ || left_ >= threshold_) return;
    armed_ = false;
    event_due_ = true;
    after.add(Turn::event, *this);
}

// ---- events ---------------------------------------------------------------------------------------------------------

void VerbsSharedReceiveQueue::drain() {
    std::vector<Ref<VerbsCompletionQueue>> queues;
    {
        const Held attached(attached_mutex_);
        for (const Destination& each : destinations_) queues.push_back(each.queue);
    }
    AfterLock after;
    for (const Ref<VerbsCompletionQueue>& queue : queues) queue->drain(after);
    after.run();
}

void VerbsSharedReceiveQueue::arm() {
    drain();
    std::uint32_t threshold = 0;
    {
        const Held lock(lock_);
        if (left_ < threshold_) {
            event_due_ = true;
        } else {
            armed_ = true;
            threshold = threshold_;
        }
    }
    if (threshold != 0) {
        {
            const Held control(control_);
            ask_for_event(threshold);
        }
        drain();  // receives may have been taken before the device knew
    }
    run_deferred();
}

void VerbsSharedReceiveQueue::ask_for_event(std::uint32_t threshold) {
    ibv_srq_attr attributes{};
    attributes.srq_limit = threshold;
    const int error = adapter_->device()->ibv().modify_srq(queue_, &attributes, IBV_SRQ_LIMIT);
    if (error == 0 || adapter_->device()->ended() || std::exchange(has_no_events_, true)) return;
    log(LogLevel::warn,
        "shared receive queue: RDMA device {} makes no event when few receives are left ({}); OpenND makes it when "
        "results are taken",
        adapter_->device()->facts().name, std::generic_category().message(std::abs(error)));
}

void VerbsSharedReceiveQueue::run_deferred() {
    {
        const Held lock(lock_);
        if (!std::exchange(event_due_, false)) return;
    }
    const Held lock(sink_mutex_);
    if (sink_) sink_->on_low();
}

void VerbsSharedReceiveQueue::on_async_event(ibv_event_type type) {
    if (type == IBV_EVENT_SRQ_ERR) return fail();
    if (type != IBV_EVENT_SRQ_LIMIT_REACHED) return;
    {
        const Held lock(lock_);
        if (!std::exchange(armed_, false)) return;  // a result told it before
        event_due_ = true;
    }
    run_deferred();
}

void VerbsSharedReceiveQueue::on_device_removed() { fail(); }

void VerbsSharedReceiveQueue::fail() {
    {
        const Held lock(lock_);
        if (std::exchange(failed_, true)) return;
        armed_ = event_due_ = false;
    }
    const Held lock(sink_mutex_);
    if (sink_) sink_->on_failed();
}

void VerbsSharedReceiveQueue::close() {
    const Held lock(sink_mutex_);
    sink_ = nullptr;
}

// ---- depth ----------------------------------------------------------------------------------------------------------

std::uint32_t VerbsSharedReceiveQueue::count_posted() {
    const Held lock(lock_);
    return left_;
}

Status VerbsSharedReceiveQueue::modify(std::uint32_t depth, std::uint32_t threshold) {
    const Held control(control_);
    {
        const Held lock(lock_);
        if (posted_ - ring_->returned() > depth) return Status::overrun;
    }
    if (const Status status = grow(depth); !ok(status)) return status;
    const Held lock(lock_);
    if (posted_ - ring_->returned() > depth) return Status::overrun;  // posted meanwhile
    free_.reserve(depth);
    depth_ = depth;
    threshold_ = threshold;
    return Status::success;
}

// Makes room in the completion queues first: the device may use it at once.
Status VerbsSharedReceiveQueue::grow(std::uint32_t depth) {
    {
        const Held attached(attached_mutex_);
        if (depth > room_) {
            for (const Destination& each : destinations_)
                if (!each.queue->deepen_shared(*ring_, depth)) return refuse_growth(depth, ENOMEM);
            room_ = depth;
        }
    }
    if (depth <= made_depth_) return Status::success;
    ibv_srq_attr attributes{};
    attributes.max_wr = depth;
    if (const int error = adapter_->device()->ibv().modify_srq(queue_, &attributes, IBV_SRQ_MAX_WR); error != 0)
        return refuse_growth(depth, std::abs(error));
    made_depth_ = depth;
    return Status::success;
}

Status VerbsSharedReceiveQueue::refuse_growth(std::uint32_t depth, int error) const {
    const Device& device = *adapter_->device();
    if (device.ended()) return device.refuse_after_end("shared receive queue", "Modify");
    return explain(Status::insufficient_resources,
                   {.object = "shared receive queue",
                    .operation = "Modify",
                    .asked = phrase("a depth of {}", depth),
                    .limit = phrase("the depth that it was made with: RDMA device {} cannot enlarge it ({})",
                                    device.facts().name, std::generic_category().message(error)),
                    .remedy = "create it with the greatest depth that will be needed",
                    .requirement = "ND2-SRQ-MOD-01"});
}

Result<HardwareQueue*> VerbsSharedReceiveQueue::attach(RequestOwner& queue_pair, VerbsCompletionQueue& receives) {
    const Held attached(attached_mutex_);
    destinations_.reserve(destinations_.size() + 1);
    Result<HardwareQueue*> room = receives.attach_shared(queue_pair, *ring_, room_);
    if (!room.ok()) return room;
    const auto known = std::find_if(destinations_.begin(), destinations_.end(),
                                    [&](const Destination& each) { return each.queue.get() == &receives; });
    if (known != destinations_.end())
        ++known->queue_pairs;
    else
        destinations_.push_back({Ref<VerbsCompletionQueue>(&receives), 1});
    return room;
}

void VerbsSharedReceiveQueue::detach(RequestOwner& queue_pair, VerbsCompletionQueue& receives) {
    const Held attached(attached_mutex_);
    receives.detach_shared(queue_pair, *ring_);
    const auto known = std::find_if(destinations_.begin(), destinations_.end(),
                                    [&](const Destination& each) { return each.queue.get() == &receives; });
    if (--known->queue_pairs == 0) destinations_.erase(known);
}

}  // namespace opennd::verbs
