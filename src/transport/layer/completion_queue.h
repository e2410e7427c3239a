// SPDX-License-Identifier: MIT
// A completion queue, in a layer: around that of the transport.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "transport/completion_queue.h"

namespace opennd {

class LayerCompletionQueue : public TransportCompletionQueue {
public:
    explicit LayerCompletionQueue(Ref<TransportCompletionQueue> inner) : inner_(std::move(inner)) {}

    const Ref<TransportCompletionQueue>& inner() const { return inner_; }

    std::size_t poll(std::span<Completion> completions) override { return inner_->poll(completions); }
    void arm(NotifyKind kind) override { inner_->arm(kind); }
    void disarm() override { inner_->disarm(); }
    bool moderate(std::chrono::microseconds interval, std::uint32_t count) override {
        return inner_->moderate(interval, count);
    }
    WaitingCompletions count_waiting() override { return inner_->count_waiting(); }
    Status resize(std::uint32_t depth) override { return inner_->resize(depth); }
    std::optional<Poller> poller() const override { return inner_->poller(); }
    std::optional<std::size_t> loop() const override { return inner_->loop(); }
    void close() override { inner_->close(); }
    void set_number(std::uint32_t number) override { inner_->set_number(number); }

private:
    const Ref<TransportCompletionQueue> inner_;
};

}  // namespace opennd
