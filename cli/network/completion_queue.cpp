// SPDX-License-Identifier: MIT
//
// Read completion_queue.h first.
#include "network/completion_queue.h"

#include "interruption.h"
#include "nd_error.h"

#include <stdexcept>

namespace nd {
namespace {

const char* method_of(ND2_REQUEST_TYPE type) {
    switch (type) {
        case Nd2RequestTypeReceive: return "IND2QueuePair::Receive";
        case Nd2RequestTypeSend: return "IND2QueuePair::Send";
        case Nd2RequestTypeBind: return "IND2QueuePair::Bind";
        case Nd2RequestTypeInvalidate: return "IND2QueuePair::Invalidate";
        case Nd2RequestTypeRead: return "IND2QueuePair::Read";
        case Nd2RequestTypeWrite: return "IND2QueuePair::Write";
    }
    return "request of an unknown type";
}

}  // namespace

CompletionQueue::CompletionQueue(const Adapter& adapter, ULONG depth) {
    check(adapter->CreateCompletionQueue(IID_IND2CompletionQueue, adapter.overlapped_file(), depth, 0, 0, queue_.put()),
          "make a completion queue of depth " + std::to_string(depth), "IND2Adapter::CreateCompletionQueue");
}

void CompletionQueue::look_around() const {
    if (stop_on_interrupt_ && interrupted()) throw Interrupted();
    for (const Connection* connection : watched_)
        if (connection->lost())
            throw std::runtime_error("the other side ended the connection before the test was over");
}

void CompletionQueue::fail(const ND2_RESULT& result, const char* attempted) {
    throw NdError(result.Status, attempted, std::string(method_of(result.RequestType)) + ", its result");
}

void CompletionQueue::wait_for_event() {
    // A result that came since the last look completes the request at once (ND2-CQ-NTF-02).
    HRESULT submitted = queue_->Notify(ND_CQ_NOTIFY_ANY, notice_.overlapped());
    check(notice_.wait(queue_.get(), submitted, [this] { look_around(); }), "wait for a completion",
          "IND2CompletionQueue::Notify");
}

}  // namespace nd
