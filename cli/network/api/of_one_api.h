// SPDX-License-Identifier: MIT
//
// OfOneApi: one reference to an object of version 1, or to its counterpart of version 2 or of NDK. Most methods have the
// same name in all of them; call() is for those.
#pragma once

#include "network/api/com_ptr.h"
#include "network/ndk/requests.h"

#include <opennd.h>

#include <memory>

namespace nd {

template <typename Nd1, typename Nd2, typename Ndk>
struct OfOneApi {
    ComPtr<Nd1> nd1;
    ComPtr<Nd2> nd2;
    std::unique_ptr<Ndk> ndk;

    template <typename Call>
    HRESULT call(Call&& call) const {
        return nd1 ? call(*nd1.get()) : nd2 ? call(*nd2.get()) : call(*ndk);
    }
    void reset() {
        nd1.reset();
        nd2.reset();
        ndk.reset();
    }
};

// An object with overlapped requests, to cancel and await them. Borrowed.
class OverlappedObject {
public:
    OverlappedObject(INDOverlapped* nd1, IND2Overlapped* nd2, NdkRequests* ndk) : nd1_(nd1), nd2_(nd2), ndk_(ndk) {}
    template <typename Nd1, typename Nd2, typename Ndk>
    OverlappedObject(const OfOneApi<Nd1, Nd2, Ndk>& object)
        : nd1_(object.nd1.get()), nd2_(object.nd2.get()), ndk_(object.ndk.get()) {}

    void cancel() const {
        if (nd1_ != nullptr)
            nd1_->CancelOverlappedRequests();
        else if (nd2_ != nullptr)
            nd2_->CancelOverlappedRequests();
        else
            ndk_->CancelOverlappedRequests();
    }

    // The request's final status; waits for it.
    HRESULT result(OVERLAPPED* request) const {
        SIZE_T bytes = 0;
        if (nd1_ != nullptr) return nd1_->GetOverlappedResult(request, &bytes, 1);
        return nd2_ != nullptr ? nd2_->GetOverlappedResult(request, 1) : NdkRequests::result(request);
    }

private:
    INDOverlapped* nd1_;
    IND2Overlapped* nd2_;
    NdkRequests* ndk_;
};

}  // namespace nd
