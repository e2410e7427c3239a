/* SPDX-License-Identifier: MIT
 *
 * mdl.h: making memory descriptor lists. The structure is in ndktypes.h. A page is 4096 bytes on every processor, and a
 * page number is the number of the process's virtual page (NDK-HOST-20).
 */
#ifndef OPENND_KERNEL_MDL_H
#define OPENND_KERNEL_MDL_H

#include "driver.h"
#include "types.h"

#undef PAGE_SIZE
#undef PAGE_SHIFT
#define PAGE_SIZE  0x1000
#define PAGE_SHIFT 12

#define BYTE_OFFSET(va)       ((ULONG)((ULONG_PTR)(va) & (PAGE_SIZE - 1)))
#define PAGE_ALIGN(va)        ((PVOID)((ULONG_PTR)(va) & ~(ULONG_PTR)(PAGE_SIZE - 1)))
#define ROUND_TO_PAGES(bytes) (((ULONG_PTR)(bytes) + PAGE_SIZE - 1) & ~(ULONG_PTR)(PAGE_SIZE - 1))
#define BYTES_TO_PAGES(bytes) (((bytes) >> PAGE_SHIFT) + (((bytes) & (PAGE_SIZE - 1)) != 0))

/* How many pages the bytes touch. */
#define ADDRESS_AND_SIZE_TO_SPAN_PAGES(va, bytes) \
    ((ULONG)((BYTE_OFFSET(va) + (SIZE_T)(bytes) + (PAGE_SIZE - 1)) >> PAGE_SHIFT))

typedef enum _LOCK_OPERATION { IoReadAccess = 0, IoWriteAccess = 1, IoModifyAccess = 2 } LOCK_OPERATION;

typedef enum _MM_PAGE_PRIORITY { LowPagePriority = 0, NormalPagePriority = 16, HighPagePriority = 32 } MM_PAGE_PRIORITY;
#define MdlMappingNoWrite   0x80000000u
#define MdlMappingNoExecute 0x40000000u

#define MmGetMdlByteCount(mdl)      ((mdl)->ByteCount)
#define MmGetMdlByteOffset(mdl)     ((mdl)->ByteOffset)
#define MmGetMdlBaseVa(mdl)         ((mdl)->StartVa)
#define MmGetMdlVirtualAddress(mdl) ((PVOID)((PUCHAR)(mdl)->StartVa + (mdl)->ByteOffset))
#define MmGetMdlPfnArray(mdl)       ((PPFN_NUMBER)((mdl) + 1))

/* Where the bytes can be reached. Never NULL here; priority has no effect. */
FORCEINLINE PVOID MmGetSystemAddressForMdlSafe(PMDL Mdl, ULONG Priority) {
    (void)Priority;
    return (Mdl->MdlFlags & (MDL_MAPPED_TO_SYSTEM_VA | MDL_SOURCE_IS_NONPAGED_POOL)) != 0 ? Mdl->MappedSystemVa
                                                                                          : MmGetMdlVirtualAddress(Mdl);
}

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* For Length bytes at VirtualAddress; the page numbers come with a function below. With an Irp, it becomes the Irp's, or with
 * SecondaryBuffer the last of the Irp's chain; ChargeQuota has no effect. The caller frees it. NULL: out of memory. Up
 * to DISPATCH_LEVEL. */
PMDL NTAPI IoAllocateMdl(PVOID VirtualAddress, ULONG Length, BOOLEAN SecondaryBuffer, BOOLEAN ChargeQuota, PIRP Irp);

/* This one, not its chain. One that is locked, registered with an adapter, or freed before is reported; the last is left
 * alone. */
VOID NTAPI IoFreeMdl(PMDL Mdl);

/* Fills in the page numbers. */
VOID NTAPI MmBuildMdlForNonPagedPool(PMDL MemoryDescriptorList);

/* Fills in the page numbers and marks the pages as locked; nothing is locked. Locking twice is reported. */
VOID NTAPI MmProbeAndLockPages(PMDL MemoryDescriptorList, KPROCESSOR_MODE AccessMode, LOCK_OPERATION Operation);
/* Takes the mark off. Pages that are not locked, or that an adapter has registered, are reported. */
VOID NTAPI MmUnlockPages(PMDL MemoryDescriptorList);

/* Makes TargetMdl, which is long enough, describe a part of SourceMdl from VirtualAddress on; Length 0: all that is left. A
 * part that is not within SourceMdl, or not enough room, is reported, and nothing is built. */
VOID NTAPI IoBuildPartialMdl(PMDL SourceMdl, PMDL TargetMdl, PVOID VirtualAddress, ULONG Length);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
