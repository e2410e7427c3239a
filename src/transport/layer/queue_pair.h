// SPDX-License-Identifier: MIT
// A queue pair, in a layer: around that of the transport.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "transport/queue_pair.h"

namespace opennd {

class LayerQueuePair : public TransportQueuePair {
public:
    explicit LayerQueuePair(Ref<TransportQueuePair> inner) : inner_(std::move(inner)) {}

    const Ref<TransportQueuePair>& inner() const { return inner_; }

    Status post(const WorkRequest& request) override { return inner_->post(request); }
    void flush() override { inner_->flush(); }
    void end(Status oldest) override { inner_->end(oldest); }
    void end_soon(Status oldest) override { inner_->end_soon(oldest); }
    void fail() override { inner_->fail(); }
    std::vector<PostedReceive> take_receives() override { return inner_->take_receives(); }
    bool heard() const override { return inner_->heard(); }
    void close() override { inner_->close(); }
    QueuePairState state() const override { return inner_->state(); }
    bool capture() override { return inner_->capture(); }
    QueuePairUse use() override { return inner_->use(); }
    void set_number(std::uint32_t number) override { inner_->set_number(number); }

private:
    const Ref<TransportQueuePair> inner_;
};

}  // namespace opennd
