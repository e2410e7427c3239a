/* SPDX-License-Identifier: MIT
 * Each may name as many pages as a piece can touch. */
#include "connection/region_pool.h"

#include "adapter/pending.h"

static NTSTATUS CreateRegion(REGION* Region, NDK_PD* Domain) {
    PENDING Pending;
    NTSTATUS Status;
    PendingBegin(&Pending);
    Status = PendingWait(&Pending, Domain->Dispatch->NdkCreateMr(Domain, TRUE, PendingCreated, &Pending, &Region->Mr));
    if (!NT_SUCCESS(Status)) return Status;
    Region->Mr = PENDING_OBJECT(&Pending, Region->Mr);
    PendingBegin(&Pending);
    Status = PendingWait(&Pending, Region->Mr->Dispatch->NdkInitializeFastRegisterMr(Region->Mr, PIECE_PAGES, TRUE,
                                                                                     PendingEnded, &Pending));
    if (NT_SUCCESS(Status)) Region->Token = Region->Mr->Dispatch->NdkGetRemoteTokenFromMr(Region->Mr);
    return Status;
}

NTSTATUS RegionPoolCreate(REGION_POOL* Pool, ADAPTER* Adapter) {
    ULONG i;
    NTSTATUS Status = STATUS_SUCCESS;
    RtlZeroMemory(Pool, sizeof *Pool);
    KeInitializeSpinLock(&Pool->Lock);
    for (i = 0; i < REGIONS && NT_SUCCESS(Status); ++i) {
        Status = CreateRegion(&Pool->Regions[i], Adapter->Domain);
        if (NT_SUCCESS(Status)) RegionReturn(Pool, &Pool->Regions[i]);
    }
    if (!NT_SUCCESS(Status)) RegionPoolDestroy(Pool);
    return Status;
}

VOID RegionPoolDestroy(REGION_POOL* Pool) {
    ULONG i;
    for (i = 0; i < REGIONS; ++i)
        if (Pool->Regions[i].Mr != NULL)
            PendingClose(Pool->Regions[i].Mr->Dispatch->NdkCloseMr, &Pool->Regions[i].Mr->Header);
    RtlZeroMemory(Pool, sizeof *Pool);
}

REGION* RegionTake(REGION_POOL* Pool) {
    SINGLE_LIST_ENTRY* const First = ExInterlockedPopEntryList(&Pool->Free, &Pool->Lock);
    return First == NULL ? NULL : CONTAINING_RECORD(First, REGION, Link);
}

VOID RegionReturn(REGION_POOL* Pool, REGION* Region) {
    ExInterlockedPushEntryList(&Pool->Free, &Region->Link, &Pool->Lock);
}

UINT64 RegionAddress(const REGION* Region) { return (ULONG_PTR)(Region->Buffer->Bytes + Region->Offset); }

NTSTATUS RegionRegister(REGION* Region, NDK_QP* QueuePair, WORK* Work, ULONG Flags) {
    const ULONG Place = Region->Buffer->FirstByte + Region->Offset;
    return QueuePair->Dispatch->NdkFastRegister(
        QueuePair, Work, Region->Mr, ADDRESS_AND_SIZE_TO_SPAN_PAGES(Place, Region->Length),
        &Region->Buffer->Pages->AdapterPageArray[Place / PAGE_SIZE], BYTE_OFFSET(Place), Region->Length,
        (PVOID)(ULONG_PTR)RegionAddress(Region), Region->Rights | Flags);
}

NTSTATUS RegionInvalidate(REGION* Region, NDK_QP* QueuePair, ULONG Flags) {
    return QueuePair->Dispatch->NdkInvalidate(QueuePair, &Region->Work, &Region->Mr->Header, Flags);
}
