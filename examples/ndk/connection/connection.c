/* SPDX-License-Identifier: MIT
 * Completions come from the queues' callbacks; posts go out under the lock, so that each queue has one poster at a
 * time.
 */
#include "connection/connection.h"

/* ---- how it ends --------------------------------------------------------------------------------------------------- */

NTSTATUS ConnectionStatus(CONNECTION* Connection) { return InterlockedCompareExchange(&Connection->Failure, 0, 0); }

VOID ConnectionFail(CONNECTION* Connection, NTSTATUS Status) {
    InterlockedCompareExchange(&Connection->Failure, Status, STATUS_SUCCESS);
    if (InterlockedExchange(&Connection->HasEnded, 1) != 0) return;
    KeSetEvent(&Connection->Ready, IO_NETWORK_INCREMENT, FALSE);
    Connection->Events->Ended(Connection->Owner);
}

BOOLEAN ConnectionSucceeded(CONNECTION* Connection, NTSTATUS Status) {
    if (NT_SUCCESS(Status)) return TRUE;
    /* Cancelled are the requests behind the failed one, and all pending ones when the connection ended. */
    if (Status != STATUS_CANCELLED) ConnectionFail(Connection, Status);
    return FALSE;
}

VOID ConnectionRequestDone(CONNECTION* Connection) { ExReleaseRundownProtection(&Connection->Requests); }

VOID ConnectionOnDisconnected(PVOID Context) { ConnectionFail(Context, STATUS_CONNECTION_DISCONNECTED); }

/* ---- posting, with the lock held ------------------------------------------------------------------------------------ */

/* FALSE: no request is posted any more. */
static BOOLEAN Begin(CONNECTION* Connection) { return ExAcquireRundownProtection(&Connection->Requests); }

/* A request was not posted, and will not be done. */
static VOID Undo(CONNECTION* Connection, NTSTATUS Status) {
    ConnectionRequestDone(Connection);
    ConnectionFail(Connection, Status);
}

VOID ConnectionPostReceives(CONNECTION* Connection, ULONG First, ULONG Count) {
    ULONG i;
    for (i = First; i < First + Count; ++i) {
        NTSTATUS Status;
        if (!Begin(Connection)) return;
        Status = ReceivePost(&Connection->Ring, &Connection->Ring.Receives[i], Connection->QueuePair);
        if (NT_SUCCESS(Status))
            CreditsPosted(&Connection->Credits);
        else
            Undo(Connection, Status);
    }
}

static VOID PostMessage(CONNECTION* Connection, MESSAGE* Message) {
    NTSTATUS Status;
    if (!Begin(Connection)) return;
    Status = ChainSend(Connection->QueuePair, &Connection->Queue, Message, &Connection->Silent);
    if (!NT_SUCCESS(Status)) Undo(Connection, Status);
}

/* Needs no credit: a receive for it was posted before there was a connection. */
static VOID SendHello(CONNECTION* Connection) {
    MESSAGE* const Message = SendQueueTake(&Connection->Queue, MessageHello);
    Message->Header->CreditsWanted = RECEIVES;
    Message->Header->CreditsGranted = (UINT16)Connection->Credits.ToGrant;
    Connection->Credits.ToGrant = 0;
    Connection->HelloIsDue = FALSE;
    PostMessage(Connection, Message);
}

/* As many messages as there are credits for; and if there is none that could carry credits the peer needs, one that does
 * nothing else. */
VOID ConnectionPump(CONNECTION* Connection) {
    SEND_QUEUE* const Queue = &Connection->Queue;
    UINT16 Grant;
    if (!Connection->IsConnected) return;
    if (Connection->HelloIsDue) SendHello(Connection);
    while (!IsListEmpty(&Queue->Waiting) && CreditsTake(&Connection->Credits, &Grant)) {
        MESSAGE* const Message = CONTAINING_RECORD(RemoveHeadList(&Queue->Waiting), MESSAGE, Link);
        Message->Header->CreditsGranted = Grant;
        PostMessage(Connection, Message);
    }
    if (!Connection->CreditsOnTheirWay && !IsListEmpty(&Queue->Free) && CreditsAreOwed(&Connection->Credits) &&
        CreditsTake(&Connection->Credits, &Grant)) {
        MESSAGE* const Message = SendQueueTake(Queue, MessageCredits);
        Message->Header->CreditsGranted = Grant;
        Connection->CreditsOnTheirWay = TRUE;
        PostMessage(Connection, Message);
    }
}

/* ---- posting, for the owner ------------------------------------------------------------------------------------------ */

MESSAGE* ConnectionTakeMessage(CONNECTION* Connection, MESSAGE_KIND Kind) {
    MESSAGE* Message;
    KIRQL Irql;
    KeAcquireSpinLock(&Connection->Lock, &Irql);
    Message = SendQueueTake(&Connection->Queue, Kind);
    KeReleaseSpinLock(&Connection->Lock, Irql);
    return Message;
}

VOID ConnectionSend(CONNECTION* Connection, MESSAGE* Message) {
    KIRQL Irql;
    KeAcquireSpinLock(&Connection->Lock, &Irql);
    InsertTailList(&Connection->Queue.Waiting, &Message->Link);
    ConnectionPump(Connection);
    KeReleaseSpinLock(&Connection->Lock, Irql);
}

VOID ConnectionRepost(CONNECTION* Connection, RECEIVE* Receive) {
    KIRQL Irql;
    KeAcquireSpinLock(&Connection->Lock, &Irql);
    ConnectionPostReceives(Connection, (ULONG)(Receive - Connection->Ring.Receives), 1);
    ConnectionPump(Connection);
    KeReleaseSpinLock(&Connection->Lock, Irql);
}

VOID ConnectionRead(CONNECTION* Connection, const TRANSFER* Transfer, WORK* Work) {
    KIRQL Irql;
    KeAcquireSpinLock(&Connection->Lock, &Irql);
    if (Begin(Connection)) {
        const NTSTATUS Status = ChainRead(Connection->QueuePair, Transfer, Work, &Connection->Silent);
        if (!NT_SUCCESS(Status)) Undo(Connection, Status);
    }
    KeReleaseSpinLock(&Connection->Lock, Irql);
}

VOID ConnectionInvalidate(CONNECTION* Connection, REGION* Region) {
    KIRQL Irql;
    KeAcquireSpinLock(&Connection->Lock, &Irql);
    if (Begin(Connection)) {
        const NTSTATUS Status = RegionInvalidate(Region, Connection->QueuePair, 0);
        if (!NT_SUCCESS(Status)) Undo(Connection, Status);
    }
    KeReleaseSpinLock(&Connection->Lock, Irql);
}

BOOLEAN ConnectionIsQuiet(CONNECTION* Connection) {
    BOOLEAN IsQuiet;
    KIRQL Irql;
    KeAcquireSpinLock(&Connection->Lock, &Irql);
    IsQuiet = Connection->Queue.InUse == 0;
    KeReleaseSpinLock(&Connection->Lock, Irql);
    return IsQuiet;
}

/* ---- completions --------------------------------------------------------------------------------------------------- */

VOID ConnectionSilentFailed(CONNECTION* Connection, WORK* Work, const NDK_RESULT_EX* Result) {
    UNREFERENCED_PARAMETER(Work);
    (VOID) ConnectionSucceeded(Connection, Result->Status);
}

VOID ConnectionSent(CONNECTION* Connection, WORK* Work, const NDK_RESULT_EX* Result) {
    MESSAGE* const Message = CONTAINING_RECORD(Work, MESSAGE, Work);
    KIRQL Irql;
    (VOID) ConnectionSucceeded(Connection, Result->Status);
    KeAcquireSpinLock(&Connection->Lock, &Irql);
    if (Message->Header->Kind == MessageCredits) Connection->CreditsOnTheirWay = FALSE;
    SendQueueReturn(&Connection->Queue, Message);
    ConnectionPump(Connection);
    KeReleaseSpinLock(&Connection->Lock, Irql);
    Connection->Events->Sent(Connection->Owner);
    ConnectionRequestDone(Connection);
}

/* The peer says how many credits it wants: that many receives are posted, beside the one that its Hello has come in. */
static VOID ReceivedHello(CONNECTION* Connection, const MESSAGE_HEADER* Hello) {
    const ULONG Ring = max(2, min(Hello->CreditsWanted, RECEIVES));
    KIRQL Irql;
    KeAcquireSpinLock(&Connection->Lock, &Irql);
    if (Connection->Credits.Ring != 0) {
        ConnectionFail(Connection, STATUS_INVALID_DEVICE_REQUEST); /* it has said so before */
    } else {
        Connection->Credits.Ring = Ring;
        ConnectionPostReceives(Connection, 0, Ring);
        if (!Connection->IsClient) Connection->HelloIsDue = TRUE;
        ConnectionPump(Connection);
    }
    KeReleaseSpinLock(&Connection->Lock, Irql);
    KeSetEvent(&Connection->Ready, IO_NETWORK_INCREMENT, FALSE);
}

VOID ConnectionReceived(CONNECTION* Connection, WORK* Work, const NDK_RESULT_EX* Result) {
    RECEIVE* const Receive = CONTAINING_RECORD(Work, RECEIVE, Work);
    KIRQL Irql;
    if (!ConnectionSucceeded(Connection, Result->Status)) {
        ConnectionRequestDone(Connection);
        return;
    }
    if (!ReceiveRead(&Connection->Ring, Receive, Result)) {
        ConnectionFail(Connection, STATUS_INVALID_BUFFER_SIZE);
        ConnectionRequestDone(Connection);
        return;
    }
    KeAcquireSpinLock(&Connection->Lock, &Irql);
    CreditsGranted(&Connection->Credits, Receive->Header->CreditsGranted);
    ConnectionPump(Connection);
    KeReleaseSpinLock(&Connection->Lock, Irql);
    if (Receive->Header->Kind == MessageHello)
        ReceivedHello(Connection, Receive->Header);
    else if (Receive->Header->Kind == MessageCredits)
        ConnectionRepost(Connection, Receive);
    else
        Connection->Events->Received(Connection->Owner, Receive);
    ConnectionRequestDone(Connection);
}

/* All there is, and then the queue is armed anew; an entry that comes between the two fires it. */
static VOID Drain(CONNECTION* Connection, NDK_CQ* Cq, NTSTATUS Status) {
    NDK_RESULT_EX Results[16];
    ULONG Count, i;
    if (!ExAcquireRundownProtection(&Connection->Callbacks)) return;
    if (!NT_SUCCESS(Status)) {
        InterlockedExchange(&Connection->QueuesFailed, 1);
        ConnectionFail(Connection, Status);
    } else {
        while ((Count = Cq->Dispatch->NdkGetCqResultsEx(Cq, Results, ARRAYSIZE(Results))) != 0) {
            for (i = 0; i < Count; ++i) {
                WORK* const Work = Results[i].RequestContext;
                Work->Done(Connection, Work, &Results[i]);
            }
        }
        Cq->Dispatch->NdkArmCq(Cq, NDK_CQ_NOTIFY_ANY);
    }
    ExReleaseRundownProtection(&Connection->Callbacks);
}

VOID ConnectionOnReceives(PVOID Context, NTSTATUS Status) {
    CONNECTION* const Connection = Context;
    Drain(Connection, Connection->ReceiveCq, Status);
}

VOID ConnectionOnSends(PVOID Context, NTSTATUS Status) {
    CONNECTION* const Connection = Context;
    Drain(Connection, Connection->SendCq, Status);
}
