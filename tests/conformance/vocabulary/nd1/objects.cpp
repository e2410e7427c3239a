// SPDX-License-Identifier: MIT
//
// Translation between the vocabulary and version 1. Remote addresses of the vocabulary are absolute: a descriptor that
// begins at 0 and is as long as can be leaves all checks to the peer.
#include "conformance/vocabulary/nd1/objects.h"

#include <arpa/inet.h>

#include "support/skipped_test.h"
#include "support/status.h"

namespace opennd::conformance::nd1 {
namespace {

constexpr INT kProtocol = 123;

// A handle is the registration's token; one that names no memory is not NULL, which would mean inline.
ND_MR_HANDLE handle_of(std::uint32_t token) {
    return reinterpret_cast<ND_MR_HANDLE>(static_cast<std::uintptr_t>(token != 0 ? token : 1));
}

std::vector<ND_SGE> sges_of(SgeList sges, unsigned flags) {
    std::vector<ND_SGE> list;
    for (const Sge& sge : sges)
        list.push_back(
            {const_cast<void*>(sge.buffer), sge.length_bytes, flags & kInline ? nullptr : handle_of(sge.token)});
    return list;
}

std::size_t total_of(SgeList sges) {
    std::size_t total = 0;
    for (const Sge& sge : sges) total += sge.length_bytes;
    return total;
}

DWORD flags_of(unsigned flags) {
    DWORD bits = 0;
    if (flags & kSilent) bits |= ND_OP_FLAG_SILENT_SUCCESS;
    if (flags & kReadFence) bits |= ND_OP_FLAG_READ_FENCE;
    if (flags & kSolicit) bits |= ND_OP_FLAG_SEND_AND_SOLICIT_EVENT;
    if (flags & kAllowRead) bits |= ND_OP_FLAG_ALLOW_READ;
    if (flags & kAllowWrite) bits |= ND_OP_FLAG_ALLOW_WRITE;
    return bits;
}

ND_MW_DESCRIPTOR everything(std::uint32_t token) {
    ND_MW_DESCRIPTOR descriptor{};
    descriptor.Length = ~UINT64{0};
    descriptor.Token = token;
    return descriptor;
}

Outcome private_data_outcome(HRESULT status) {
    return status == ND_BUFFER_OVERFLOW ? Outcome::invalid_buffer_size : outcome_of(status);
}

}  // namespace

std::vector<Completion> Nd1CompletionQueue::poll(std::size_t most) {
    std::vector<ND_RESULT*> results(most);
    const SIZE_T count = object_->GetResults(results.data(), most);
    EXPECT_LE(count, most);
    std::vector<Completion> completions;
    for (SIZE_T i = 0; i < count; ++i) {
        const Posted posted = posted_->take(results[i]);
        const Outcome outcome = result_of(posted.kind, posted.result.Status);
        const bool received = posted.kind == RequestKind::receive;
        const SIZE_T expected = outcome == Outcome::success ? posted.bytes : 0;
        EXPECT_TRUE(received || posted.result.BytesTransferred == expected) << "table 2.9 (ND1-RES-07)";
        completions.push_back({outcome, received ? static_cast<std::uint32_t>(posted.result.BytesTransferred) : 0,
                               posted.queue_pair, posted.tag, posted.kind});
    }
    return completions;
}

std::uint32_t Nd1MemoryWindow::remote_token() { return descriptor.Token; }

Nd1MemoryRegion::~Nd1MemoryRegion() {
    windows_.clear();
    OVERLAPPED overlapped{};
    if (!handle_) return;
    EXPECT_TRUE(support::is(adapter_->DeregisterMemory(handle_, &overlapped), ND_SUCCESS));
}

Operation Nd1MemoryRegion::enroll(const void* memory, std::size_t bytes, unsigned rights) {
    memory_ = memory;
    bytes_ = bytes;
    rights_ = rights;
    return adapter_.begin(
        [&](OVERLAPPED* overlapped) { return adapter_->RegisterMemory(memory, bytes, overlapped, &handle_); });
}

Operation Nd1MemoryRegion::withdraw() {
    windows_.clear();
    const Operation operation =
        adapter_.begin([&](OVERLAPPED* overlapped) { return adapter_->DeregisterMemory(handle_, overlapped); });
    if (operation.now() == Outcome::success) handle_ = nullptr;
    return operation;
}

std::uint32_t Nd1MemoryRegion::local_token() {
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(handle_));
}

std::uint32_t Nd1MemoryRegion::grant(INDEndpoint* endpoint) {
    const bool read = (rights_ & kRemoteRead) != 0, write = (rights_ & kRemoteWrite) != 0;
    if (!read && !write) return 0;
    auto& window = windows_[endpoint];
    if (!window) {
        support::ComPtr<INDMemoryWindow> object;
        ND_ADAPTER_INFO info{};
        SIZE_T size = sizeof info;
        support::require(adapter_->Query(ND_VERSION_1, &info, &size), ND_SUCCESS, "INDAdapter::Query");
        support::skip_without(info.MaxWindowSize, "memory windows", "MaxWindowSize");
        support::require(adapter_->CreateMemoryWindow(nullptr, object.put()), ND_SUCCESS, "CreateMemoryWindow");
        window = std::make_unique<Nd1MemoryWindow>(std::move(object));
        auto& result = results_[endpoint] = std::make_unique<ND_RESULT>();
        const DWORD flags = (read ? ND_OP_FLAG_ALLOW_READ : 0) | (write ? ND_OP_FLAG_ALLOW_WRITE : 0);
        support::require(endpoint->Bind(result.get(), handle_, window->get(), memory_, bytes_,
                                        flags | ND_OP_FLAG_SILENT_SUCCESS, &window->descriptor),
                         ND_SUCCESS, "Bind");
    }
    return window->remote_token();
}

template <typename Call>
Outcome Nd1QueuePair::post(RequestKind kind, Tag tag, SgeList sges, Call&& call) {
    ND_RESULT* const result = posted_->add({{}, tag, context_, kind, total_of(sges)});
    const HRESULT status = call(result);
    if (FAILED(status)) posted_->take(result);
    EXPECT_TRUE(FAILED(status) || status == ND_SUCCESS) << "ND1-GEN-01";
    return outcome_of(status);
}

Outcome Nd1QueuePair::send(Tag tag, SgeList sges, unsigned flags) {
    const auto list = sges_of(sges, flags);
    return post(RequestKind::send, tag, sges,
                [&](ND_RESULT* result) { return object_->Send(result, list.data(), list.size(), flags_of(flags)); });
}

Outcome Nd1QueuePair::receive(Tag tag, SgeList sges) {
    const auto list = sges_of(sges, kNoFlags);
    return post(RequestKind::receive, tag, sges,
                [&](ND_RESULT* result) { return object_->Receive(result, list.data(), list.size()); });
}

Outcome Nd1QueuePair::read(Tag tag, SgeList sges, Remote from, unsigned flags) {
    const auto list = sges_of(sges, flags);
    const ND_MW_DESCRIPTOR descriptor = everything(from.token);
    return post(RequestKind::read, tag, sges, [&](ND_RESULT* result) {
        return object_->Read(result, list.data(), list.size(), &descriptor, from.address, flags_of(flags));
    });
}

Outcome Nd1QueuePair::write(Tag tag, SgeList sges, Remote to, unsigned flags) {
    const auto list = sges_of(sges, flags);
    const ND_MW_DESCRIPTOR descriptor = everything(to.token);
    return post(RequestKind::write, tag, sges, [&](ND_RESULT* result) {
        return object_->Write(result, list.data(), list.size(), &descriptor, to.address, flags_of(flags));
    });
}

Outcome Nd1QueuePair::bind(Tag tag, MemoryRegion& region, MemoryWindow& window, const void* memory, std::size_t bytes,
                           unsigned flags) {
    auto& bound = dynamic_cast<Nd1MemoryWindow&>(window);
    return post(RequestKind::bind, tag, {}, [&](ND_RESULT* result) {
        return object_->Bind(result, handle_of(region.local_token()), bound.get(), memory, bytes, flags_of(flags),
                             &bound.descriptor);
    });
}

Outcome Nd1QueuePair::invalidate(Tag tag, MemoryWindow& window, unsigned flags) {
    return post(RequestKind::invalidate, tag, {}, [&](ND_RESULT* result) {
        return object_->Invalidate(result, dynamic_cast<Nd1MemoryWindow&>(window).get(), flags_of(flags));
    });
}

std::uint32_t Nd1QueuePair::grant(MemoryRegion& region) {
    return dynamic_cast<Nd1MemoryRegion&>(region).grant(object_.get());
}

Outcome Nd1Connector::bind(const SocketAddress& local) {
    local_port_ = local.ipv4.sin_port;
    return Outcome::success;
}

Operation Nd1Connector::connect(QueuePair& queue_pair, const SocketAddress& peer, ReadLimits, const PrivateData& data) {
    INDEndpoint* const endpoint = dynamic_cast<Nd1QueuePair&>(queue_pair).get();
    return object_.begin([&](OVERLAPPED* overlapped) {
        return object_->Connect(endpoint, support::as_sockaddr(peer), sizeof peer, kProtocol, local_port_, data.data(),
                                data.size(), overlapped);
    });
}

Operation Nd1Connector::accept(QueuePair& queue_pair, ReadLimits, const PrivateData& data) {
    INDEndpoint* const endpoint = dynamic_cast<Nd1QueuePair&>(queue_pair).get();
    return object_.begin(
        [&](OVERLAPPED* overlapped) { return object_->Accept(endpoint, data.data(), data.size(), overlapped); });
}

Outcome Nd1Connector::reject(const PrivateData& data) {
    return private_data_outcome(object_->Reject(data.data(), data.size()));
}

Outcome Nd1Connector::read_limits(ReadLimits& limits) {
    SIZE_T inbound = 0, outbound = 0;
    const Outcome outcome = outcome_of(object_->GetConnectionData(&inbound, &outbound, nullptr, nullptr));
    limits = {static_cast<std::uint32_t>(inbound), static_cast<std::uint32_t>(outbound)};
    return outcome;
}

Outcome Nd1Connector::private_data(PrivateData& data) {
    SIZE_T bytes = 0;
    const HRESULT asked = object_->GetConnectionData(nullptr, nullptr, nullptr, &bytes);
    if (asked != ND_BUFFER_OVERFLOW) {
        data.clear();
        return outcome_of(asked);
    }
    data.resize(bytes);
    return outcome_of(object_->GetConnectionData(nullptr, nullptr, data.data(), &bytes));
}

Outcome Nd1Listener::bind(const SocketAddress& local) {
    address_ = local;
    return Outcome::success;
}

Outcome Nd1Listener::listen(std::uint32_t backlog) {
    support::ComPtr<INDListen> object;
    const HRESULT status =
        adapter_->Listen(backlog, kProtocol, address_.ipv4.sin_port, &address_.ipv4.sin_port, object.put());
    if (status == ND_ADDRESS_ALREADY_EXISTS) return Outcome::sharing_violation;
    if (SUCCEEDED(status)) object_ = std::make_unique<Owner<INDListen>>(std::move(object));
    return outcome_of(status);
}

Outcome Nd1Listener::local_address(SocketAddress& address) {
    address = address_;
    return Outcome::success;
}

Operation Nd1Listener::get_request(Connector& connector) {
    INDConnector* const waiting = dynamic_cast<Nd1Connector&>(connector).get();
    return object_->begin(
        [&](OVERLAPPED* overlapped) { return object_->get()->GetConnectionRequest(waiting, overlapped); });
}

void Nd1Listener::cancel() { cancel_all(*object_); }

}  // namespace opennd::conformance::nd1
