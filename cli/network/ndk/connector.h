// SPDX-License-Identifier: MIT
//
// NdkConnector: an NDK_CONNECTOR, made for connecting or handed out by a listener, with its disconnect event as a request.
#pragma once

#include "network/ndk/adapter.h"
#include "network/ndk/requests.h"

#include <mutex>

namespace nd {

class NdkConnector final : public NdkRequests {
public:
    explicit NdkConnector(const NdkAdapter& adapter) : adapter_(adapter) {}
    ~NdkConnector();

    // Takes over one that came with a request of a peer.
    void adopt(Owned<NDK_CONNECTOR> incoming) { connector_ = std::move(incoming); }

    // From an address of the adapter; the port of `source` is 0. `reads` in progress at a time, in each direction.
    HRESULT Connect(NDK_QP* queue_pair, const SocketAddress& source, const SocketAddress& destination, ULONG reads,
                    const VOID* data, SIZE_T bytes, OVERLAPPED* request);
    HRESULT CompleteConnect(OVERLAPPED* request);
    HRESULT Accept(NDK_QP* queue_pair, ULONG reads, const VOID* data, SIZE_T bytes, OVERLAPPED* request);
    HRESULT Reject(const VOID* data, SIZE_T bytes);
    HRESULT GetPrivateData(VOID* data, SIZE_T& bytes) const;
    // Ends a connection that was established, when the peer has ended its side, too; a success where it was first, and
    // all is over.
    HRESULT Disconnect(OVERLAPPED* request);
    // Completes when the peer has ended the connection, not when this side has.
    HRESULT NotifyDisconnect(OVERLAPPED* request);
    HRESULT transport(char* name, SIZE_T name_bytes, char* path, SIZE_T path_bytes) const;

    void CancelOverlappedRequests() override;

private:
    static VOID peer_gone(PVOID connector);
    const NDK_CONNECTOR_DISPATCH& call() const { return *connector_->Dispatch; }

    const NdkAdapter& adapter_;

    std::mutex mutex_;
    bool peer_gone_ = false;         // guarded by mutex_
    OVERLAPPED* watcher_ = nullptr;  // guarded by mutex_; of NotifyDisconnect, until it is over

    Owned<NDK_CONNECTOR> connector_;  // none before Connect or adopt()
    bool given_up_ = false;           // closing_ is for it
    NdkClose closing_;
};

}  // namespace nd
