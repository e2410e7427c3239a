// SPDX-License-Identifier: MIT
// A shared receive queue whose receives are recorded from the post to the result.
#pragma once

#include <cstdint>
#include <utility>

#include "transport/recording/recorder.h"
#include "transport/shared_receive_queue.h"

namespace opennd::recording {

class RecordedSharedReceiveQueue final : public TransportSharedReceiveQueue {
public:
    RecordedSharedReceiveQueue(Recorder& recorder, Ref<RequestRecord> record, Ref<TransportSharedReceiveQueue> inner)
        : recorder_(recorder), record_(std::move(record)), inner_(std::move(inner)) {}
    // The last queue pair that took of it is gone.
    ~RecordedSharedReceiveQueue() override { recorder_.end(*record_); }

    const Ref<TransportSharedReceiveQueue>& inner() const { return inner_; }
    const Ref<RequestRecord>& record() const { return record_; }

    Status post(void* context, std::span<const Sge> sges) override;
    void arm() override { inner_->arm(); }
    Status modify(std::uint32_t depth, std::uint32_t threshold) override { return inner_->modify(depth, threshold); }
    std::uint32_t count_posted() override { return inner_->count_posted(); }
    void close() override { inner_->close(); }
    void set_number(std::uint32_t number) override {
        record_->set_number(number);
        inner_->set_number(number);
    }

private:
    // Constant after construction.
    Recorder& recorder_;
    const Ref<RequestRecord> record_;
    const Ref<TransportSharedReceiveQueue> inner_;
};

}  // namespace opennd::recording
