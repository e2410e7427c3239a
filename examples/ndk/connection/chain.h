/* SPDX-License-Identifier: MIT
 *
 * Requests that are posted together: all but the last are silent and have NDK_OP_FLAG_DEFER, so that the adapter may
 * take them in one go, and the last one's completion covers all. The caller holds the connection's lock.
 *
 * The chain stops at the first request that cannot be posted. Earlier requests are carried out, but without a
 * completion, so the connection has to end.
 */
#pragma once

#include "connection/send_queue.h"

/* Posts the registration or Write in front of the message, and the message. */
NTSTATUS ChainSend(NDK_QP* QueuePair, SEND_QUEUE* Queue, MESSAGE* Message, WORK* Silent);

/* Reads from the peer's memory. Work is done when all has come. */
NTSTATUS ChainRead(NDK_QP* QueuePair, const TRANSFER* Transfer, WORK* Work, WORK* Silent);
