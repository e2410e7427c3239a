// SPDX-License-Identifier: MIT
//
// Prints the limits of the adapter of 127.0.0.1 as each interface's Query gives them, "STRUCTURE.Member number", for limits.py.
#include <arpa/inet.h>
#include <ndsupport.h>
#include <opennd_ndk.h>

#include <cstdio>
#include <cstdlib>

namespace {

sockaddr_in loopback() {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

void need(bool done, const char* step) {
    if (done) return;
    std::fprintf(stderr, "adapter_limits: %s failed\n", step);
    std::exit(EXIT_FAILURE);
}

template <typename Interface>
Interface* open(REFIID iid) {
    const sockaddr_in address = loopback();
    void* adapter = nullptr;
    need(SUCCEEDED(NdOpenAdapter(iid, reinterpret_cast<const sockaddr*>(&address), sizeof address, &adapter)),
         "NdOpenAdapter");
    return static_cast<Interface*>(adapter);
}

#define PRINT(structure, info, member) \
    std::printf(#structure "." #member " %llu\n", static_cast<unsigned long long>((info).member))

void print_version_2() {
    IND2Adapter* const adapter = open<IND2Adapter>(IID_IND2Adapter);
    ND2_ADAPTER_INFO info{};
    info.InfoVersion = ND_VERSION_2;
    ULONG bytes = sizeof info;
    need(SUCCEEDED(adapter->Query(&info, &bytes)), "IND2Adapter::Query");
    PRINT(ND2_ADAPTER_INFO, info, MaxRegistrationSize);
    PRINT(ND2_ADAPTER_INFO, info, MaxWindowSize);
    PRINT(ND2_ADAPTER_INFO, info, MaxInitiatorSge);
    PRINT(ND2_ADAPTER_INFO, info, MaxReceiveSge);
    PRINT(ND2_ADAPTER_INFO, info, MaxReadSge);
    PRINT(ND2_ADAPTER_INFO, info, MaxTransferLength);
    PRINT(ND2_ADAPTER_INFO, info, MaxInlineDataSize);
    PRINT(ND2_ADAPTER_INFO, info, MaxInboundReadLimit);
    PRINT(ND2_ADAPTER_INFO, info, MaxOutboundReadLimit);
    PRINT(ND2_ADAPTER_INFO, info, MaxReceiveQueueDepth);
    PRINT(ND2_ADAPTER_INFO, info, MaxInitiatorQueueDepth);
    PRINT(ND2_ADAPTER_INFO, info, MaxSharedReceiveQueueDepth);
    PRINT(ND2_ADAPTER_INFO, info, MaxCompletionQueueDepth);
    PRINT(ND2_ADAPTER_INFO, info, InlineRequestThreshold);
    PRINT(ND2_ADAPTER_INFO, info, LargeRequestThreshold);
    PRINT(ND2_ADAPTER_INFO, info, MaxCallerData);
    PRINT(ND2_ADAPTER_INFO, info, MaxCalleeData);
    need(info.AdapterFlags == (ND_ADAPTER_FLAG_IN_ORDER_DMA_SUPPORTED | ND_ADAPTER_FLAG_MULTI_ENGINE_SUPPORTED |
                               ND_ADAPTER_FLAG_CQ_RESIZE_SUPPORTED | ND_ADAPTER_FLAG_LOOPBACK_CONNECTIONS_SUPPORTED),
         "the comparison of AdapterFlags with those of docs/limits.md");
    adapter->Release();
}

void print_version_1() {
    INDAdapter* const adapter = open<INDAdapter>(IID_INDAdapter);
    ND_ADAPTER_INFO info{};
    SIZE_T bytes = sizeof info;
    need(SUCCEEDED(adapter->Query(1, &info, &bytes)), "INDAdapter::Query");
    PRINT(ND_ADAPTER_INFO, info, MaxInboundSge);
    PRINT(ND_ADAPTER_INFO, info, MaxInboundRequests);
    PRINT(ND_ADAPTER_INFO, info, MaxInboundLength);
    PRINT(ND_ADAPTER_INFO, info, MaxOutboundSge);
    PRINT(ND_ADAPTER_INFO, info, MaxOutboundRequests);
    PRINT(ND_ADAPTER_INFO, info, MaxOutboundLength);
    PRINT(ND_ADAPTER_INFO, info, MaxInlineData);
    PRINT(ND_ADAPTER_INFO, info, MaxInboundReadLimit);
    PRINT(ND_ADAPTER_INFO, info, MaxOutboundReadLimit);
    PRINT(ND_ADAPTER_INFO, info, MaxCqEntries);
    PRINT(ND_ADAPTER_INFO, info, MaxRegistrationSize);
    PRINT(ND_ADAPTER_INFO, info, MaxWindowSize);
    PRINT(ND_ADAPTER_INFO, info, LargeRequestThreshold);
    PRINT(ND_ADAPTER_INFO, info, MaxCallerData);
    PRINT(ND_ADAPTER_INFO, info, MaxCalleeData);
    adapter->Release();
}

void print_ndk() {
    const sockaddr_in address = loopback();
    NDK_ADAPTER* adapter = nullptr;
    need(NT_SUCCESS(opennd_ndk_open_adapter_by_address({2, 1}, reinterpret_cast<const sockaddr*>(&address),
                                                       sizeof address, 0, &adapter)),
         "opennd_ndk_open_adapter_by_address");
    NDK_ADAPTER_INFO info{};
    ULONG bytes = sizeof info;
    need(NT_SUCCESS(adapter->Dispatch->NdkQueryAdapterInfo(adapter, &info, &bytes)), "NdkQueryAdapterInfo");
    PRINT(NDK_ADAPTER_INFO, info, MaxRegistrationSize);
    PRINT(NDK_ADAPTER_INFO, info, MaxWindowSize);
    PRINT(NDK_ADAPTER_INFO, info, FRMRPageCount);
    PRINT(NDK_ADAPTER_INFO, info, MaxInitiatorRequestSge);
    PRINT(NDK_ADAPTER_INFO, info, MaxReceiveRequestSge);
    PRINT(NDK_ADAPTER_INFO, info, MaxReadRequestSge);
    PRINT(NDK_ADAPTER_INFO, info, MaxTransferLength);
    PRINT(NDK_ADAPTER_INFO, info, MaxInlineDataSize);
    PRINT(NDK_ADAPTER_INFO, info, MaxInboundReadLimit);
    PRINT(NDK_ADAPTER_INFO, info, MaxOutboundReadLimit);
    PRINT(NDK_ADAPTER_INFO, info, MaxReceiveQueueDepth);
    PRINT(NDK_ADAPTER_INFO, info, MaxInitiatorQueueDepth);
    PRINT(NDK_ADAPTER_INFO, info, MaxSrqDepth);
    PRINT(NDK_ADAPTER_INFO, info, MaxCqDepth);
    PRINT(NDK_ADAPTER_INFO, info, LargeRequestThreshold);
    PRINT(NDK_ADAPTER_INFO, info, MaxCallerData);
    PRINT(NDK_ADAPTER_INFO, info, MaxCalleeData);
    opennd_ndk_close_adapter(adapter);
}

}  // namespace

int main() {
    need(SUCCEEDED(NdStartup()), "NdStartup");
    print_version_2();
    print_version_1();
    print_ndk();
    return FAILED(NdCleanup());
}
