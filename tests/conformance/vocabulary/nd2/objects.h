// SPDX-License-Identifier: MIT
//
// The objects of version 2 in the test vocabulary: each method is one call and one translation.
#pragma once

#include <opennd_immediate.h>

#include <vector>

#include "conformance/vocabulary/com_objects.h"
#include "conformance/vocabulary/nd2/version.h"

namespace opennd::conformance::nd2 {

class Nd2CompletionQueue final : public ComCompletionQueue<IND2CompletionQueue, Version> {
public:
    explicit Nd2CompletionQueue(support::ComPtr<IND2CompletionQueue> object);
    // By GetResults, and every other time by GetImmediateResults.
    std::vector<Completion> poll(std::size_t most) override;

private:
    ULONG take(std::vector<ND2_RESULT>& results);

    support::ComPtr<IND2ImmediateCompletionQueue> immediate_;  // null: the adapter has no immediate data
    unsigned polls_ = 0;
};

class Nd2MemoryRegion final : public MemoryRegion {
public:
    explicit Nd2MemoryRegion(support::ComPtr<IND2MemoryRegion> object) : object_(std::move(object)) {}
    Operation enroll(const void* memory, std::size_t bytes, unsigned rights) override;
    Operation withdraw() override;
    std::uint32_t local_token() override { return object_->GetLocalToken(); }
    std::uint32_t remote_token() override { return object_->GetRemoteToken(); }
    IND2MemoryRegion* get() const { return object_.get(); }

private:
    Owner<IND2MemoryRegion> object_;
};

class Nd2MemoryWindow final : public MemoryWindow {
public:
    explicit Nd2MemoryWindow(support::ComPtr<IND2MemoryWindow> object) : object_(std::move(object)) {}
    std::uint32_t remote_token() override { return object_->GetRemoteToken(); }
    IND2MemoryWindow* get() const { return object_.get(); }

private:
    support::ComPtr<IND2MemoryWindow> object_;
};

class Nd2SharedReceiveQueue final : public SharedReceiveQueue {
public:
    explicit Nd2SharedReceiveQueue(support::ComPtr<IND2SharedReceiveQueue> object) : object_(std::move(object)) {}
    Outcome receive(Tag tag, SgeList sges) override;
    Operation notify() override;
    Outcome modify(std::uint32_t depth, std::uint32_t threshold) override {
        return outcome_of(object_->Modify(depth, threshold));
    }
    void cancel() override;
    IND2SharedReceiveQueue* get() const { return object_.get(); }

private:
    Owner<IND2SharedReceiveQueue> object_;
};

class Nd2QueuePair final : public QueuePair {
public:
    explicit Nd2QueuePair(support::ComPtr<IND2QueuePair> object);
    Outcome send(Tag tag, SgeList sges, unsigned flags) override;
    Outcome receive(Tag tag, SgeList sges) override;
    Outcome read(Tag tag, SgeList sges, Remote from, unsigned flags) override;
    Outcome write(Tag tag, SgeList sges, Remote to, unsigned flags) override;
    Outcome bind(Tag tag, MemoryRegion& region, MemoryWindow& window, const void* memory, std::size_t bytes,
                 unsigned flags) override;
    Outcome invalidate(Tag tag, MemoryWindow& window, unsigned flags) override;
    Outcome flush() override { return outcome_of(object_->Flush()); }
    std::uint32_t grant(MemoryRegion& region) override { return region.remote_token(); }
    IND2QueuePair* get() const { return object_.get(); }

private:
    Owner<IND2QueuePair> object_;
    support::ComPtr<IND2ImmediateQueuePair> immediate_;  // null: the adapter has no immediate data
};

class Nd2Connector final : public ComConnector<IND2Connector, Version, ULONG> {
public:
    using ComConnector::ComConnector;
    Outcome bind(const SocketAddress& local) override;
    Operation connect(QueuePair& queue_pair, const SocketAddress& peer, ReadLimits limits,
                      const PrivateData& data) override;
    Operation accept(QueuePair& queue_pair, ReadLimits limits, const PrivateData& data) override;
    Outcome reject(const PrivateData& data) override;
    Outcome read_limits(ReadLimits& limits) override;
    Outcome private_data(PrivateData& data) override;
};

class Nd2Listener final : public Listener {
public:
    explicit Nd2Listener(support::ComPtr<IND2Listener> object) : object_(std::move(object)) {}
    Outcome bind(const SocketAddress& local) override;
    Outcome listen(std::uint32_t backlog) override { return outcome_of(object_->Listen(backlog)); }
    Outcome local_address(SocketAddress& address) override;
    Operation get_request(Connector& connector) override;
    void cancel() override;

private:
    Owner<IND2Listener> object_;
};

}  // namespace opennd::conformance::nd2
