/* SPDX-License-Identifier: MIT
 * Connect events come at DISPATCH_LEVEL, where nothing can be waited for: a session begins with a work item. */
#include "server/server.h"

#include "adapter/interface.h"
#include "adapter/pending.h"
#include "server/session.h"

/* The client is told no, and its connector is closed. */
static VOID TurnAway(NDK_CONNECTOR* Connector) {
    (VOID) Connector->Dispatch->NdkReject(Connector, NULL, 0);
    PendingCloseLater(Connector->Dispatch->NdkCloseConnector, &Connector->Header);
}

static VOID OnConnect(PVOID Context, NDK_CONNECTOR* Connector) {
    SERVER* const Server = Context;
    SESSION* const Session = SessionCreate(Server, Connector);
    BOOLEAN IsWelcome;
    KIRQL Irql;
    if (Session == NULL) {
        TurnAway(Connector);
        return;
    }
    KeAcquireSpinLock(&Server->Lock, &Irql);
    IsWelcome = !Server->IsStopping && ExAcquireRundownProtection(&Server->Running);
    if (IsWelcome) {
        InsertTailList(&Server->Sessions, &Session->Link);
        SessionBegin(Session);
    }
    KeReleaseSpinLock(&Server->Lock, Irql);
    if (IsWelcome) return;
    SessionFree(Session);
    TurnAway(Connector);
}

static NTSTATUS CreateListener(SERVER* Server) {
    NDK_ADAPTER* const Ndk = Server->Adapter.Ndk;
    PENDING Pending;
    NTSTATUS Status;
    PendingBegin(&Pending);
    Status = PendingWait(&Pending, Ndk->Dispatch->NdkCreateListener(Ndk, OnConnect, Server, PendingCreated, &Pending,
                                                                    &Server->Listener));
    if (NT_SUCCESS(Status)) Server->Listener = PENDING_OBJECT(&Pending, Server->Listener);
    return Status;
}

static NTSTATUS Listen(SERVER* Server, SOCKADDR_INET* Address) {
    NDK_LISTENER* const Listener = Server->Listener;
    ULONG Bytes = sizeof *Address;
    PENDING Pending;
    NTSTATUS Status;
    PendingBegin(&Pending);
    Status = PendingWait(&Pending, Listener->Dispatch->NdkListen(Listener, (PSOCKADDR)Address, AddressLength(Address),
                                                                 PendingEnded, &Pending));
    if (!NT_SUCCESS(Status)) return Status;
    return Listener->Dispatch->NdkGetLocalAddress(Listener, (PSOCKADDR)Address, &Bytes);
}

NTSTATUS ServerStart(SERVER* Server, PROVIDER* Provider, PDEVICE_OBJECT Device, SOCKADDR_INET* Address) {
    NET_IFINDEX Index;
    NTSTATUS Status;
    RtlZeroMemory(Server, sizeof *Server);
    Server->Device = Device;
    ExInitializeRundownProtection(&Server->Running);
    KeInitializeSpinLock(&Server->Lock);
    InitializeListHead(&Server->Sessions);
    Status = InterfaceOf(Address, &Index);
    if (NT_SUCCESS(Status)) Status = AdapterOpen(&Server->Adapter, Provider, Index);
    if (!NT_SUCCESS(Status)) return Status;
    Status = CreateListener(Server);
    if (NT_SUCCESS(Status)) Status = Listen(Server, Address);
    if (NT_SUCCESS(Status)) return Status;
    if (Server->Listener != NULL) PendingClose(Server->Listener->Dispatch->NdkCloseListener, &Server->Listener->Header);
    AdapterClose(&Server->Adapter);
    return Status;
}

VOID ServerStop(SERVER* Server) {
    NDK_LISTENER* const Listener = Server->Listener;
    LIST_ENTRY* Link;
    KIRQL Irql;
    Listener->Dispatch->NdkControlConnectEvents(Listener, TRUE);
    KeAcquireSpinLock(&Server->Lock, &Irql);
    Server->IsStopping = TRUE;
    for (Link = Server->Sessions.Flink; Link != &Server->Sessions; Link = Link->Flink)
        SessionEnd(CONTAINING_RECORD(Link, SESSION, Link));
    KeReleaseSpinLock(&Server->Lock, Irql);
    ExWaitForRundownProtectionRelease(&Server->Running);
    /* The listener's close waits for the connectors that came from it: it comes after them. */
    PendingClose(Listener->Dispatch->NdkCloseListener, &Listener->Header);
    AdapterClose(&Server->Adapter);
}
