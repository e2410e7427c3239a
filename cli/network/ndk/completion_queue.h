// SPDX-License-Identifier: MIT
//
// NdkCompletionQueue: an NDK_CQ that takes results as version 2 gives them, and whose notification ends a Notify request.
#pragma once

#include "network/ndk/adapter.h"
#include "network/ndk/requests.h"

#include <atomic>
#include <bit>
#include <memory>

namespace nd {

class NdkCompletionQueue final : public NdkRequests {
public:
    static constexpr ULONG kMostResults = 32;

    // Makes a completion queue; statuses as NdkCreateCq.
    static HRESULT make(const NdkAdapter& adapter, ULONG depth, std::unique_ptr<NdkCompletionQueue>& made);
    ~NdkCompletionQueue() { queue_.close_and_wait(); }

    NDK_CQ* get() const { return queue_.get(); }

    // capacity: at most kMostResults.
    ULONG GetResults(ND2_RESULT results[], ULONG capacity) {
        NDK_RESULT_EX taken[kMostResults];
        const ULONG count = queue_->Dispatch->NdkGetCqResultsEx(queue_.get(), taken, capacity);
        for (ULONG i = 0; i < count; i++)
            results[i] = {taken[i].Status, taken[i].BytesTransferred, taken[i].QPContext, taken[i].RequestContext,
                          type_of_version_2(taken[i].Type)};
        return count;
    }

    // One at a time.
    HRESULT Notify(ULONG type, OVERLAPPED* request);
    void CancelOverlappedRequests() override;

private:
    NdkCompletionQueue() = default;

    // Types of NDK are the bits of those of version 2, but for that of fast registrations, which stand before the
    // others. Peers send this command no invalidations, and it registers nothing fast.
    static ND2_REQUEST_TYPE type_of_version_2(NDK_OPERATION_TYPE type) {
        const int bit = std::countr_zero(static_cast<unsigned>(type));
        return static_cast<ND2_REQUEST_TYPE>(type < NdkOperationTypeFastRegister ? bit : bit - 1);
    }
    static VOID notified(PVOID queue, NTSTATUS status);

    std::atomic<OVERLAPPED*> request_{nullptr};  // the thread that takes it out completes it
    Owned<NDK_CQ> queue_;
};

static_assert(Nd2RequestTypeReceive == 0 && Nd2RequestTypeSend == 1 && Nd2RequestTypeBind == 2 &&
              Nd2RequestTypeInvalidate == 3 && Nd2RequestTypeRead == 4 && Nd2RequestTypeWrite == 5);
static_assert(NdkOperationTypeReceive == 1 << 0 && NdkOperationTypeSend == 1 << 1 && NdkOperationTypeBind == 1 << 3 &&
              NdkOperationTypeInvalidate == 1 << 4 && NdkOperationTypeRead == 1 << 5 &&
              NdkOperationTypeWrite == 1 << 6);

}  // namespace nd
