// SPDX-License-Identifier: MIT
// A fixture with one adapter on 127.0.0.1 over the fake transport.
#pragma once

#include <gtest/gtest.h>

#include <arpa/inet.h>

#include "core/adapter/adapter.h"
#include "core/queue/completion_queue.h"
#include "core/queue/queue_pair.h"
#include "core/queue/shared_receive_queue.h"
#include "unit/core/fake_transport.h"
#include "unit/core/recording_request.h"

namespace opennd {

inline Address ipv4(const char* text, std::uint16_t port) {
    sockaddr_in raw{};
    raw.sin_family = AF_INET;
    raw.sin_port = htons(port);
    inet_pton(AF_INET, text, &raw.sin_addr);
    return *Address::from(reinterpret_cast<const sockaddr*>(&raw), sizeof raw);
}

class FakeAdapterTest : public testing::Test {
protected:
    ~FakeAdapterTest() override {
        for (const Ref<QueuePair>& queue_pair : queue_pairs_) queue_pair->close();
        completion_queue_->close();
    }

    Ref<QueuePair> make_queue_pair(const QueuePairLimits& limits = {8, 8, 4, 4, 64}) {
        queue_pairs_.push_back(
            QueuePair::create(adapter_, limits, {}, completion_queue_, completion_queue_, nullptr).take());
        return queue_pairs_.back();
    }

    Ref<fake::FakeAdapter> transport_ = make_ref<fake::FakeAdapter>();
    Ref<Adapter> adapter_ = make_ref<Adapter>(
        1, Interface{1, "lo", true, {ipv4("127.0.0.1", 0)}}, [] { return std::vector{ipv4("127.0.0.1", 0)}; },
        Ref<TransportAdapter>(transport_));
    Ref<CompletionQueue> completion_queue_ = CompletionQueue::create(adapter_, 16).take();

private:
    std::vector<Ref<QueuePair>> queue_pairs_;
};

}  // namespace opennd
