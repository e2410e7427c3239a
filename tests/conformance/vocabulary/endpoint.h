// SPDX-License-Identifier: MIT
//
// Endpoint: one side of a connection with all it needs - adapter, two completion queues, registered memory, a queue
// pair and a connector. Members are public because tests speak about them. Results are waited for with a deadline.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "conformance/vocabulary/driver.h"
#include "support/buffer.h"

namespace opennd::conformance {

struct EndpointOptions {
    QueuePairOptions queue_pair = {};
    std::uint32_t completion_depth = 64;
    std::size_t memory_bytes = 64 * 1024;
    support::MemoryKind memory = support::MemoryKind::ordinary;
    unsigned rights = kAllRights;
};

// The next result of the queue, or one with outcome nothing_by_the_deadline.
Completion next(CompletionQueue& queue, milliseconds limit = kDeadline);

// Exactly `count` results, fewer only if the deadline passed.
std::vector<Completion> next(CompletionQueue& queue, std::size_t count);

// Whether the next result of the queue is this request with this outcome.
testing::AssertionResult reports(CompletionQueue& queue, RequestKind kind, Tag tag, Outcome outcome);

// Whether the next result is a receive of this many bytes.
testing::AssertionResult reports_received(CompletionQueue& queue, Tag tag, std::size_t bytes);

// Whether the next results are these requests, in this order, all with this outcome, and no further one is there.
testing::AssertionResult reports_exactly(CompletionQueue& queue, const std::vector<Tag>& tags, Outcome outcome);

struct Endpoint {
    Endpoint(Driver& driver, const EndpointOptions& options);

    // Destroyed in reverse order: the connection ends before the memory goes.
    std::unique_ptr<Adapter> adapter;
    std::unique_ptr<CompletionQueue> received, initiated;
    support::Buffer memory;
    std::unique_ptr<MemoryRegion> region;
    std::unique_ptr<QueuePair> queue_pair;
    std::unique_ptr<Connector> connector;

    // A slice of the endpoint's memory, as a local buffer, as a remote one, and as plain bytes.
    Sge piece(std::size_t offset, std::size_t length) const;
    Remote remote(std::size_t offset = 0) const;
    std::span<std::byte> bytes(std::size_t offset, std::size_t length) const { return memory.bytes(offset, length); }

    // Posts with one buffer, or with none if the length is 0.
    Outcome send(Tag tag, std::size_t offset = 0, std::size_t length = 0, unsigned flags = kNoFlags);
    Outcome receive(Tag tag, std::size_t offset = 0, std::size_t length = 0);
    Outcome read(Tag tag, std::size_t offset, std::size_t length, Remote from, unsigned flags = kNoFlags);
    Outcome write(Tag tag, std::size_t offset, std::size_t length, Remote to, unsigned flags = kNoFlags);
};

// Registers memory and waits; throws if that fails.
std::unique_ptr<MemoryRegion> registered(Adapter& adapter, const void* memory, std::size_t bytes, unsigned rights);

}  // namespace opennd::conformance
