/* SPDX-License-Identifier: MIT
 * Opens, looks whether it will do, and makes the domain. */
#include "adapter/adapter.h"

#include "adapter/pending.h"

static NTSTATUS Query(ADAPTER* Adapter) {
    ULONG Bytes = sizeof Adapter->Info;
    const NTSTATUS Status = Adapter->Ndk->Dispatch->NdkQueryAdapterInfo(Adapter->Ndk, &Adapter->Info, &Bytes);
    if (!NT_SUCCESS(Status)) return Status;
    /* The server reads into memory that it names with the privileged token. */
    return (Adapter->Info.AdapterFlags & NDK_ADAPTER_FLAG_RDMA_READ_SINK_NOT_REQUIRED) != 0 ? STATUS_SUCCESS
                                                                                            : STATUS_NOT_SUPPORTED;
}

static NTSTATUS CreateDomain(ADAPTER* Adapter) {
    PENDING Pending;
    NTSTATUS Status;
    PendingBegin(&Pending);
    Status = PendingWait(&Pending,
                         Adapter->Ndk->Dispatch->NdkCreatePd(Adapter->Ndk, PendingCreated, &Pending, &Adapter->Domain));
    if (!NT_SUCCESS(Status)) return Status;
    Adapter->Domain = PENDING_OBJECT(&Pending, Adapter->Domain);
    Adapter->Domain->Dispatch->NdkGetPrivilegedMemoryRegionToken(Adapter->Domain, &Adapter->PrivilegedToken);
    return STATUS_SUCCESS;
}

NTSTATUS AdapterOpen(ADAPTER* Adapter, PROVIDER* Provider, NET_IFINDEX Index) {
    const NDK_VERSION Version = {1, 2};
    NTSTATUS Status;
    RtlZeroMemory(Adapter, sizeof *Adapter);
    Adapter->Provider = Provider;
    Status = Provider->Ndk.WskOpenNdkAdapter(Provider->Wsk.Client, Version, Index, &Adapter->Ndk);
    if (!NT_SUCCESS(Status)) return Status;
    Status = Query(Adapter);
    if (NT_SUCCESS(Status)) Status = CreateDomain(Adapter);
    if (!NT_SUCCESS(Status)) Provider->Ndk.WskCloseNdkAdapter(Provider->Wsk.Client, Adapter->Ndk);
    return Status;
}

VOID AdapterClose(ADAPTER* Adapter) {
    PendingCloseLater(Adapter->Domain->Dispatch->NdkClosePd, &Adapter->Domain->Header);
    Adapter->Provider->Ndk.WskCloseNdkAdapter(Adapter->Provider->Wsk.Client, Adapter->Ndk);
}
