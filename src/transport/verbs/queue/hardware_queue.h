// SPDX-License-Identifier: MIT
// One ibv_cq of a completion queue, with the room that queue pairs have taken in it. A completion queue has as many as its queue
// pairs need, since many devices cannot resize one.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>

#include "base/result.h"
#include "transport/verbs/device/device.h"

namespace opennd::verbs {

// The requests whose results an ibv_cq has. They are kept apart where failures of initiator requests make no event.
enum class ResultsOf : std::uint8_t { all, receives, initiators };

// How long a device holds events back: until `count` results have come, or `interval` is over. An interval of 0: not at all.
struct HeldEvents {
    std::chrono::microseconds interval{};
    std::uint32_t count = 0;
};

class HardwareQueue {
public:
    // Makes a queue; `user`, a part of `owner`, hears of its events, on `processors` if that can be. insufficient_resources, explained.
    static Result<std::unique_ptr<HardwareQueue>> create(Ref<Device> device, std::uint32_t room, ResultsOf results_of,
                                                         const ProcessorGroup& processors, const RefCounted& owner,
                                                         DeviceUser& user);
    // No ibv_qp completes here any more when this runs.
    ~HardwareQueue();
    HardwareQueue(const HardwareQueue&) = delete;
    HardwareQueue& operator=(const HardwareQueue&) = delete;

    ibv_cq* get() const { return queue_; }
    ResultsOf results_of() const { return results_of_; }
    int poll(int most, ibv_wc* results) { return queue_->context->ops.poll_cq(queue_, most, results); }
    // Asks for one event; `solicited_only`: of solicited receives and failures alone.
    void request_event(bool solicited_only) {
        (void)queue_->context->ops.req_notify_cq(queue_, solicited_only && results_of_ != ResultsOf::initiators);
    }
    // Lets the device hold events back, as far as it can count. Returns false if it cannot.
    bool moderate(const HeldEvents& held);

    // Takes room for the results of `requests` requests. Returns false if there is no such room left.
    bool take_room(std::uint32_t requests) {
        if (requests > room_ - taken_) return false;
        taken_ += requests;
        return true;
    }
    void give_room(std::uint32_t requests) { taken_ -= requests; }

private:
    HardwareQueue(Ref<Device> device, ibv_cq* queue, ResultsOf results_of)
        : device_(std::move(device)),
          queue_(queue),
          results_of_(results_of),
          room_(static_cast<std::uint32_t>(queue->cqe)) {}

    const Ref<Device> device_;
    ibv_cq* const queue_;
    const ResultsOf results_of_;
    const std::uint32_t room_;
    std::uint32_t taken_ = 0;  // guarded by the lock of its completion queue
};

}  // namespace opennd::verbs
