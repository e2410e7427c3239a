// SPDX-License-Identifier: MIT
//
// Either: one reference to an object of version 1 or to its counterpart of version 2. Most methods have the same name in
// both; call() is for those.
#pragma once

#include "network/com_ptr.h"

#include <opennd.h>

namespace nd {

template <typename Nd1, typename Nd2>
struct Either {
    ComPtr<Nd1> nd1;
    ComPtr<Nd2> nd2;

    template <typename Call>
    HRESULT call(Call&& call) const {
        return nd1 ? call(*nd1.get()) : call(*nd2.get());
    }
    void reset() {
        nd1.reset();
        nd2.reset();
    }
};

// What requests are made on, as far as ending them goes. Borrowed.
class OverlappedObject {
public:
    OverlappedObject(INDOverlapped* nd1, IND2Overlapped* nd2) : nd1_(nd1), nd2_(nd2) {}
    template <typename Nd1, typename Nd2>
    OverlappedObject(const Either<Nd1, Nd2>& object) : nd1_(object.nd1.get()), nd2_(object.nd2.get()) {}

    void cancel() const { nd1_ != nullptr ? nd1_->CancelOverlappedRequests() : nd2_->CancelOverlappedRequests(); }

    // The request's final status; waits for it.
    HRESULT result(OVERLAPPED* request) const {
        SIZE_T bytes = 0;
        return nd1_ != nullptr ? nd1_->GetOverlappedResult(request, &bytes, 1) : nd2_->GetOverlappedResult(request, 1);
    }

private:
    INDOverlapped* nd1_;
    IND2Overlapped* nd2_;
};

}  // namespace nd
