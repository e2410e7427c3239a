/* SPDX-License-Identifier: MIT
 *
 * Fast registrations, which are costly to make and cheap to use: made once, they lend a token to one stretch of memory
 * after another. A registration is a request of its queue pair, posted in front of the message that tells its token.
 */
#pragma once

#include "adapter/buffer.h"
#include "connection/sizes.h"
#include "connection/work.h"

typedef struct _REGION {
    WORK Work; /* of the local invalidation */
    SINGLE_LIST_ENTRY Link;
    NDK_MR* Mr;
    UINT32 Token; /* the same in every registration */
    /* The part of a buffer that it is lent to. */
    const BUFFER* Buffer;
    ULONG Offset;
    ULONG Length;
    ULONG Rights;   /* NDK_OP_FLAG_ALLOW_... */
    PVOID Borrower; /* the pool's user's */
} REGION;

typedef struct _REGION_POOL {
    KSPIN_LOCK Lock;
    SINGLE_LIST_ENTRY Free;
    REGION Regions[REGIONS];
} REGION_POOL;

NTSTATUS RegionPoolCreate(REGION_POOL* Pool, ADAPTER* Adapter);
/* Ends all registrations. The queue pair is closed. */
VOID RegionPoolDestroy(REGION_POOL* Pool);

/* NULL: all are in use. */
REGION* RegionTake(REGION_POOL* Pool);
/* The token opens nothing any more. */
VOID RegionReturn(REGION_POOL* Pool, REGION* Region);

/* The peers' address of the first byte. */
UINT64 RegionAddress(const REGION* Region);

NTSTATUS RegionRegister(REGION* Region, NDK_QP* QueuePair, WORK* Work, ULONG Flags);
NTSTATUS RegionInvalidate(REGION* Region, NDK_QP* QueuePair, ULONG Flags);
