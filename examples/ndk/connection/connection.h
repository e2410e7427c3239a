/* SPDX-License-Identifier: MIT
 *
 * One connection: its NDK objects, its receives and messages, and the handling of completions. connection_setup.c makes
 * it, connection.c runs at DISPATCH_LEVEL, connection_close.c takes it down.
 */
#pragma once

#include "connection/chain.h"
#include "connection/credits.h"
#include "connection/receive_ring.h"

/* Callbacks to the owner of a connection, at DISPATCH_LEVEL. */
typedef struct _CONNECTION_EVENTS {
    /* A message has come, other than Hello and Credits. ConnectionRepost is to be called when it has been read. */
    VOID (*Received)(PVOID Owner, RECEIVE* Receive);
    /* A message is free again. */
    VOID (*Sent)(PVOID Owner);
    /* The peer has left, or something has failed: nothing will come any more. At most once, and not after ConnectionClose; maybe
     * with a lock of the connection's held. */
    VOID (*Ended)(PVOID Owner);
} CONNECTION_EVENTS;

struct _CONNECTION {
    ADAPTER* Adapter;
    const CONNECTION_EVENTS* Events;
    PVOID Owner;
    BOOLEAN IsClient;

    NDK_CONNECTOR* Connector;
    NDK_QP* QueuePair;
    NDK_CQ* ReceiveCq;
    NDK_CQ* SendCq;

    EX_RUNDOWN_REF Requests;  /* posted and not done, the silent ones excepted; run down: no more are posted */
    EX_RUNDOWN_REF Callbacks; /* of the queues, while they run */
    LONG QueuesFailed;        /* nonzero: completions are lost */
    LONG Failure;             /* NTSTATUS of the failure that ended it, or 0 */
    LONG HasEnded;
    KEVENT Ready; /* credits have been exchanged, or it has failed */

    KSPIN_LOCK Lock; /* guards the members below, and the queue pair's queues */
    BOOLEAN IsConnected;
    BOOLEAN HelloIsDue;
    BOOLEAN CreditsOnTheirWay; /* a message of nothing but credits */
    CREDITS Credits;
    RECEIVE_RING Ring;
    SEND_QUEUE Queue;
    WORK Silent;
};

/* ---- set-up and end, at PASSIVE_LEVEL ------------------------------------------------------------------------------ */

/* Prepares everything but the connector, and posts the receive for the peer's Hello. ConnectionClose takes down a
 * connection that is only partly prepared, too. */
NTSTATUS ConnectionCreate(CONNECTION* Connection, ADAPTER* Adapter, const CONNECTION_EVENTS* Events, PVOID Owner);

/* Connects, and returns when both sides have credits. */
NTSTATUS ConnectionConnect(CONNECTION* Connection, SOCKADDR_INET* Source, SOCKADDR_INET* Destination);

/* Takes over the connector of a connect event, and returns when the client has completed the connection. */
NTSTATUS ConnectionAccept(CONNECTION* Connection, NDK_CONNECTOR* Connector);

/* Tells the peer that this side is through, and returns when the peer has said so, too. Nothing is on its way any more. */
NTSTATUS ConnectionDisconnect(CONNECTION* Connection);

/* Ends the connection if it has not ended, gathers every completion and closes the objects. */
VOID ConnectionClose(CONNECTION* Connection);

/* ---- any level up to DISPATCH_LEVEL -------------------------------------------------------------------------------- */

/* An empty message. NULL: none is free; Events->Sent will tell. */
MESSAGE* ConnectionTakeMessage(CONNECTION* Connection, MESSAGE_KIND Kind);
/* Sends it as soon as there is a credit; it is the connection's from now on. */
VOID ConnectionSend(CONNECTION* Connection, MESSAGE* Message);
VOID ConnectionRepost(CONNECTION* Connection, RECEIVE* Receive);
VOID ConnectionRead(CONNECTION* Connection, const TRANSFER* Transfer, WORK* Work);
VOID ConnectionInvalidate(CONNECTION* Connection, REGION* Region);
/* TRUE: no message is waiting or on its way. */
BOOLEAN ConnectionIsQuiet(CONNECTION* Connection);
/* Of the connection; 0: it lives. */
NTSTATUS ConnectionStatus(CONNECTION* Connection);
/* Judges the status of a completed request: TRUE: it succeeded; FALSE: it has failed, and so has the connection. */
BOOLEAN ConnectionSucceeded(CONNECTION* Connection, NTSTATUS Status);
VOID ConnectionFail(CONNECTION* Connection, NTSTATUS Status);
/* A request is not pending any more: its Work was done. */
VOID ConnectionRequestDone(CONNECTION* Connection);

/* ---- between the files of the connection ---------------------------------------------------------------------------- */

VOID ConnectionOnReceives(PVOID Connection, NTSTATUS Status);
VOID ConnectionOnSends(PVOID Connection, NTSTATUS Status);
VOID ConnectionOnDisconnected(PVOID Connection);
VOID ConnectionReceived(CONNECTION* Connection, WORK* Work, const NDK_RESULT_EX* Result);
VOID ConnectionSent(CONNECTION* Connection, WORK* Work, const NDK_RESULT_EX* Result);
VOID ConnectionSilentFailed(CONNECTION* Connection, WORK* Work, const NDK_RESULT_EX* Result);
/* With the lock held: posts Count receives from the Firstth on. */
VOID ConnectionPostReceives(CONNECTION* Connection, ULONG First, ULONG Count);
/* With the lock held: sends the messages that have credits and room. */
VOID ConnectionPump(CONNECTION* Connection);
