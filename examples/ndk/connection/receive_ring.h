/* SPDX-License-Identifier: MIT
 *
 * The receives of a connection, each of which goes round: posted, filled, read, posted again.
 */
#pragma once

#include "adapter/buffer.h"
#include "connection/message.h"
#include "connection/sizes.h"
#include "connection/work.h"

typedef struct _RECEIVE {
    WORK Work;
    LIST_ENTRY Link; /* for the receive's user, between Received and ConnectionRepost */
    ULONG Offset;    /* in the ring's memory */
    const MESSAGE_HEADER* Header;
    const UCHAR* Payload;
    UINT32 TakenToken; /* that this message has invalidated; 0: none */
} RECEIVE;

typedef struct _RECEIVE_RING {
    BUFFER Memory;
    RECEIVE Receives[RECEIVES];
} RECEIVE_RING;

NTSTATUS ReceiveRingCreate(RECEIVE_RING* Ring, ADAPTER* Adapter,
                           VOID (*Done)(CONNECTION*, WORK*, const NDK_RESULT_EX*));
VOID ReceiveRingFree(RECEIVE_RING* Ring);

NTSTATUS ReceivePost(RECEIVE_RING* Ring, RECEIVE* Receive, NDK_QP* QueuePair);

/* Checks a received message. FALSE: it is no message. */
BOOLEAN ReceiveRead(RECEIVE_RING* Ring, RECEIVE* Receive, const NDK_RESULT_EX* Result);
