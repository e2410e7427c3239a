/* SPDX-License-Identifier: MIT
 *
 * The messages of a connection: free, waiting for a credit in the order they were sent, or on their way. Guarded by the
 * connection's lock.
 */
#pragma once

#include "connection/message.h"
#include "connection/region_pool.h"

/* Bytes that travel by RDMA. */
typedef struct _TRANSFER {
    const BUFFER* Buffer;
    ULONG Offset;
    ULONG Bytes; /* 0: nothing travels */
    UINT64 PeerAddress;
    UINT32 PeerToken;
} TRANSFER;

typedef struct _MESSAGE {
    WORK Work;
    LIST_ENTRY Link;
    ULONG Offset; /* in the queue's memory */
    MESSAGE_HEADER* Header;
    PUCHAR Payload;
    REGION* Region;   /* registered in front of it, or NULL */
    TRANSFER Written; /* into the peer's memory, in front of it */
    UINT32 TakeToken; /* of the peer's, with it; 0: none */
} MESSAGE;

typedef struct _SEND_QUEUE {
    BUFFER Memory;
    MESSAGE Messages[MESSAGES];
    LIST_ENTRY Free;
    LIST_ENTRY Waiting;
    ULONG InUse;
} SEND_QUEUE;

NTSTATUS SendQueueCreate(SEND_QUEUE* Queue, ADAPTER* Adapter, VOID (*Done)(CONNECTION*, WORK*, const NDK_RESULT_EX*));
VOID SendQueueFree(SEND_QUEUE* Queue);

/* An empty message of this kind. NULL: none is free. */
MESSAGE* SendQueueTake(SEND_QUEUE* Queue, MESSAGE_KIND Kind);
VOID SendQueueReturn(SEND_QUEUE* Queue, MESSAGE* Message);
