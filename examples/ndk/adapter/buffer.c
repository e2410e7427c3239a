/* SPDX-License-Identifier: MIT
 * The MDL is only needed while the mapping is built from it. */
#include "adapter/buffer.h"

#include "adapter/pending.h"

/* Asks for the size first. Mdl describes all of the buffer. */
static NTSTATUS BuildMapping(BUFFER* Buffer, PMDL Mdl) {
    NDK_ADAPTER* const Ndk = Buffer->Adapter->Ndk;
    PENDING Pending;
    ULONG Bytes = 0;
    NTSTATUS Status;
    PendingBegin(&Pending);
    Status = PendingWait(&Pending, Ndk->Dispatch->NdkBuildLAM(Ndk, Mdl, Buffer->Length, PendingEnded, &Pending, NULL,
                                                              &Bytes, &Buffer->FirstByte));
    if (Status != STATUS_BUFFER_TOO_SMALL) return NT_SUCCESS(Status) ? STATUS_INTERNAL_ERROR : Status;
    Buffer->Pages = ExAllocatePoolWithTag(NonPagedPoolNx, Bytes, EXAMPLE_TAG);
    if (Buffer->Pages == NULL) return STATUS_INSUFFICIENT_RESOURCES;
    PendingBegin(&Pending);
    Status = PendingWait(&Pending, Ndk->Dispatch->NdkBuildLAM(Ndk, Mdl, Buffer->Length, PendingEnded, &Pending,
                                                              Buffer->Pages, &Bytes, &Buffer->FirstByte));
    if (!NT_SUCCESS(Status)) {
        ExFreePoolWithTag(Buffer->Pages, EXAMPLE_TAG);
        Buffer->Pages = NULL;
    }
    return Status;
}

NTSTATUS BufferAllocate(BUFFER* Buffer, ADAPTER* Adapter, ULONG FirstByte, ULONG Length) {
    PMDL Mdl;
    NTSTATUS Status = STATUS_INSUFFICIENT_RESOURCES;
    RtlZeroMemory(Buffer, sizeof *Buffer);
    Buffer->Adapter = Adapter;
    Buffer->Length = Length;
    /* Whole pages, so that a mapping contains no other memory. */
    Buffer->Memory = ExAllocatePoolWithTag(NonPagedPoolNx, ROUND_TO_PAGES(FirstByte + Length), EXAMPLE_TAG);
    if (Buffer->Memory == NULL) return Status;
    RtlZeroMemory(Buffer->Memory, ROUND_TO_PAGES(FirstByte + Length));
    Buffer->Bytes = Buffer->Memory + FirstByte;
    Mdl = IoAllocateMdl(Buffer->Bytes, Length, FALSE, FALSE, NULL);
    if (Mdl != NULL) {
        MmBuildMdlForNonPagedPool(Mdl);
        Status = BuildMapping(Buffer, Mdl);
        IoFreeMdl(Mdl);
    }
    if (!NT_SUCCESS(Status)) BufferFree(Buffer);
    return Status;
}

VOID BufferFree(BUFFER* Buffer) {
    if (Buffer->Pages != NULL) {
        Buffer->Adapter->Ndk->Dispatch->NdkReleaseLAM(Buffer->Adapter->Ndk, Buffer->Pages);
        ExFreePoolWithTag(Buffer->Pages, EXAMPLE_TAG);
    }
    if (Buffer->Memory != NULL) ExFreePoolWithTag(Buffer->Memory, EXAMPLE_TAG);
    RtlZeroMemory(Buffer, sizeof *Buffer);
}

ULONG BufferDescribe(const BUFFER* Buffer, ULONG Offset, ULONG Length, NDK_SGE* List, ULONG Room, ULONG* Used) {
    ULONG Described = 0;
    *Used = 0;
    while (Described < Length) {
        const ULONG Place = Buffer->FirstByte + Offset + Described;
        const ULONG Bytes = min(Length - Described, PAGE_SIZE - BYTE_OFFSET(Place));
        const LONGLONG Address = Buffer->Pages->AdapterPageArray[Place / PAGE_SIZE].QuadPart + BYTE_OFFSET(Place);
        NDK_SGE* const Last = *Used == 0 ? NULL : &List[*Used - 1];
        if (Last != NULL && Last->LogicalAddress.QuadPart + Last->Length == Address) {
            Last->Length += Bytes;
        } else {
            if (*Used == Room) break;
            List[*Used].LogicalAddress.QuadPart = Address;
            List[*Used].Length = Bytes;
            List[*Used].MemoryRegionToken = Buffer->Adapter->PrivilegedToken;
            ++*Used;
        }
        Described += Bytes;
    }
    return Described;
}
