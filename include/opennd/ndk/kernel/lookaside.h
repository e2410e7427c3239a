/* SPDX-License-Identifier: MIT
 *
 * lookaside.h: lists of blocks of one size. The allocator of the process keeps freed blocks at hand by
 * itself, so a block here goes straight back: one that is used after it was freed shows under the sanitizers.
 */
#ifndef OPENND_KERNEL_LOOKASIDE_H
#define OPENND_KERNEL_LOOKASIDE_H

#include "pool.h"
#include "status.h"

typedef struct _LOOKASIDE_LIST_EX LOOKASIDE_LIST_EX, *PLOOKASIDE_LIST_EX;

/* An allocator of the consumer's, in place of the pool. */
typedef PVOID ALLOCATE_FUNCTION_EX(POOL_TYPE PoolType, SIZE_T NumberOfBytes, ULONG Tag, PLOOKASIDE_LIST_EX Lookaside);
typedef ALLOCATE_FUNCTION_EX* PALLOCATE_FUNCTION_EX;
typedef VOID FREE_FUNCTION_EX(PVOID Buffer, PLOOKASIDE_LIST_EX Lookaside);
typedef FREE_FUNCTION_EX* PFREE_FUNCTION_EX;
typedef PVOID ALLOCATE_FUNCTION(POOL_TYPE PoolType, SIZE_T NumberOfBytes, ULONG Tag);
typedef ALLOCATE_FUNCTION* PALLOCATE_FUNCTION;
typedef VOID FREE_FUNCTION(PVOID Buffer);
typedef FREE_FUNCTION* PFREE_FUNCTION;

struct _LOOKASIDE_LIST_EX {
    POOL_TYPE opennd_pool;
    ULONG opennd_tag;
    SIZE_T opennd_bytes;
    PALLOCATE_FUNCTION_EX opennd_allocate; /* NULL: the pool */
    PFREE_FUNCTION_EX opennd_free;
    LONG64 opennd_in_use; /* blocks */
};

typedef struct _NPAGED_LOOKASIDE_LIST {
    ULONG opennd_tag;
    SIZE_T opennd_bytes;
    PALLOCATE_FUNCTION opennd_allocate;
    PFREE_FUNCTION opennd_free;
    LONG64 opennd_in_use;
} NPAGED_LOOKASIDE_LIST, *PNPAGED_LOOKASIDE_LIST;

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Flags must be 0 and Depth has no effect. STATUS_SUCCESS; STATUS_INVALID_PARAMETER: Flags. */
NTSTATUS NTAPI ExInitializeLookasideListEx(PLOOKASIDE_LIST_EX Lookaside, PALLOCATE_FUNCTION_EX Allocate,
                                           PFREE_FUNCTION_EX Free, POOL_TYPE PoolType, ULONG Flags, SIZE_T Size,
                                           ULONG Tag, USHORT Depth);
/* NULL: out of memory. */
PVOID NTAPI ExAllocateFromLookasideListEx(PLOOKASIDE_LIST_EX Lookaside);
VOID NTAPI ExFreeToLookasideListEx(PLOOKASIDE_LIST_EX Lookaside, PVOID Entry);
/* Reported if blocks of the list are still in use. */
VOID NTAPI ExDeleteLookasideListEx(PLOOKASIDE_LIST_EX Lookaside);

VOID NTAPI ExInitializeNPagedLookasideList(PNPAGED_LOOKASIDE_LIST Lookaside, PALLOCATE_FUNCTION Allocate,
                                           PFREE_FUNCTION Free, ULONG Flags, SIZE_T Size, ULONG Tag, USHORT Depth);
PVOID NTAPI ExAllocateFromNPagedLookasideList(PNPAGED_LOOKASIDE_LIST Lookaside);
VOID NTAPI ExFreeToNPagedLookasideList(PNPAGED_LOOKASIDE_LIST Lookaside, PVOID Entry);
VOID NTAPI ExDeleteNPagedLookasideList(PNPAGED_LOOKASIDE_LIST Lookaside);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
