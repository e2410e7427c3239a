/* SPDX-License-Identifier: MIT
 * The callback may come before the call has returned, and on another thread: nothing is touched after the wait. */
#include "adapter/pending.h"

VOID PendingBegin(PENDING* Pending) {
    KeInitializeEvent(&Pending->Ended, NotificationEvent, FALSE);
    Pending->Status = STATUS_PENDING;
    Pending->Object = NULL;
}

VOID PendingEnded(PVOID Context, NTSTATUS Status) {
    PENDING* Pending = Context;
    Pending->Status = Status;
    KeSetEvent(&Pending->Ended, IO_NETWORK_INCREMENT, FALSE);
}

VOID PendingCreated(PVOID Context, NTSTATUS Status, NDK_OBJECT_HEADER* Object) {
    PENDING* Pending = Context;
    Pending->Object = NT_SUCCESS(Status) ? Object : NULL;
    PendingEnded(Context, Status);
}

NTSTATUS PendingWait(PENDING* Pending, NTSTATUS Returned) {
    if (Returned != STATUS_PENDING) return Returned;
    KeWaitForSingleObject(&Pending->Ended, Executive, KernelMode, FALSE, NULL);
    return Pending->Status;
}

static VOID Closed(PVOID Context) { PendingEnded(Context, STATUS_SUCCESS); }

VOID PendingClose(NDK_FN_CLOSE_OBJECT Close, NDK_OBJECT_HEADER* Object) {
    PENDING Pending;
    PendingBegin(&Pending);
    PendingWait(&Pending, Close(Object, Closed, &Pending));
}

static VOID Ignored(PVOID Context) { UNREFERENCED_PARAMETER(Context); }

VOID PendingCloseLater(NDK_FN_CLOSE_OBJECT Close, NDK_OBJECT_HEADER* Object) { (VOID) Close(Object, Ignored, NULL); }
