// SPDX-License-Identifier: MIT
//
// Read listener.h first.
#include "network/ndk/listener.h"

#include <utility>

namespace nd {

HRESULT NdkListener::make(const NdkAdapter& adapter, std::unique_ptr<NdkListener>& made) {
    std::unique_ptr<NdkListener> listener(new NdkListener);
    const NTSTATUS status = adapter.call().NdkCreateListener(adapter.get(), connecting, listener.get(), nullptr,
                                                             nullptr, listener->listener_.put());
    if (status == STATUS_SUCCESS) made = std::move(listener);
    return status;
}

// Its close is over when the connectors are closed that came from it.
NdkListener::~NdkListener() {
    NdkClose closed;
    std::deque<Owned<NDK_CONNECTOR>> unwanted;
    {
        const std::lock_guard lock(mutex_);
        closing_ = true;
        unwanted.swap(waiting_);
    }
    unwanted.clear();
    listener_.begin_close(closed);
    closed.wait();
}

HRESULT NdkListener::Listen(const SocketAddress& address) {
    return listener_->Dispatch->NdkListen(listener_.get(), const_cast<PSOCKADDR>(address.data()), address.length(),
                                          nullptr, nullptr);
}

HRESULT NdkListener::GetLocalAddress(sockaddr* address, ULONG* bytes) {
    return listener_->Dispatch->NdkGetLocalAddress(listener_.get(), address, bytes);
}

HRESULT NdkListener::GetConnectionRequest(NdkConnector& into, OVERLAPPED* request) {
    begin(request);
    const std::lock_guard lock(mutex_);
    if (waiting_.empty()) {
        into_ = &into;
        request_ = request;
        return ND_PENDING;
    }
    into.adopt(std::move(waiting_.front()));
    waiting_.pop_front();
    return ND_SUCCESS;
}

void NdkListener::CancelOverlappedRequests() {
    const std::lock_guard lock(mutex_);
    if (request_ != nullptr) complete(std::exchange(request_, nullptr), STATUS_CANCELLED);
}

VOID NdkListener::connecting(PVOID context, NDK_CONNECTOR* incoming) {
    static_cast<NdkListener*>(context)->take(Owned(incoming));
}

// A request without a taker is closed, which refuses it.
void NdkListener::take(Owned<NDK_CONNECTOR> incoming) {
    const std::lock_guard lock(mutex_);
    if (closing_) return;
    if (request_ == nullptr) return waiting_.push_back(std::move(incoming));
    into_->adopt(std::move(incoming));
    complete(std::exchange(request_, nullptr), STATUS_SUCCESS);
}

}  // namespace nd
