/* SPDX-License-Identifier: MIT
 *
 * Requests that are posted together: all but the last with NDK_OP_FLAG_DEFER, so that the adapter may take them in one go, and
 * silent, for the last one's completion tells that they are complete, too. The caller holds the connection's lock.
 *
 * Where one cannot be posted the chain stops there. What was posted before it is carried out, and the connection has to end:
 * nobody would learn when.
 */
#pragma once

#include "send_queue.h"

/* What is registered or written in front of the message, and the message. */
NTSTATUS ChainSend(NDK_QP* QueuePair, SEND_QUEUE* Queue, MESSAGE* Message, WORK* Silent);

/* Reads from the peer's memory. Work is done when all has come. */
NTSTATUS ChainRead(NDK_QP* QueuePair, const TRANSFER* Transfer, WORK* Work, WORK* Silent);
