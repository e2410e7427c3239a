/* SPDX-License-Identifier: MIT
 * How a session answers. Everything here runs at DISPATCH_LEVEL, in callbacks of the connection's queues.
 *
 *   Echo   the payload goes back
 *   Get    Writes into the client's region, and the reply behind them
 *   Put    Reads from the client's region, and when they are complete, the reply
 *
 * If the client wants it so, the reply takes the token of its region away.
 */
#include "pattern.h"
#include "server/session.h"

static VOID Send(OPERATION* Operation, NTSTATUS Status) {
    MESSAGE* const Reply = Operation->Reply;
    const MESSAGE_HEADER* const Request = &Operation->Request;
    SESSION* const Session = Operation->Session;
    Reply->Header->Number = Request->Number;
    Reply->Header->Status = Status;
    if (NT_SUCCESS(Status) && Request->Kind != MessageEcho) {
        Reply->Header->Checksum = Checksum(Session->Store.Bytes + Request->StoreOffset, Request->RegionBytes);
        if ((Request->Flags & MESSAGE_TAKE_TOKEN) != 0) Reply->TakeToken = Request->RegionToken;
    }
    ConnectionSend(&Session->Connection, Reply);
}

static TRANSFER TransferOf(OPERATION* Operation) {
    const MESSAGE_HEADER* const Request = &Operation->Request;
    const TRANSFER Transfer = {&Operation->Session->Store, (ULONG)Request->StoreOffset, Request->RegionBytes,
                               Request->RegionAddress, Request->RegionToken};
    return Transfer;
}

static VOID HaveRead(CONNECTION* Connection, WORK* Work, const NDK_RESULT_EX* Result) {
    if (ConnectionSucceeded(Connection, Result->Status)) Send(CONTAINING_RECORD(Work, OPERATION, Work), STATUS_SUCCESS);
    ConnectionRequestDone(Connection);
}

/* Numbers from the network. */
static BOOLEAN IsWithinStore(const MESSAGE_HEADER* Request) {
    return Request->RegionBytes != 0 && Request->RegionBytes <= PIECE_BYTES &&
           Request->StoreOffset <= STORE_BYTES - Request->RegionBytes;
}

/* The request has been copied; its receive may be posted again, so that the reply brings the credit back. */
static VOID Answer(OPERATION* Operation) {
    SESSION* const Session = Operation->Session;
    const MESSAGE_HEADER* const Request = &Operation->Request;
    if (Request->Kind == MessageEcho) {
        Send(Operation, STATUS_SUCCESS);
    } else if ((Request->Kind != MessageGet && Request->Kind != MessagePut) || !IsWithinStore(Request)) {
        Send(Operation, STATUS_INVALID_PARAMETER);
    } else if (Request->Kind == MessageGet) {
        Operation->Reply->Written = TransferOf(Operation);
        Send(Operation, STATUS_SUCCESS);
    } else {
        const TRANSFER Transfer = TransferOf(Operation);
        Operation->Work.Done = HaveRead;
        ConnectionRead(&Session->Connection, &Transfer, &Operation->Work);
    }
}

static VOID Take(SESSION* Session, RECEIVE* Receive, MESSAGE* Reply) {
    OPERATION* const Operation = &Session->Operations[Reply - Session->Connection.Queue.Messages];
    Operation->Reply = Reply;
    Operation->Request = *Receive->Header;
    if (Operation->Request.Kind == MessageEcho) {
        Reply->Header->PayloadBytes = Receive->Header->PayloadBytes;
        RtlCopyMemory(Reply->Payload, Receive->Payload, Receive->Header->PayloadBytes);
    }
    ConnectionRepost(&Session->Connection, Receive);
    Answer(Operation);
}

static VOID Received(PVOID Owner, RECEIVE* Receive) {
    SESSION* const Session = Owner;
    MESSAGE* Reply;
    KIRQL Irql;
    KeAcquireSpinLock(&Session->Lock, &Irql);
    Reply = ConnectionTakeMessage(&Session->Connection, MessageReply);
    if (Reply == NULL) InsertTailList(&Session->Stalled, &Receive->Link);
    KeReleaseSpinLock(&Session->Lock, Irql);
    if (Reply != NULL) Take(Session, Receive, Reply);
}

/* The receive that has waited longest gets the message that has become free. */
static VOID Sent(PVOID Owner) {
    SESSION* const Session = Owner;
    RECEIVE* Receive = NULL;
    MESSAGE* Reply = NULL;
    KIRQL Irql;
    KeAcquireSpinLock(&Session->Lock, &Irql);
    if (!IsListEmpty(&Session->Stalled)) Reply = ConnectionTakeMessage(&Session->Connection, MessageReply);
    if (Reply != NULL) Receive = CONTAINING_RECORD(RemoveHeadList(&Session->Stalled), RECEIVE, Link);
    KeReleaseSpinLock(&Session->Lock, Irql);
    if (Receive != NULL) Take(Session, Receive, Reply);
}

static VOID Ended(PVOID Owner) { SessionEnd(Owner); }

const CONNECTION_EVENTS SessionEvents = {Received, Sent, Ended};
