/* SPDX-License-Identifier: MIT
 * The smallest program of NDKPI: opens the adapter of the loopback address, queries its limits, makes a protection
 * domain and closes both. C and, through ndk.cpp, C++. */
#include <arpa/inet.h>
#include <opennd_ndk.h>
#include <stdio.h>
#include <string.h>

static VOID closed(PVOID count) { ++*(int*)count; }

int main(void) {
    const NDK_VERSION version = {2, 1};
    struct sockaddr_in address;
    NDK_ADAPTER* adapter = NULL;
    NDK_ADAPTER_INFO info;
    ULONG bytes = sizeof info;
    NDK_PD* domain = NULL;
    UINT32 token = 0;
    int closes = 0;
    NTSTATUS status;
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    status = opennd_ndk_open_adapter_by_address(version, (const SOCKADDR*)&address, sizeof address, 0, &adapter);
    if (status != STATUS_SUCCESS) return 1;
    if (adapter->Dispatch->NdkQueryAdapterInfo(adapter, &info, &bytes) != STATUS_SUCCESS) return 2;
    if (adapter->Dispatch->NdkCreatePd(adapter, NULL, NULL, &domain) != STATUS_SUCCESS) return 3;
    domain->Dispatch->NdkGetPrivilegedMemoryRegionToken(domain, &token);
    status = domain->Dispatch->NdkClosePd(&domain->Header, closed, &closes);
    opennd_ndk_close_adapter(adapter);
    /* The adapter's close waits for the domain's: the callback has come if it was to come at all. */
    if (closes != (status == STATUS_PENDING ? 1 : 0)) return 4;
    printf("NDK %u.%u, fast registrations of %u pages\n", info.Version.Major, info.Version.Minor,
           (unsigned)info.FRMRPageCount);
    return token == 0;
}
