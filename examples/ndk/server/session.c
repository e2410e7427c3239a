/* SPDX-License-Identifier: MIT
 * From the connect event to the end. */
#include "server/session.h"

#include "adapter/pending.h"

SESSION* SessionCreate(SERVER* Server, NDK_CONNECTOR* Connector) {
    ULONG i;
    SESSION* const Session = ExAllocatePoolWithTag(NonPagedPoolNx, sizeof *Session, EXAMPLE_TAG);
    if (Session == NULL) return NULL;
    RtlZeroMemory(Session, sizeof *Session);
    Session->Server = Server;
    Session->Connector = Connector;
    KeInitializeEvent(&Session->HasBegun, NotificationEvent, FALSE);
    KeInitializeSpinLock(&Session->Lock);
    InitializeListHead(&Session->Stalled);
    for (i = 0; i < MESSAGES; ++i) Session->Operations[i].Session = Session;
    Session->BeginItem = IoAllocateWorkItem(Server->Device);
    Session->EndItem = IoAllocateWorkItem(Server->Device);
    if (Session->BeginItem != NULL && Session->EndItem != NULL) return Session;
    SessionFree(Session);
    return NULL;
}

VOID SessionFree(SESSION* Session) {
    if (Session->BeginItem != NULL) IoFreeWorkItem(Session->BeginItem);
    if (Session->EndItem != NULL) IoFreeWorkItem(Session->EndItem);
    ExFreePoolWithTag(Session, EXAMPLE_TAG);
}

static VOID Begin(PDEVICE_OBJECT Device, PVOID Context) {
    SESSION* const Session = Context;
    NTSTATUS Status = ConnectionCreate(&Session->Connection, &Session->Server->Adapter, &SessionEvents, Session);
    UNREFERENCED_PARAMETER(Device);
    if (NT_SUCCESS(Status)) Status = BufferAllocate(&Session->Store, &Session->Server->Adapter, 0, STORE_BYTES);
    if (NT_SUCCESS(Status))
        Status = ConnectionAccept(&Session->Connection, Session->Connector);
    else
        Session->Connection.Connector = Session->Connector; /* its close turns the client away */
    if (!NT_SUCCESS(Status)) SessionEnd(Session);
    /* Nothing of the session is touched after this: its end waits for it. */
    KeSetEvent(&Session->HasBegun, IO_NO_INCREMENT, FALSE);
}

static VOID End(PDEVICE_OBJECT Device, PVOID Context) {
    SESSION* const Session = Context;
    SERVER* const Server = Session->Server;
    KIRQL Irql;
    UNREFERENCED_PARAMETER(Device);
    KeWaitForSingleObject(&Session->HasBegun, Executive, KernelMode, FALSE, NULL);
    /* The client waits for this answer to its own; if it is not there any more, nothing is lost. */
    if (Session->Connection.IsConnected) (VOID) ConnectionDisconnect(&Session->Connection);
    ConnectionClose(&Session->Connection);
    BufferFree(&Session->Store);
    KeAcquireSpinLock(&Server->Lock, &Irql);
    RemoveEntryList(&Session->Link);
    KeReleaseSpinLock(&Server->Lock, Irql);
    SessionFree(Session);
    ExReleaseRundownProtection(&Server->Running);
}

VOID SessionBegin(SESSION* Session) { IoQueueWorkItem(Session->BeginItem, Begin, DelayedWorkQueue, Session); }

VOID SessionEnd(SESSION* Session) {
    if (InterlockedExchange(&Session->IsEnding, 1) == 0)
        IoQueueWorkItem(Session->EndItem, End, DelayedWorkQueue, Session);
}
