// SPDX-License-Identifier: MIT
//
// The objects of NDKPI in the test vocabulary, but for connectors and listeners (connection.h): each method is one call
// and one translation. NDKPI wants the consumer to serialise the calls on one queue, so the objects have locks
// (NDK-QP-POST-09).
#pragma once

#include <mutex>
#include <vector>

#include "conformance/vocabulary/ndk/handle.h"

namespace opennd::conformance::ndk {

// Requests for the one event that an arm is for.
class Waiters {
public:
    SharedRequest add(NotifyType type);
    // Ends those of the types that the event is for; true if others are left.
    bool finish(NTSTATUS status);
    // Nobody waits any more. There is no call to take an arm back.
    void give_up();

private:
    struct Waiter {
        NotifyType type;
        SharedRequest request;
    };
    std::mutex mutex_;
    std::vector<Waiter> waiting_;
};

class NdkCompletionQueue final : public CompletionQueue {
public:
    NdkCompletionQueue(SharedInstance instance, ULONG depth);
    ~NdkCompletionQueue() override { state_->waiters.give_up(); }
    std::vector<Completion> poll(std::size_t most) override;
    Operation notify(NotifyType type) override;
    Outcome resize(std::uint32_t depth) override;
    void cancel() override { state_->waiters.give_up(); }
    NDK_CQ* get() const { return handle_.get(); }

private:
    struct State {
        std::mutex calls;  // of polling and arming
        NDK_CQ* object = nullptr;
        Waiters waiters;
    };
    static VOID on_event(PVOID state, NTSTATUS status);

    const std::shared_ptr<State> state_ = std::make_shared<State>();
    const Handle<NDK_CQ> handle_;
};

class NdkSharedReceiveQueue final : public SharedReceiveQueue {
public:
    NdkSharedReceiveQueue(SharedInstance instance, NDK_PD* domain, const SharedReceiveQueueOptions& options);
    ~NdkSharedReceiveQueue() override { waiters_->give_up(); }
    Outcome receive(Tag tag, SgeList sges) override;
    Operation notify() override;
    Outcome modify(std::uint32_t depth, std::uint32_t threshold) override;
    void cancel() override { waiters_->give_up(); }
    NDK_SRQ* get() const { return handle_.get(); }

private:
    static VOID on_event(PVOID waiters, NTSTATUS status) { static_cast<Waiters*>(waiters)->finish(status); }

    const std::shared_ptr<Waiters> waiters_ = std::make_shared<Waiters>();
    const Handle<NDK_SRQ> handle_;
    std::mutex posts_;
    ULONG threshold_;
};

class NdkMemoryRegion final : public MemoryRegion {
public:
    NdkMemoryRegion(SharedInstance instance, NDK_PD* domain);
    Operation enroll(const void* memory, std::size_t bytes, unsigned rights) override;
    Operation withdraw() override;
    std::uint32_t local_token() override { return handle_.call().NdkGetLocalTokenFromMr(handle_.get()); }
    std::uint32_t remote_token() override { return handle_.call().NdkGetRemoteTokenFromMr(handle_.get()); }
    NDK_MR* get() const { return handle_.get(); }

private:
    const Handle<NDK_MR> handle_;
};

class NdkMemoryWindow final : public MemoryWindow {
public:
    NdkMemoryWindow(SharedInstance instance, NDK_PD* domain);
    std::uint32_t remote_token() override { return handle_.call().NdkGetRemoteTokenFromMw(handle_.get()); }
    NDK_MW* get() const { return handle_.get(); }

private:
    const Handle<NDK_MW> handle_;
};

class NdkQueuePair final : public QueuePair {
public:
    NdkQueuePair(SharedInstance instance, NDK_QP* object) : handle_(std::move(instance), object) {}
    Outcome send(Tag tag, SgeList sges, unsigned flags) override;
    Outcome receive(Tag tag, SgeList sges) override;
    Outcome read(Tag tag, SgeList sges, Remote from, unsigned flags) override;
    Outcome write(Tag tag, SgeList sges, Remote to, unsigned flags) override;
    Outcome bind(Tag tag, MemoryRegion& region, MemoryWindow& window, const void* memory, std::size_t bytes,
                 unsigned flags) override;
    Outcome invalidate(Tag tag, MemoryWindow& window, unsigned flags) override;
    Outcome flush() override;
    std::uint32_t grant(MemoryRegion& region) override { return region.remote_token(); }
    NDK_QP* get() const { return handle_.get(); }

private:
    const Handle<NDK_QP> handle_;
    std::mutex receives_, initiators_;
};

}  // namespace opennd::conformance::ndk
