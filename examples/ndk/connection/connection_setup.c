/* SPDX-License-Identifier: MIT
 * Queues, queue pair, and the two ways to a connection. */
#include "adapter/interface.h"
#include "adapter/pending.h"
#include "connection/connection.h"

/* The server reads from the client, and never the other way round. */
#define READS 8u

static NTSTATUS CreateCq(CONNECTION* Connection, ULONG Depth, NDK_FN_CQ_NOTIFICATION_CALLBACK Notification,
                         NDK_CQ** Cq) {
    NDK_ADAPTER* const Ndk = Connection->Adapter->Ndk;
    PENDING Pending;
    NTSTATUS Status;
    PendingBegin(&Pending);
    Status = PendingWait(
        &Pending, Ndk->Dispatch->NdkCreateCq(Ndk, Depth, Notification, Connection, NULL, PendingCreated, &Pending, Cq));
    if (NT_SUCCESS(Status)) *Cq = PENDING_OBJECT(&Pending, *Cq);
    return Status;
}

static NTSTATUS CreateQueuePair(CONNECTION* Connection) {
    NDK_PD* const Domain = Connection->Adapter->Domain;
    PENDING Pending;
    NTSTATUS Status;
    PendingBegin(&Pending);
    Status = PendingWait(&Pending, Domain->Dispatch->NdkCreateQp(Domain, Connection->ReceiveCq, Connection->SendCq,
                                                                 Connection, RECEIVES, INITIATOR_DEPTH, 1, REQUEST_SGES,
                                                                 0, PendingCreated, &Pending, &Connection->QueuePair));
    if (NT_SUCCESS(Status)) Connection->QueuePair = PENDING_OBJECT(&Pending, Connection->QueuePair);
    return Status;
}

static NTSTATUS CreateConnector(CONNECTION* Connection) {
    NDK_ADAPTER* const Ndk = Connection->Adapter->Ndk;
    PENDING Pending;
    NTSTATUS Status;
    PendingBegin(&Pending);
    Status =
        PendingWait(&Pending, Ndk->Dispatch->NdkCreateConnector(Ndk, PendingCreated, &Pending, &Connection->Connector));
    if (NT_SUCCESS(Status)) Connection->Connector = PENDING_OBJECT(&Pending, Connection->Connector);
    return Status;
}

NTSTATUS ConnectionCreate(CONNECTION* Connection, ADAPTER* Adapter, const CONNECTION_EVENTS* Events, PVOID Owner) {
    KIRQL Irql;
    NTSTATUS Status;
    RtlZeroMemory(Connection, sizeof *Connection);
    Connection->Adapter = Adapter;
    Connection->Events = Events;
    Connection->Owner = Owner;
    Connection->Silent.Done = ConnectionSilentFailed;
    ExInitializeRundownProtection(&Connection->Requests);
    ExInitializeRundownProtection(&Connection->Callbacks);
    KeInitializeEvent(&Connection->Ready, NotificationEvent, FALSE);
    KeInitializeSpinLock(&Connection->Lock);
    Status = ReceiveRingCreate(&Connection->Ring, Adapter, ConnectionReceived);
    if (NT_SUCCESS(Status)) Status = SendQueueCreate(&Connection->Queue, Adapter, ConnectionSent);
    if (NT_SUCCESS(Status)) Status = CreateCq(Connection, RECEIVES, ConnectionOnReceives, &Connection->ReceiveCq);
    if (NT_SUCCESS(Status)) Status = CreateCq(Connection, INITIATOR_DEPTH, ConnectionOnSends, &Connection->SendCq);
    if (NT_SUCCESS(Status)) Status = CreateQueuePair(Connection);
    if (!NT_SUCCESS(Status)) return Status;
    Connection->ReceiveCq->Dispatch->NdkArmCq(Connection->ReceiveCq, NDK_CQ_NOTIFY_ANY);
    Connection->SendCq->Dispatch->NdkArmCq(Connection->SendCq, NDK_CQ_NOTIFY_ANY);
    KeAcquireSpinLock(&Connection->Lock, &Irql);
    ConnectionPostReceives(Connection, 0, 1);
    Connection->Credits.ToGrant = 0; /* every peer knows of this one */
    KeReleaseSpinLock(&Connection->Lock, Irql);
    return ConnectionStatus(Connection);
}

/* Messages may go out from now on. Some may have come already: the callbacks did not wait for this. */
static VOID Connected(CONNECTION* Connection) {
    KIRQL Irql;
    KeAcquireSpinLock(&Connection->Lock, &Irql);
    Connection->IsConnected = TRUE;
    if (Connection->IsClient) Connection->HelloIsDue = TRUE;
    ConnectionPump(Connection);
    KeReleaseSpinLock(&Connection->Lock, Irql);
}

static NTSTATUS Connect(CONNECTION* Connection, SOCKADDR_INET* Source, SOCKADDR_INET* Destination) {
    INTRODUCTION Introduction = {PROTOCOL_MAGIC, PROTOCOL_VERSION};
    NDK_CONNECTOR* const Connector = Connection->Connector;
    PENDING Pending;
    NTSTATUS Status;
    PendingBegin(&Pending);
    Status = PendingWait(&Pending, Connector->Dispatch->NdkConnect(Connector, Connection->QueuePair, (PSOCKADDR)Source,
                                                                   AddressLength(Source), (PSOCKADDR)Destination,
                                                                   AddressLength(Destination), READS, 0, &Introduction,
                                                                   sizeof Introduction, PendingEnded, &Pending));
    if (!NT_SUCCESS(Status)) return Status;
    PendingBegin(&Pending);
    return PendingWait(&Pending, Connector->Dispatch->NdkCompleteConnect(Connector, ConnectionOnDisconnected,
                                                                         Connection, PendingEnded, &Pending));
}

NTSTATUS ConnectionConnect(CONNECTION* Connection, SOCKADDR_INET* Source, SOCKADDR_INET* Destination) {
    NTSTATUS Status;
    Connection->IsClient = TRUE;
    Status = CreateConnector(Connection);
    if (NT_SUCCESS(Status)) Status = Connect(Connection, Source, Destination);
    if (!NT_SUCCESS(Status)) return Status;
    Connected(Connection);
    KeWaitForSingleObject(&Connection->Ready, Executive, KernelMode, FALSE, NULL);
    return ConnectionStatus(Connection);
}

/* A stranger is told no. */
static NTSTATUS CheckIntroduction(NDK_CONNECTOR* Connector) {
    INTRODUCTION Introduction = {0, 0};
    ULONG Bytes = sizeof Introduction;
    const NTSTATUS Status = Connector->Dispatch->NdkGetConnectionData(Connector, NULL, NULL, &Introduction, &Bytes);
    /* The provider may hand out more than was sent, and says then that there is more. */
    if (!NT_SUCCESS(Status) && Status != STATUS_BUFFER_TOO_SMALL) return Status;
    if (Bytes >= sizeof Introduction && Introduction.Magic == PROTOCOL_MAGIC &&
        Introduction.Version == PROTOCOL_VERSION)
        return STATUS_SUCCESS;
    (VOID) Connector->Dispatch->NdkReject(Connector, NULL, 0);
    return STATUS_CONNECTION_REFUSED;
}

NTSTATUS ConnectionAccept(CONNECTION* Connection, NDK_CONNECTOR* Connector) {
    PENDING Pending;
    NTSTATUS Status = CheckIntroduction(Connector);
    Connection->Connector = Connector;
    if (!NT_SUCCESS(Status)) return Status;
    PendingBegin(&Pending);
    Status = PendingWait(&Pending,
                         Connector->Dispatch->NdkAccept(Connector, Connection->QueuePair, 0, READS, NULL, 0,
                                                        ConnectionOnDisconnected, Connection, PendingEnded, &Pending));
    if (NT_SUCCESS(Status)) Connected(Connection);
    return Status;
}
