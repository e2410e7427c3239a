// SPDX-License-Identifier: MIT
//
// The objects of version 1 in the test vocabulary: each method is one call and one translation.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "conformance/vocabulary/com_objects.h"
#include "conformance/vocabulary/nd1/request.h"

namespace opennd::conformance::nd1 {

using SharedPosted = std::shared_ptr<PostedRequests>;

class Nd1CompletionQueue final : public ComCompletionQueue<INDCompletionQueue, Version> {
public:
    Nd1CompletionQueue(support::ComPtr<INDCompletionQueue> object, SharedPosted posted)
        : ComCompletionQueue(std::move(object)), posted_(std::move(posted)) {}
    std::vector<Completion> poll(std::size_t most) override;

private:
    const SharedPosted posted_;
};

class Nd1MemoryWindow final : public MemoryWindow {
public:
    explicit Nd1MemoryWindow(support::ComPtr<INDMemoryWindow> object) : object_(std::move(object)) {}
    std::uint32_t remote_token() override;  // of its newest Bind
    INDMemoryWindow* get() const { return object_.get(); }
    ND_MW_DESCRIPTOR descriptor{};

private:
    support::ComPtr<INDMemoryWindow> object_;
};

// A registration. Its memory is granted to peers through windows: one for each endpoint that grants it.
class Nd1MemoryRegion final : public MemoryRegion {
public:
    explicit Nd1MemoryRegion(support::ComPtr<INDAdapter> adapter) : adapter_(std::move(adapter), false) {}
    ~Nd1MemoryRegion() override;
    Operation enroll(const void* memory, std::size_t bytes, unsigned rights) override;
    Operation withdraw() override;
    std::uint32_t local_token() override;
    std::uint32_t remote_token() override { return 0; }  // a registration has none: see QueuePair::grant
    ND_MR_HANDLE handle() const { return handle_; }

    // Binds a window over all of it, with the rights it was enrolled with; its token, or 0 without rights.
    std::uint32_t grant(INDEndpoint* endpoint);

private:
    Owner<INDAdapter> adapter_;
    ND_MR_HANDLE handle_ = nullptr;
    const void* memory_ = nullptr;
    std::size_t bytes_ = 0;
    unsigned rights_ = 0;
    std::map<INDEndpoint*, std::unique_ptr<Nd1MemoryWindow>> windows_;
    std::map<INDEndpoint*, std::unique_ptr<ND_RESULT>> results_;
};

class Nd1QueuePair final : public QueuePair {
public:
    Nd1QueuePair(support::ComPtr<INDEndpoint> object, SharedPosted posted, Tag context)
        : posted_(std::move(posted)), context_(context), object_(std::move(object)) {}
    Outcome send(Tag tag, SgeList sges, unsigned flags) override;
    Outcome receive(Tag tag, SgeList sges) override;
    Outcome read(Tag tag, SgeList sges, Remote from, unsigned flags) override;
    Outcome write(Tag tag, SgeList sges, Remote to, unsigned flags) override;
    Outcome bind(Tag tag, MemoryRegion& region, MemoryWindow& window, const void* memory, std::size_t bytes,
                 unsigned flags) override;
    Outcome invalidate(Tag tag, MemoryWindow& window, unsigned flags) override;
    Outcome flush() override { return outcome_of(object_->Flush()); }
    std::uint32_t grant(MemoryRegion& region) override;
    INDEndpoint* get() const { return object_.get(); }

private:
    // call(ND_RESULT*) posts.
    template <typename Call>
    Outcome post(RequestKind kind, Tag tag, SgeList sges, Call&& call);

    const SharedPosted posted_;
    const Tag context_;
    support::ComPtr<INDEndpoint> object_;
};

class Nd1Connector final : public ComConnector<INDConnector, Version, SIZE_T> {
public:
    using ComConnector::ComConnector;
    Outcome bind(const SocketAddress& local) override;
    Operation connect(QueuePair& queue_pair, const SocketAddress& peer, ReadLimits limits,
                      const PrivateData& data) override;
    Operation accept(QueuePair& queue_pair, ReadLimits limits, const PrivateData& data) override;
    Outcome reject(const PrivateData& data) override;
    Outcome read_limits(ReadLimits& limits) override;
    Outcome private_data(PrivateData& data) override;

private:
    USHORT local_port_ = 0;  // network order; the port given to bind()
};

// Binds and listens at once; the two steps of the vocabulary are one here.
class Nd1Listener final : public Listener {
public:
    explicit Nd1Listener(support::ComPtr<INDAdapter> adapter) : adapter_(std::move(adapter)) {}
    Outcome bind(const SocketAddress& local) override;
    Outcome listen(std::uint32_t backlog) override;
    Outcome local_address(SocketAddress& address) override;
    Operation get_request(Connector& connector) override;
    void cancel() override;

private:
    const support::ComPtr<INDAdapter> adapter_;
    SocketAddress address_{};
    std::unique_ptr<Owner<INDListen>> object_;
};

}  // namespace opennd::conformance::nd1
