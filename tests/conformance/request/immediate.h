// SPDX-License-Identifier: MIT
//
// Immediate data: the ends of a connection by the interfaces that have them.
#pragma once

#include <opennd_immediate.h>

#include <vector>

#include "conformance/vocabulary/fixture.h"
#include "conformance/vocabulary/nd2/objects.h"
#include "support/com_ptr.h"
#include "support/status.h"

namespace opennd::conformance {

using support::ComPtr;
using support::is;

// An adapter without immediate data has none of this: an RDMA device that speaks iWARP.
inline const char* lacks_immediate(Driver& driver) {
    const Endpoint end(driver, {});
    ComPtr<IND2ImmediateQueuePair> pair;
    const HRESULT asked =
        dynamic_cast<nd2::Nd2QueuePair&>(*end.queue_pair).get()->QueryInterface(IID_IND2ImmediateQueuePair, pair.out());
    return asked == E_NOINTERFACE ? "the device carries no immediate data (E_NOINTERFACE)" : nullptr;
}

// One end. The endpoint outlives it.
class ImmediateEnd {
public:
    explicit ImmediateEnd(Endpoint& end) : end_(end) {
        ask(dynamic_cast<nd2::Nd2QueuePair&>(*end.queue_pair).get(), IID_IND2ImmediateQueuePair, queue_pair_.out());
        ask(queue_of(*end.received), IID_IND2ImmediateCompletionQueue, received_.out());
        ask(queue_of(*end.initiated), IID_IND2ImmediateCompletionQueue, initiated_.out());
    }

    // Posts with one buffer, or with none if the length is 0.
    HRESULT send(Tag tag, std::size_t offset, std::size_t length, UINT32 immediate, ULONG flags = 0) {
        const ND2_SGE sge = piece(offset, length);
        return queue_pair_->SendWithImmediate(context(tag), &sge, length != 0, flags, immediate);
    }
    HRESULT write(Tag tag, std::size_t offset, std::size_t length, Remote to, UINT32 immediate, ULONG flags = 0) {
        const ND2_SGE sge = piece(offset, length);
        return queue_pair_->WriteWithImmediate(context(tag), &sge, length != 0, to.address, to.token, flags, immediate);
    }

    // The next result, or one of status ND_PENDING: there is none by the deadline.
    ND2_IMMEDIATE_RESULT received() { return next(*received_.get()); }
    ND2_IMMEDIATE_RESULT initiated() { return next(*initiated_.get()); }
    IND2ImmediateQueuePair& queue_pair() { return *queue_pair_.get(); }

private:
    static IUnknown* queue_of(CompletionQueue& queue) { return dynamic_cast<nd2::Nd2CompletionQueue&>(queue).get(); }
    static void ask(IUnknown* object, REFIID iid, void** interface) {
        support::require(object->QueryInterface(iid, interface), S_OK, "QueryInterface");
    }
    static void* context(Tag tag) { return reinterpret_cast<void*>(tag); }
    ND2_SGE piece(std::size_t offset, std::size_t length) const {
        const Sge sge = end_.piece(offset, length);
        return {const_cast<void*>(sge.buffer), sge.length_bytes, sge.token};
    }
    static ND2_IMMEDIATE_RESULT next(IND2ImmediateCompletionQueue& queue) {
        ND2_IMMEDIATE_RESULT result{};
        result.Status = ND_PENDING;
        (void)wait_until([&] { return queue.GetImmediateResults(&result, 1) == 1; });
        return result;
    }

    Endpoint& end_;
    ComPtr<IND2ImmediateQueuePair> queue_pair_;
    ComPtr<IND2ImmediateCompletionQueue> received_, initiated_;
};

// Whether a result is a receive that succeeded, of this kind, with this length and these data.
inline testing::AssertionResult brought(const ND2_IMMEDIATE_RESULT& result, Tag tag, ND2_IMMEDIATE_REQUEST_TYPE type,
                                        std::size_t bytes, UINT32 data) {
    const auto got = reinterpret_cast<Tag>(result.RequestContext);
    if (result.Status == ND_SUCCESS && got == tag && result.RequestType == type && result.BytesTransferred == bytes &&
        result.ImmediateDataOrRKey == data)
        return testing::AssertionSuccess();
    return testing::AssertionFailure() << "request " << got << ", type " << result.RequestType << ", "
                                       << result.BytesTransferred << " bytes, data " << result.ImmediateDataOrRKey
                                       << ": " << support::status_text(result.Status);
}

inline testing::AssertionResult ended(const ND2_IMMEDIATE_RESULT& result, Tag tag, ND2_IMMEDIATE_REQUEST_TYPE type,
                                      HRESULT status) {
    const auto got = reinterpret_cast<Tag>(result.RequestContext);
    if (result.Status == status && got == tag && result.RequestType == type && result.ImmediateDataOrRKey == 0)
        return testing::AssertionSuccess();
    return testing::AssertionFailure() << "request " << got << ", type " << result.RequestType << ": "
                                       << support::status_text(result.Status);
}

}  // namespace opennd::conformance
