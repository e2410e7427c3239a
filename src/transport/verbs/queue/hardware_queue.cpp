// SPDX-License-Identifier: MIT
// See hardware_queue.h.
#include "transport/verbs/queue/hardware_queue.h"

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "base/explanation.h"
#include "platform/process/errno_status.h"

namespace opennd::verbs {

Result<std::unique_ptr<HardwareQueue>> HardwareQueue::create(Ref<Device> device, std::uint32_t room,
                                                             ResultsOf results_of, const ProcessorGroup& processors,
                                                             const RefCounted& owner, DeviceUser& user) {
    ibv_cq* const queue = device->ibv().create_cq(device->context(), static_cast<int>(room), nullptr,
                                                  device->completion_channel(), device->next_vector(processors));
    if (!queue) {
        const int error = errno;
        if (device->ended()) return device->refuse_after_end("completion queue", "creation");
        return explain(resource_status(error),
                       {.object = "completion queue",
                        .operation = "ibv_create_cq",
                        .asked = phrase("room for {} results", room),
                        .limit = phrase("the resources of RDMA device {}: {}", device->facts().name,
                                        std::generic_category().message(error)),
                        .remedy = "release completion queues, or ask for smaller ones",
                        .requirement = "ND2-ADP-CQ-01"});
    }
    std::unique_ptr<HardwareQueue> made(new HardwareQueue(std::move(device), queue, results_of));
    made->device_->add(queue, owner, user);
    return made;
}

// NDK-CQ-MOD-03 allows a shorter wait.
bool HardwareQueue::moderate(const HeldEvents& held) {
    constexpr std::uint16_t kMost = 0xFFFF;
    ibv_modify_cq_attr attributes{};
    attributes.attr_mask = IBV_CQ_ATTR_MODERATE;
    if (held.interval.count() != 0) {
        attributes.moderate.cq_period =
            static_cast<std::uint16_t>(std::min<std::chrono::microseconds::rep>(held.interval.count(), kMost));
        attributes.moderate.cq_count = static_cast<std::uint16_t>(std::min<std::uint32_t>(held.count, kMost));
    }
    return ibv_modify_cq(queue_, &attributes) == 0;
}

HardwareQueue::~HardwareQueue() {
    device_->remove(queue_);
    (void)device_->ibv().destroy_cq(queue_);  // EBUSY is impossible: its queue pairs have gone
}

}  // namespace opennd::verbs
