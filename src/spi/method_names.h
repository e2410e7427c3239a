// SPDX-License-Identifier: MIT
// The methods of the interfaces in the order of their tables, behind those of IUnknown. tests/checks/method_names.py compares them with the headers.
#pragma once

#include <cstddef>

#include "ndspi.h"
#include "opennd_immediate.h"

namespace opennd {

// With one blank between them.
template <typename Interface>
inline constexpr const char* kMethodNames = nullptr;

constexpr std::size_t method_count(const char* names) {
    std::size_t count = *names ? 1 : 0;
    for (; *names; ++names) count += *names == ' ' ? 1 : 0;
    return count;
}

template <>
inline constexpr const char* kMethodNames<IClassFactory> = "CreateInstance LockServer";
template <>
inline constexpr const char* kMethodNames<IND2Overlapped> = "CancelOverlappedRequests GetOverlappedResult";
template <>
inline constexpr const char* kMethodNames<IND2CompletionQueue> =
    "CancelOverlappedRequests GetOverlappedResult GetNotifyAffinity Resize Notify GetResults";
template <>
inline constexpr const char* kMethodNames<IND2ImmediateCompletionQueue> =
    "CancelOverlappedRequests GetOverlappedResult GetNotifyAffinity Resize Notify GetResults GetImmediateResults";
template <>
inline constexpr const char* kMethodNames<IND2SharedReceiveQueue> =
    "CancelOverlappedRequests GetOverlappedResult GetNotifyAffinity Modify Notify Receive";
template <>
inline constexpr const char* kMethodNames<IND2MemoryWindow> = "GetRemoteToken";
template <>
inline constexpr const char* kMethodNames<IND2MemoryRegion> =
    "CancelOverlappedRequests GetOverlappedResult Register Deregister GetLocalToken GetRemoteToken";
template <>
inline constexpr const char* kMethodNames<IND2QueuePair> = "Flush Send Receive Bind Invalidate Read Write";
template <>
inline constexpr const char* kMethodNames<IND2ImmediateQueuePair> =
    "Flush Send Receive Bind Invalidate Read Write SendWithImmediate WriteWithImmediate";
template <>
inline constexpr const char* kMethodNames<IND2Connector> =
    "CancelOverlappedRequests GetOverlappedResult Bind Connect CompleteConnect Accept Reject GetReadLimits "
    "GetPrivateData GetLocalAddress GetPeerAddress NotifyDisconnect Disconnect";
template <>
inline constexpr const char* kMethodNames<IND2Listener> =
    "CancelOverlappedRequests GetOverlappedResult Bind Listen GetLocalAddress GetConnectionRequest";
template <>
inline constexpr const char* kMethodNames<IND2Adapter> =
    "CreateOverlappedFile Query QueryAddressList CreateCompletionQueue CreateMemoryRegion CreateMemoryWindow "
    "CreateSharedReceiveQueue CreateQueuePair CreateQueuePairWithSrq CreateConnector CreateListener";
template <>
inline constexpr const char* kMethodNames<IND2Provider> = "QueryAddressList ResolveAddress OpenAdapter";
template <>
inline constexpr const char* kMethodNames<INDCompletionQueue> =
    "CancelOverlappedRequests GetOverlappedResult Resize Notify GetResults";
template <>
inline constexpr const char* kMethodNames<INDMemoryWindow> = "";
template <>
inline constexpr const char* kMethodNames<INDEndpoint> =
    "Flush StartRequestBatch SubmitRequestBatch Send SendAndInvalidate Receive Bind Invalidate Read Write";
template <>
inline constexpr const char* kMethodNames<INDConnector> =
    "CancelOverlappedRequests GetOverlappedResult CreateEndpoint Connect CompleteConnect Accept Reject "
    "GetConnectionData GetLocalAddress GetPeerAddress NotifyDisconnect Disconnect";
template <>
inline constexpr const char* kMethodNames<INDListen> =
    "CancelOverlappedRequests GetOverlappedResult GetConnectionRequest";
template <>
inline constexpr const char* kMethodNames<INDAdapter> =
    "CancelOverlappedRequests GetOverlappedResult GetFileHandle Query Control CreateCompletionQueue RegisterMemory "
    "DeregisterMemory CreateMemoryWindow CreateConnector Listen";
template <>
inline constexpr const char* kMethodNames<INDProvider> = "QueryAddressList OpenAdapter";

}  // namespace opennd
