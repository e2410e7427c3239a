/* SPDX-License-Identifier: MIT
 * One thread asks, and sleeps when it has no message, no question or no region left; the callbacks take the answers and
 * wake it. */
#include "client/client.h"

#include "adapter/interface.h"
#include "connection/connection.h"
#include "pattern.h"

#define QUESTIONS    24u /* more than there are credits, so that some have to wait for one */
#define ECHO_BYTES   600u
#define SOURCE_SEED  7u
#define PIECES       (STORE_BYTES / PIECE_BYTES)
#define SOURCE_START 100u /* neither begins with a page */
#define SINK_START   2000u

/* Asked, and not answered yet. */
typedef struct _QUESTION {
    BOOLEAN IsOpen;
    UINT16 Kind;
    ULONG Seed;         /* of an echo's payload */
    REGION* Region;     /* of Put and Get */
    const UCHAR* Bytes; /* the source of Put, or the destination of Get */
} QUESTION;

typedef struct _CLIENT {
    ADAPTER Adapter;
    REGION_POOL Pool;
    CONNECTION Connection;
    BUFFER Source;
    BUFFER Sink;
    KEVENT Progress;
    KSPIN_LOCK Lock; /* guards the members below */
    QUESTION Questions[QUESTIONS];
    ULONG Open;
    TRANSFER_CONTROL* Control;
} CLIENT;

/* ---- answers, at DISPATCH_LEVEL ------------------------------------------------------------------------------------ */

static BOOLEAN IsAsExpected(const QUESTION* Question, const RECEIVE* Receive) {
    const MESSAGE_HEADER* const Reply = Receive->Header;
    if (Question->Kind == MessageEcho)
        return Reply->PayloadBytes == ECHO_BYTES && PatternMatches(Receive->Payload, ECHO_BYTES, Question->Seed);
    return Reply->Checksum == Checksum(Question->Bytes, Question->Region->Length);
}

/* The region goes back to the pool: its token is taken, by the server or here. */
static VOID Close(CLIENT* Client, QUESTION* Question, BOOLEAN TakenByServer) {
    TRANSFER_CONTROL* const Control = Client->Control;
    KIRQL Irql;
    KeAcquireSpinLock(&Client->Lock, &Irql);
    if (Question->Kind == MessageEcho) {
        ++Control->Echoes;
    } else {
        if (Question->Kind == MessagePut) Control->BytesPut += Question->Region->Length;
        if (Question->Kind == MessageGet) Control->BytesGot += Question->Region->Length;
        ++*(TakenByServer ? &Control->TokensTakenByServer : &Control->TokensTakenHere);
        RegionReturn(&Client->Pool, Question->Region);
    }
    Question->IsOpen = FALSE;
    --Client->Open;
    KeReleaseSpinLock(&Client->Lock, Irql);
    KeSetEvent(&Client->Progress, IO_NETWORK_INCREMENT, FALSE);
}

/* The peer has not taken the token away, so this side has: only now can the memory be used for something else. */
static VOID Invalidated(CONNECTION* Connection, WORK* Work, const NDK_RESULT_EX* Result) {
    CLIENT* const Client = CONTAINING_RECORD(Connection, CLIENT, Connection);
    REGION* const Region = CONTAINING_RECORD(Work, REGION, Work);
    if (ConnectionSucceeded(Connection, Result->Status)) Close(Client, Region->Borrower, FALSE);
    ConnectionRequestDone(Connection);
}

/* That it answers a question, and well. */
static NTSTATUS Check(CLIENT* Client, const RECEIVE* Receive, QUESTION** Answered) {
    const MESSAGE_HEADER* const Reply = Receive->Header;
    const QUESTION* Question;
    if (Reply->Kind != MessageReply || Reply->Number >= QUESTIONS) return STATUS_INVALID_DEVICE_REQUEST;
    Question = *Answered = &Client->Questions[Reply->Number];
    if (!Question->IsOpen) return STATUS_INVALID_DEVICE_REQUEST;
    if (!NT_SUCCESS(Reply->Status)) return Reply->Status;
    if (Receive->TakenToken != 0 && (Question->Region == NULL || Receive->TakenToken != Question->Region->Token))
        return STATUS_INVALID_DEVICE_REQUEST;
    return IsAsExpected(Question, Receive) ? STATUS_SUCCESS : STATUS_DATA_ERROR;
}

static VOID Received(PVOID Owner, RECEIVE* Receive) {
    CLIENT* const Client = Owner;
    QUESTION* Question = NULL;
    const BOOLEAN IsTaken = Receive->TakenToken != 0;
    const NTSTATUS Status = Check(Client, Receive, &Question);
    ConnectionRepost(&Client->Connection, Receive);
    if (!NT_SUCCESS(Status)) {
        ConnectionFail(&Client->Connection, Status);
    } else if (Question->Region != NULL && !IsTaken) {
        Question->Region->Work.Done = Invalidated;
        ConnectionInvalidate(&Client->Connection, Question->Region);
    } else {
        Close(Client, Question, IsTaken);
    }
}

static VOID Progress(PVOID Owner) { KeSetEvent(&((CLIENT*)Owner)->Progress, IO_NETWORK_INCREMENT, FALSE); }

static const CONNECTION_EVENTS Events = {Received, Progress, Progress};

/* ---- questions, at PASSIVE_LEVEL ------------------------------------------------------------------------------------ */

/* FALSE: all are open. */
static BOOLEAN Open(CLIENT* Client, QUESTION** Question) {
    BOOLEAN IsThere;
    ULONG i;
    KIRQL Irql;
    KeAcquireSpinLock(&Client->Lock, &Irql);
    IsThere = Client->Open < QUESTIONS;
    if (IsThere) {
        for (i = 0; Client->Questions[i].IsOpen;) ++i;
        *Question = &Client->Questions[i];
        RtlZeroMemory(*Question, sizeof **Question);
        (*Question)->IsOpen = TRUE;
        ++Client->Open;
    }
    KeReleaseSpinLock(&Client->Lock, Irql);
    return IsThere;
}

/* Until something has happened that may have changed the awaited state. */
static NTSTATUS WaitForProgress(CLIENT* Client) {
    const NTSTATUS Status = ConnectionStatus(&Client->Connection);
    if (!NT_SUCCESS(Status)) return Status;
    KeWaitForSingleObject(&Client->Progress, Executive, KernelMode, FALSE, NULL);
    return ConnectionStatus(&Client->Connection);
}

static NTSTATUS Prepare(CLIENT* Client, MESSAGE_KIND Kind, QUESTION** Question, MESSAGE** Message) {
    NTSTATUS Status = STATUS_SUCCESS;
    while (NT_SUCCESS(Status) && !Open(Client, Question)) Status = WaitForProgress(Client);
    if (!NT_SUCCESS(Status)) return Status;
    (*Question)->Kind = (UINT16)Kind;
    while (NT_SUCCESS(Status) && (*Message = ConnectionTakeMessage(&Client->Connection, Kind)) == NULL)
        Status = WaitForProgress(Client);
    if (NT_SUCCESS(Status)) (*Message)->Header->Number = (UINT32)(*Question - Client->Questions);
    return Status;
}

static NTSTATUS AskEcho(CLIENT* Client, ULONG Seed) {
    QUESTION* Question;
    MESSAGE* Message;
    const NTSTATUS Status = Prepare(Client, MessageEcho, &Question, &Message);
    if (!NT_SUCCESS(Status)) return Status;
    Question->Seed = Seed;
    Message->Header->PayloadBytes = ECHO_BYTES;
    PatternFill(Message->Payload, ECHO_BYTES, Seed);
    ConnectionSend(&Client->Connection, Message);
    return STATUS_SUCCESS;
}

/* The registration is posted in front of the question, in one chain, and nobody waits for it. */
static NTSTATUS AskPiece(CLIENT* Client, MESSAGE_KIND Kind, BUFFER* Buffer, ULONG Piece) {
    QUESTION* Question;
    MESSAGE* Message;
    REGION* Region;
    NTSTATUS Status = Prepare(Client, Kind, &Question, &Message);
    if (!NT_SUCCESS(Status)) return Status;
    while ((Region = RegionTake(&Client->Pool)) == NULL)
        if (!NT_SUCCESS(Status = WaitForProgress(Client))) return Status;
    Region->Buffer = Buffer;
    Region->Offset = Piece * PIECE_BYTES;
    Region->Length = PIECE_BYTES;
    Region->Rights = Kind == MessagePut ? NDK_OP_FLAG_ALLOW_REMOTE_READ : NDK_OP_FLAG_ALLOW_REMOTE_WRITE;
    Region->Borrower = Question;
    Question->Region = Region;
    Question->Bytes = Buffer->Bytes + Region->Offset;
    Message->Region = Region;
    Message->Header->Flags = Piece % 2 == 0 ? MESSAGE_TAKE_TOKEN : 0;
    Message->Header->StoreOffset = Region->Offset;
    Message->Header->RegionAddress = RegionAddress(Region);
    Message->Header->RegionToken = Region->Token;
    Message->Header->RegionBytes = Region->Length;
    ConnectionSend(&Client->Connection, Message);
    return STATUS_SUCCESS;
}

static BOOLEAN AllAnswered(CLIENT* Client) {
    BOOLEAN IsDone;
    KIRQL Irql;
    KeAcquireSpinLock(&Client->Lock, &Irql);
    IsDone = Client->Open == 0;
    KeReleaseSpinLock(&Client->Lock, Irql);
    return IsDone && ConnectionIsQuiet(&Client->Connection);
}

static NTSTATUS WaitForAnswers(CLIENT* Client) {
    NTSTATUS Status = STATUS_SUCCESS;
    while (NT_SUCCESS(Status) && !AllAnswered(Client)) Status = WaitForProgress(Client);
    return Status;
}

/* ---- from beginning to end ------------------------------------------------------------------------------------------- */

static NTSTATUS Talk(CLIENT* Client, ULONG Echoes) {
    NTSTATUS Status = STATUS_SUCCESS;
    ULONG i;
    for (i = 0; i < Echoes && NT_SUCCESS(Status); ++i) Status = AskEcho(Client, i);
    for (i = 0; i < PIECES && NT_SUCCESS(Status); ++i) Status = AskPiece(Client, MessagePut, &Client->Source, i);
    if (NT_SUCCESS(Status)) Status = WaitForAnswers(Client);
    for (i = 0; i < PIECES && NT_SUCCESS(Status); ++i) Status = AskPiece(Client, MessageGet, &Client->Sink, i);
    if (NT_SUCCESS(Status)) Status = WaitForAnswers(Client);
    if (NT_SUCCESS(Status) && !PatternMatches(Client->Sink.Bytes, STORE_BYTES, SOURCE_SEED)) Status = STATUS_DATA_ERROR;
    return Status;
}

static NTSTATUS Connect(CLIENT* Client, SOCKADDR_INET* Source, SOCKADDR_INET* Server, ULONG Echoes) {
    NTSTATUS Status = ConnectionCreate(&Client->Connection, &Client->Adapter, &Events, Client);
    if (NT_SUCCESS(Status)) Status = ConnectionConnect(&Client->Connection, Source, Server);
    if (NT_SUCCESS(Status)) Status = Talk(Client, Echoes);
    /* Everything that was posted is complete: the end may be a graceful one. */
    if (NT_SUCCESS(Status)) Status = ConnectionDisconnect(&Client->Connection);
    ConnectionClose(&Client->Connection);
    return Status;
}

static NTSTATUS PrepareMemory(CLIENT* Client) {
    NTSTATUS Status = BufferAllocate(&Client->Source, &Client->Adapter, SOURCE_START, STORE_BYTES);
    if (!NT_SUCCESS(Status)) return Status;
    PatternFill(Client->Source.Bytes, STORE_BYTES, SOURCE_SEED);
    Status = BufferAllocate(&Client->Sink, &Client->Adapter, SINK_START, STORE_BYTES);
    if (NT_SUCCESS(Status)) Status = RegionPoolCreate(&Client->Pool, &Client->Adapter);
    return Status;
}

static NTSTATUS RunOnAdapter(CLIENT* Client, SOCKADDR_INET* Source) {
    const ULONG Echoes = Client->Control->Echoes;
    NTSTATUS Status = PrepareMemory(Client);
    Client->Control->Echoes = 0;
    if (NT_SUCCESS(Status)) Status = Connect(Client, Source, &Client->Control->Server, Echoes);
    RegionPoolDestroy(&Client->Pool);
    BufferFree(&Client->Sink);
    BufferFree(&Client->Source);
    return Status;
}

NTSTATUS ClientRun(PROVIDER* Provider, TRANSFER_CONTROL* Control) {
    SOCKADDR_INET Source;
    NET_IFINDEX Index;
    NTSTATUS Status = InterfaceTowards(&Control->Server, &Index, &Source);
    CLIENT* Client;
    if (!NT_SUCCESS(Status)) return Status;
    Client = ExAllocatePoolWithTag(NonPagedPoolNx, sizeof *Client, EXAMPLE_TAG);
    if (Client == NULL) return STATUS_INSUFFICIENT_RESOURCES;
    RtlZeroMemory(Client, sizeof *Client);
    Client->Control = Control;
    KeInitializeSpinLock(&Client->Lock);
    KeInitializeEvent(&Client->Progress, SynchronizationEvent, FALSE);
    Status = AdapterOpen(&Client->Adapter, Provider, Index);
    if (NT_SUCCESS(Status)) {
        Status = RunOnAdapter(Client, &Source);
        AdapterClose(&Client->Adapter);
    }
    ExFreePoolWithTag(Client, EXAMPLE_TAG);
    return Status;
}
