// SPDX-License-Identifier: MIT
// A shared receive queue, in a layer: around that of the transport.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "transport/shared_receive_queue.h"

namespace opennd {

class LayerSharedReceiveQueue : public TransportSharedReceiveQueue {
public:
    explicit LayerSharedReceiveQueue(Ref<TransportSharedReceiveQueue> inner) : inner_(std::move(inner)) {}

    const Ref<TransportSharedReceiveQueue>& inner() const { return inner_; }

    Status post(void* context, std::span<const Sge> sges) override { return inner_->post(context, sges); }
    void arm() override { inner_->arm(); }
    Status modify(std::uint32_t depth, std::uint32_t threshold) override { return inner_->modify(depth, threshold); }
    std::uint32_t count_posted() override { return inner_->count_posted(); }
    void close() override { inner_->close(); }
    void set_number(std::uint32_t number) override { inner_->set_number(number); }

private:
    const Ref<TransportSharedReceiveQueue> inner_;
};

}  // namespace opennd
