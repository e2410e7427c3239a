/* SPDX-License-Identifier: MIT
 *
 * pool.h: memory by pool and tag. Blocks of a page (4096 bytes) or more begin at a page, smaller ones at
 * a multiple of 16 (NDK-CONS-35). Which pool it is only matters for the level: paged pool is not for DISPATCH_LEVEL.
 */
#ifndef OPENND_KERNEL_POOL_H
#define OPENND_KERNEL_POOL_H

#include "types.h"

typedef enum _POOL_TYPE {
    NonPagedPool = 0,
    NonPagedPoolExecute = NonPagedPool,
    PagedPool = 1,
    NonPagedPoolCacheAligned = 4,
    PagedPoolCacheAligned = 5,
    NonPagedPoolNx = 512,
    NonPagedPoolNxCacheAligned = 516
} POOL_TYPE;

typedef enum _EX_POOL_PRIORITY { LowPoolPriority = 0, NormalPoolPriority = 16, HighPoolPriority = 32 } EX_POOL_PRIORITY;

typedef ULONG64 POOL_FLAGS;
#define POOL_FLAG_UNINITIALIZED     0x0000000000000002ull /* not zeroed */
#define POOL_FLAG_CACHE_ALIGNED     0x0000000000000008ull
#define POOL_FLAG_NON_PAGED         0x0000000000000040ull
#define POOL_FLAG_NON_PAGED_EXECUTE 0x0000000000000080ull
#define POOL_FLAG_PAGED             0x0000000000000100ull

typedef enum _POOL_EXTENDED_PARAMETER_TYPE { PoolExtendedParameterPriority = 1 } POOL_EXTENDED_PARAMETER_TYPE;

typedef struct _POOL_EXTENDED_PARAMETER {
    ULONG Type;     /* a POOL_EXTENDED_PARAMETER_TYPE, or one that this header does not know */
    ULONG Optional; /* nonzero: may be ignored where it is not understood */
    EX_POOL_PRIORITY Priority;
} POOL_EXTENDED_PARAMETER, *PPOOL_EXTENDED_PARAMETER;
typedef const POOL_EXTENDED_PARAMETER* PCPOOL_EXTENDED_PARAMETER;

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The caller frees the memory with ExFreePool or ExFreePoolWithTag. NULL: out of memory. Up to DISPATCH_LEVEL. */
PVOID NTAPI ExAllocatePoolWithTag(POOL_TYPE PoolType, SIZE_T NumberOfBytes, ULONG Tag);
PVOID NTAPI ExAllocatePoolWithTagPriority(POOL_TYPE PoolType, SIZE_T NumberOfBytes, ULONG Tag,
                                          EX_POOL_PRIORITY Priority);
/* Zeroed. */
PVOID NTAPI ExAllocatePoolZero(POOL_TYPE PoolType, SIZE_T NumberOfBytes, ULONG Tag);

/* Zeroed, unless Flags have POOL_FLAG_UNINITIALIZED. NULL as well: Flags name not exactly one pool, or are not listed above;
 * a parameter that is neither known nor optional. */
PVOID NTAPI ExAllocatePool2(POOL_FLAGS Flags, SIZE_T NumberOfBytes, ULONG Tag);
PVOID NTAPI ExAllocatePool3(POOL_FLAGS Flags, SIZE_T NumberOfBytes, ULONG Tag,
                            PCPOOL_EXTENDED_PARAMETER ExtendedParameters, ULONG ExtendedParametersCount);

/* A block that was freed before, never allocated, or allocated under another tag is reported; only the last is freed. A Tag
 * of 0 fits any. */
VOID NTAPI ExFreePool(PVOID P);
VOID NTAPI ExFreePoolWithTag(PVOID P, ULONG Tag);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
