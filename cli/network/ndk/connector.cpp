// SPDX-License-Identifier: MIT
//
// Read connector.h first.
#include "network/ndk/connector.h"

namespace nd {
namespace {

// The tables take addresses and private data by pointers to non-const data, and do not write there.
PSOCKADDR argument(const SocketAddress& address) { return const_cast<PSOCKADDR>(address.data()); }
PVOID argument(const VOID* data) { return const_cast<PVOID>(data); }

}  // namespace

NdkConnector::~NdkConnector() {
    if (given_up_)
        closing_.wait();
    else
        connector_.close_and_wait();
}

HRESULT NdkConnector::Connect(NDK_QP* queue_pair, const SocketAddress& source, const SocketAddress& destination,
                              ULONG reads, const VOID* data, SIZE_T bytes, OVERLAPPED* request) {
    if (!connector_) {
        const NTSTATUS made = adapter_.call().NdkCreateConnector(adapter_.get(), nullptr, nullptr, connector_.put());
        if (made != STATUS_SUCCESS) return made;
    }
    begin(request);
    return call().NdkConnect(connector_.get(), queue_pair, argument(source), source.length(), argument(destination),
                             destination.length(), reads, reads, argument(data), static_cast<ULONG>(bytes), complete,
                             request);
}

HRESULT NdkConnector::CompleteConnect(OVERLAPPED* request) {
    begin(request);
    return call().NdkCompleteConnect(connector_.get(), peer_gone, this, complete, request);
}

HRESULT NdkConnector::Accept(NDK_QP* queue_pair, ULONG reads, const VOID* data, SIZE_T bytes, OVERLAPPED* request) {
    begin(request);
    return call().NdkAccept(connector_.get(), queue_pair, reads, reads, argument(data), static_cast<ULONG>(bytes),
                            peer_gone, this, complete, request);
}

HRESULT NdkConnector::Reject(const VOID* data, SIZE_T bytes) {
    return call().NdkReject(connector_.get(), argument(data), static_cast<ULONG>(bytes));
}

HRESULT NdkConnector::GetPrivateData(VOID* data, SIZE_T& bytes) const {
    auto length = static_cast<ULONG>(bytes);
    const NTSTATUS status = call().NdkGetConnectionData(connector_.get(), nullptr, nullptr, data, &length);
    bytes = length;
    // A call without a buffer gets the length by a success here, and by this status in version 2.
    return status == STATUS_SUCCESS && data == nullptr && length != 0 ? ND_BUFFER_OVERFLOW : status;
}

HRESULT NdkConnector::Disconnect(OVERLAPPED* request) {
    begin(request);
    const NTSTATUS status = call().NdkDisconnect(connector_.get(), complete, request);
    return status == STATUS_CONNECTION_INVALID ? ND_SUCCESS : status;
}

HRESULT NdkConnector::NotifyDisconnect(OVERLAPPED* request) {
    begin(request);
    const std::lock_guard lock(mutex_);
    if (peer_gone_)
        complete(request, STATUS_SUCCESS);
    else
        watcher_ = request;
    return ND_PENDING;
}

HRESULT NdkConnector::transport(char* name, SIZE_T name_bytes, char* path, SIZE_T path_bytes) const {
    return opennd_ndk_connection_transport(connector_.get(), name, name_bytes, path, path_bytes);
}

// Only a close cancels pending requests; the callbacks come all the same.
void NdkConnector::CancelOverlappedRequests() {
    if (given_up_) return;
    given_up_ = true;
    connector_.begin_close(closing_);
    const std::lock_guard lock(mutex_);
    if (watcher_ != nullptr) complete(std::exchange(watcher_, nullptr), STATUS_CANCELLED);
}

VOID NdkConnector::peer_gone(PVOID context) {
    auto& connector = *static_cast<NdkConnector*>(context);
    const std::lock_guard lock(connector.mutex_);
    connector.peer_gone_ = true;
    if (connector.watcher_ != nullptr) complete(std::exchange(connector.watcher_, nullptr), STATUS_SUCCESS);
}

}  // namespace nd
