// SPDX-License-Identifier: MIT
//
// NdkListener: an NDK_LISTENER whose connect events end GetConnectionRequest requests, and wait for them.
#pragma once

#include "network/ndk/connector.h"

#include <deque>
#include <memory>

namespace nd {

class NdkListener final : public NdkRequests {
public:
    // Makes a listener; statuses as NdkCreateListener.
    static HRESULT make(const NdkAdapter& adapter, std::unique_ptr<NdkListener>& made);
    ~NdkListener();  // connectors that were given out are closed before

    HRESULT Listen(const SocketAddress& address);
    HRESULT GetLocalAddress(sockaddr* address, ULONG* bytes);

    // One at a time. `into` outlives the request.
    HRESULT GetConnectionRequest(NdkConnector& into, OVERLAPPED* request);
    void CancelOverlappedRequests() override;

private:
    NdkListener() = default;
    static VOID connecting(PVOID listener, NDK_CONNECTOR* incoming);
    void take(Owned<NDK_CONNECTOR> incoming);

    std::mutex mutex_;
    bool closing_ = false;                      // guarded by mutex_, as are those below
    NdkConnector* into_ = nullptr;              // with request_
    OVERLAPPED* request_ = nullptr;             // the thread that takes it out completes it
    std::deque<Owned<NDK_CONNECTOR>> waiting_;  // not asked for yet
    Owned<NDK_LISTENER> listener_;
};

}  // namespace nd
