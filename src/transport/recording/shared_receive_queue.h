// SPDX-License-Identifier: MIT
// A shared receive queue whose receives are recorded from the post to the result.
#pragma once

#include <cstdint>
#include <utility>

#include "transport/layer/shared_receive_queue.h"
#include "transport/recording/recorder.h"

namespace opennd::recording {

class RecordedSharedReceiveQueue final : public LayerSharedReceiveQueue {
public:
    RecordedSharedReceiveQueue(Recorder& recorder, Ref<RequestRecord> record, Ref<TransportSharedReceiveQueue> inner)
        : LayerSharedReceiveQueue(std::move(inner)), recorder_(recorder), record_(std::move(record)) {}
    // The last queue pair that took of it is gone.
    ~RecordedSharedReceiveQueue() override { recorder_.end(*record_); }

    const Ref<RequestRecord>& record() const { return record_; }

    Status post(void* context, std::span<const Sge> sges) override;
    void set_number(std::uint32_t number) override {
        record_->set_number(number);
        inner()->set_number(number);
    }

private:
    // Constant after construction.
    Recorder& recorder_;
    const Ref<RequestRecord> record_;
};

}  // namespace opennd::recording
