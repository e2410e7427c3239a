// SPDX-License-Identifier: MIT
//
// Translation between the vocabulary and version 2. Nothing here decides anything.
#include "conformance/vocabulary/nd2/objects.h"

#include "support/status.h"

namespace opennd::conformance::nd2 {
namespace {

void* context_of(Tag tag) { return reinterpret_cast<void*>(tag); }

std::vector<ND2_SGE> sges_of(SgeList sges) {
    std::vector<ND2_SGE> list;
    for (const Sge& sge : sges) list.push_back({const_cast<void*>(sge.buffer), sge.length_bytes, sge.token});
    return list;
}

ULONG flags_of(unsigned flags) {
    ULONG bits = 0;
    if (flags & kSilent) bits |= ND_OP_FLAG_SILENT_SUCCESS;
    if (flags & kReadFence) bits |= ND_OP_FLAG_READ_FENCE;
    if (flags & kSolicit) bits |= ND_OP_FLAG_SEND_AND_SOLICIT_EVENT;
    if (flags & kInline) bits |= ND_OP_FLAG_INLINE;
    if (flags & kAllowRead) bits |= ND_OP_FLAG_ALLOW_READ;
    if (flags & kAllowWrite) bits |= ND_OP_FLAG_ALLOW_WRITE;
    return bits;
}

ULONG rights_of(unsigned rights) {
    ULONG bits = 0;
    if (rights & kLocalWrite) bits |= ND_MR_FLAG_ALLOW_LOCAL_WRITE;
    if (rights & kRemoteRead) bits |= ND_MR_FLAG_ALLOW_REMOTE_READ;
    if (rights & kRemoteWrite) bits |= ND_MR_FLAG_ALLOW_REMOTE_WRITE;
    if (rights & kReadSink) bits |= ND_MR_FLAG_RDMA_READ_SINK;
    return bits;
}

RequestKind kind_of(ND2_REQUEST_TYPE type) {
    switch (type) {
        case Nd2RequestTypeReceive: return RequestKind::receive;
        case Nd2RequestTypeSend: return RequestKind::send;
        case Nd2RequestTypeBind: return RequestKind::bind;
        case Nd2RequestTypeInvalidate: return RequestKind::invalidate;
        case Nd2RequestTypeRead: return RequestKind::read;
        case Nd2RequestTypeWrite: return RequestKind::write;
    }
    ADD_FAILURE() << "a result of unknown request type " << static_cast<int>(type);
    return RequestKind::receive;
}

ND2_REQUEST_TYPE plain_type_of(ND2_IMMEDIATE_REQUEST_TYPE type) {
    switch (type) {
        case Nd2ImmediateRequestTypeSend: return Nd2RequestTypeSend;
        case Nd2ImmediateRequestTypeBind: return Nd2RequestTypeBind;
        case Nd2ImmediateRequestTypeInvalidate: return Nd2RequestTypeInvalidate;
        case Nd2ImmediateRequestTypeRead: return Nd2RequestTypeRead;
        case Nd2ImmediateRequestTypeWrite: return Nd2RequestTypeWrite;
        default: return Nd2RequestTypeReceive;
    }
}

// The immediate data of a Send of this length.
UINT32 immediate_of(std::size_t bytes) { return 0xA5000000u ^ static_cast<UINT32>(bytes); }

ULONG size_of(const PrivateData& data) { return static_cast<ULONG>(data.size()); }
const void* start_of(const PrivateData& data) { return data.empty() ? nullptr : data.data(); }

}  // namespace

Nd2CompletionQueue::Nd2CompletionQueue(support::ComPtr<IND2CompletionQueue> object)
    : ComCompletionQueue(std::move(object)) {
    (void)object_->QueryInterface(IID_IND2ImmediateCompletionQueue, immediate_.out());
}

ULONG Nd2CompletionQueue::take(std::vector<ND2_RESULT>& results) {
    const auto most = static_cast<ULONG>(results.size());
    if (!immediate_ || ++polls_ % 2 != 0) return object_->GetResults(results.data(), most);
    std::vector<ND2_IMMEDIATE_RESULT> told(most);
    const ULONG count = immediate_->GetImmediateResults(told.data(), most);
    for (ULONG i = 0; i < count && i < most; ++i) {
        if (told[i].RequestType == Nd2ImmediateRequestTypeReceiveWithImmediate) {
            EXPECT_EQ(told[i].ImmediateDataOrRKey, immediate_of(told[i].BytesTransferred));
        }
        results[i] = {told[i].Status, told[i].BytesTransferred, told[i].QueuePairContext, told[i].RequestContext,
                      plain_type_of(told[i].RequestType)};
    }
    return count;
}

std::vector<Completion> Nd2CompletionQueue::poll(std::size_t most) {
    std::vector<ND2_RESULT> results(most);
    const ULONG count = take(results);
    std::vector<Completion> completions;
    for (ULONG i = 0; i < count && i < most; ++i) {
        EXPECT_TRUE(may_report(results[i].RequestType, results[i].Status))
            << support::status_text(results[i].Status) << " of a request of type " << results[i].RequestType;
        const bool received = results[i].RequestType == Nd2RequestTypeReceive;  // all faces report these bytes
        completions.push_back({outcome_of(results[i].Status), received ? results[i].BytesTransferred : 0,
                               reinterpret_cast<Tag>(results[i].QueuePairContext),
                               reinterpret_cast<Tag>(results[i].RequestContext), kind_of(results[i].RequestType)});
    }
    EXPECT_LE(count, most) << "GetResults returned more than it was asked for";
    return completions;
}

Operation Nd2MemoryRegion::enroll(const void* memory, std::size_t bytes, unsigned rights) {
    return object_.begin(
        [&](OVERLAPPED* overlapped) { return object_->Register(memory, bytes, rights_of(rights), overlapped); });
}

Operation Nd2MemoryRegion::withdraw() {
    return object_.begin([&](OVERLAPPED* overlapped) { return object_->Deregister(overlapped); });
}

Outcome Nd2SharedReceiveQueue::receive(Tag tag, SgeList sges) {
    const auto list = sges_of(sges);
    return outcome_of(object_->Receive(context_of(tag), list.data(), static_cast<ULONG>(list.size())));
}

Operation Nd2SharedReceiveQueue::notify() {
    return object_.begin([&](OVERLAPPED* overlapped) { return object_->Notify(overlapped); });
}

void Nd2SharedReceiveQueue::cancel() { cancel_all(object_); }

Nd2QueuePair::Nd2QueuePair(support::ComPtr<IND2QueuePair> object) : object_(std::move(object)) {
    (void)object_->QueryInterface(IID_IND2ImmediateQueuePair, immediate_.out());
}

Outcome Nd2QueuePair::send(Tag tag, SgeList sges, unsigned flags) {
    const auto list = sges_of(sges);
    if (immediate_ && (flags & kImmediate) != 0) {
        std::size_t bytes = 0;
        for (const Sge& sge : sges) bytes += sge.length_bytes;
        return outcome_of(immediate_->SendWithImmediate(context_of(tag), list.data(), static_cast<ULONG>(list.size()),
                                                        flags_of(flags), immediate_of(bytes)));
    }
    return outcome_of(object_->Send(context_of(tag), list.data(), static_cast<ULONG>(list.size()), flags_of(flags)));
}

Outcome Nd2QueuePair::receive(Tag tag, SgeList sges) {
    const auto list = sges_of(sges);
    return outcome_of(object_->Receive(context_of(tag), list.data(), static_cast<ULONG>(list.size())));
}

Outcome Nd2QueuePair::read(Tag tag, SgeList sges, Remote from, unsigned flags) {
    const auto list = sges_of(sges);
    return outcome_of(object_->Read(context_of(tag), list.data(), static_cast<ULONG>(list.size()), from.address,
                                    from.token, flags_of(flags)));
}

Outcome Nd2QueuePair::write(Tag tag, SgeList sges, Remote to, unsigned flags) {
    const auto list = sges_of(sges);
    return outcome_of(object_->Write(context_of(tag), list.data(), static_cast<ULONG>(list.size()), to.address,
                                     to.token, flags_of(flags)));
}

Outcome Nd2QueuePair::bind(Tag tag, MemoryRegion& region, MemoryWindow& window, const void* memory, std::size_t bytes,
                           unsigned flags) {
    return outcome_of(object_->Bind(context_of(tag), dynamic_cast<Nd2MemoryRegion&>(region).get(),
                                    dynamic_cast<Nd2MemoryWindow&>(window).get(), memory, bytes, flags_of(flags)));
}

Outcome Nd2QueuePair::invalidate(Tag tag, MemoryWindow& window, unsigned flags) {
    return outcome_of(
        object_->Invalidate(context_of(tag), dynamic_cast<Nd2MemoryWindow&>(window).get(), flags_of(flags)));
}

Outcome Nd2Connector::bind(const SocketAddress& local) {
    return outcome_of(object_->Bind(support::as_sockaddr(local), sizeof local));
}

Operation Nd2Connector::connect(QueuePair& queue_pair, const SocketAddress& peer, ReadLimits limits,
                                const PrivateData& data) {
    IND2QueuePair* pair = dynamic_cast<Nd2QueuePair&>(queue_pair).get();
    return object_.begin([&](OVERLAPPED* overlapped) {
        return object_->Connect(pair, support::as_sockaddr(peer), sizeof peer, limits.inbound, limits.outbound,
                                start_of(data), size_of(data), overlapped);
    });
}

Operation Nd2Connector::accept(QueuePair& queue_pair, ReadLimits limits, const PrivateData& data) {
    IND2QueuePair* pair = dynamic_cast<Nd2QueuePair&>(queue_pair).get();
    return object_.begin([&](OVERLAPPED* overlapped) {
        return object_->Accept(pair, limits.inbound, limits.outbound, start_of(data), size_of(data), overlapped);
    });
}

Outcome Nd2Connector::reject(const PrivateData& data) {
    return outcome_of(object_->Reject(start_of(data), size_of(data)));
}

Outcome Nd2Connector::read_limits(ReadLimits& limits) {
    return outcome_of(object_->GetReadLimits(&limits.inbound, &limits.outbound));
}

Outcome Nd2Connector::private_data(PrivateData& data) {
    ULONG length = 0;
    const HRESULT asked = object_->GetPrivateData(nullptr, &length);
    data.assign(length, std::byte{0});
    if (asked != ND_BUFFER_OVERFLOW) return outcome_of(asked);
    return outcome_of(object_->GetPrivateData(data.data(), &length));
}

Outcome Nd2Listener::bind(const SocketAddress& local) {
    return outcome_of(object_->Bind(support::as_sockaddr(local), sizeof local));
}

Outcome Nd2Listener::local_address(SocketAddress& address) {
    ULONG length = sizeof address;
    return outcome_of(object_->GetLocalAddress(support::as_sockaddr(address), &length));
}

Operation Nd2Listener::get_request(Connector& connector) {
    IND2Connector* taker = dynamic_cast<Nd2Connector&>(connector).get();
    return object_.begin([&](OVERLAPPED* overlapped) { return object_->GetConnectionRequest(taker, overlapped); });
}

void Nd2Listener::cancel() { cancel_all(object_); }

}  // namespace opennd::conformance::nd2
