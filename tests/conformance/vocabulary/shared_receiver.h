// SPDX-License-Identifier: MIT
//
// One side with queue pairs that share their receives, and connections to it. Members are public because tests speak
// about them.
#pragma once

#include <memory>

#include "conformance/vocabulary/fixture.h"
#include "conformance/vocabulary/handshake.h"
#include "support/transports.h"

namespace opennd::conformance {

class SharedReceiveTest : public ConformanceTest {
protected:
    void SetUp() override {
        if (support::is_joint(GetParam().transport))
            GTEST_SKIP() << "a joint adapter has no shared receive queues (MaxSharedReceiveQueueDepth 0)";
    }
};

// An adapter with a shared receive queue, memory for it, and a listener.
struct SharedReceiver {
    explicit SharedReceiver(Driver& driver, const SharedReceiveQueueOptions& options = {},
                            std::size_t memory_bytes = 64 * 1024);

    std::unique_ptr<Adapter> adapter;
    support::Buffer memory;
    std::unique_ptr<MemoryRegion> region;
    std::unique_ptr<SharedReceiveQueue> queue;
    std::unique_ptr<Listener> listener;
    SocketAddress address{};

    // Posts with one buffer, or with none if the length is 0.
    Outcome receive(Tag tag, std::size_t offset = 0, std::size_t length = 0);
    std::span<std::byte> bytes(std::size_t offset, std::size_t length) const { return memory.bytes(offset, length); }
    std::shared_ptr<CompletionQueue> completion_queue(std::uint32_t depth = 64);
};

// A connection with a passive end that takes its receives from the shared queue of `receiver`, and completes them in
// `received` if that is given, else in a queue of its own.
struct SharedConnection {
    SharedConnection(Driver& driver, SharedReceiver& receiver, Tag context = 0,
                     std::shared_ptr<CompletionQueue> received = nullptr, const EndpointOptions& peer_options = {});

    std::shared_ptr<CompletionQueue> received;
    std::unique_ptr<CompletionQueue> initiated;
    std::unique_ptr<QueuePair> queue_pair;
    std::unique_ptr<Connector> connector;
    Endpoint peer;  // the active end

    // Retrieves the result of a Send of `peer`: once it is there, the message is placed.
    testing::AssertionResult sent(Tag tag, Outcome outcome = Outcome::success) {
        return reports(*peer.initiated, RequestKind::send, tag, outcome);
    }
};

}  // namespace opennd::conformance
