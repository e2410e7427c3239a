// SPDX-License-Identifier: MIT
// The smallest program: it opens the adapter of an address, and prints one of its limits.
#include <arpa/inet.h>
#include <ndsupport.h>

#include <cstdio>

int main() {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    IND2Adapter* adapter = nullptr;
    if (FAILED(NdStartup())) return 1;
    if (FAILED(NdOpenAdapter(IID_IND2Adapter, reinterpret_cast<sockaddr*>(&address), sizeof address,
                             reinterpret_cast<void**>(&adapter))))
        return 2;
    ND2_ADAPTER_INFO limits{};
    limits.InfoVersion = ND_VERSION_2;
    ULONG bytes = sizeof limits;
    if (FAILED(adapter->Query(&limits, &bytes))) return 3;
    std::printf("a queue pair takes up to %u requests\n", static_cast<unsigned>(limits.MaxInitiatorQueueDepth));
    adapter->Release();
    return FAILED(NdCleanup());
}
