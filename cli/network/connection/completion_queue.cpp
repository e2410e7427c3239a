// SPDX-License-Identifier: MIT
//
// Read completion_queue.h first.
#include "network/connection/completion_queue.h"

#include "interruption.h"
#include "nd_error.h"

#include <algorithm>
#include <stdexcept>

namespace nd {
namespace {

const char* name_of(ND2_REQUEST_TYPE type) {
    switch (type) {
        case Nd2RequestTypeReceive: return "Receive";
        case Nd2RequestTypeSend: return "Send";
        case Nd2RequestTypeBind: return "Bind";
        case Nd2RequestTypeInvalidate: return "Invalidate";
        case Nd2RequestTypeRead: return "Read";
        case Nd2RequestTypeWrite: return "Write";
    }
    return "request of an unknown type";
}

}  // namespace

CompletionQueue::CompletionQueue(const Adapter& adapter, ULONG depth) : adapter_(adapter) {
    check(make(depth), "make a completion queue of depth " + std::to_string(depth),
          adapter.method("Adapter::CreateCompletionQueue", "NdkCreateCq"));
}

HRESULT CompletionQueue::make(ULONG depth) {
    switch (adapter_.api()) {
        case Api::nd1: return adapter_.nd1()->CreateCompletionQueue(depth, object_.nd1.put_typed());
        case Api::ndk: return NdkCompletionQueue::make(*adapter_.ndk(), depth, object_.ndk);
        case Api::nd2: break;
    }
    return adapter_.nd2()->CreateCompletionQueue(IID_IND2CompletionQueue, adapter_.overlapped_file(), depth, 0, 0,
                                                 object_.nd2.put());
}

void CompletionQueue::look_around() {
    if (stop_on_interrupt_ && interrupted()) throw Interrupted();
    for (std::size_t looks = std::min(watched_.size(), kWatchedAtOnce); looks > 0; looks--) {
        watched_last_ = (watched_last_ + 1) % watched_.size();
        if (watched_[watched_last_]->lost())
            throw std::runtime_error("the other side ended the connection before the test was over");
    }
}

void CompletionQueue::fail(const ND2_RESULT& result, const char* attempted) {
    throw NdError(result.Status, attempted, std::string("the result of a ") + name_of(result.RequestType));
}

void CompletionQueue::wait_for_event() {
    // A result that came since the last look completes the request at once (ND2-CQ-NTF-02, ND1-CQ-NTF-05,
    // NDK-CQ-ARM-01).
    const HRESULT submitted =
        object_.call([this](auto& queue) { return queue.Notify(ND_CQ_NOTIFY_ANY, notice_.overlapped()); });
    check(notice_.wait(object_, submitted, [this] { look_around(); }), "wait for a completion",
          adapter_.method("CompletionQueue::Notify", "NdkArmCq"));
}

}  // namespace nd
