/* SPDX-License-Identifier: MIT
 *
 * The server's side of one client: a store that the client fills and reads.
 */
#pragma once

#include "connection/connection.h"
#include "server/server.h"

/* One question of the client's that is being answered. There is one for each message, which is the answer. */
typedef struct _OPERATION {
    WORK Work; /* of the Reads */
    struct _SESSION* Session;
    MESSAGE* Reply;
    MESSAGE_HEADER Request;
} OPERATION;

typedef struct _SESSION {
    LIST_ENTRY Link; /* of the server's */
    SERVER* Server;
    NDK_CONNECTOR* Connector;
    PIO_WORKITEM BeginItem;
    PIO_WORKITEM EndItem;
    LONG IsEnding;
    KEVENT HasBegun; /* or failed to */
    CONNECTION Connection;
    BUFFER Store;
    OPERATION Operations[MESSAGES];
    KSPIN_LOCK Lock;
    LIST_ENTRY Stalled; /* receives that no message is free to answer */
} SESSION;

/* NULL: out of memory. SessionFree if it is not begun. DISPATCH_LEVEL. */
SESSION* SessionCreate(SERVER* Server, NDK_CONNECTOR* Connector);
VOID SessionFree(SESSION* Session);

/* Accepts the client, on a thread of its own. From now on the session frees itself when it has ended. */
VOID SessionBegin(SESSION* Session);

/* Sees to it that it ends, once. DISPATCH_LEVEL. */
VOID SessionEnd(SESSION* Session);

/* A session's handling of messages, in answer.c. */
extern const CONNECTION_EVENTS SessionEvents;
