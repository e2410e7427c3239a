/* SPDX-License-Identifier: MIT
 *
 * A call of NDK that may end later: its callback, and the wait for it at PASSIVE_LEVEL. Lives on the caller's stack.
 */
#pragma once

#include <ndkpi.h>
#include <ntddk.h>

typedef struct _PENDING {
    KEVENT Ended;
    NTSTATUS Status;
    NDK_OBJECT_HEADER* Object; /* the object that a create made, if it made it later */
} PENDING;

VOID PendingBegin(PENDING* Pending);

/* The callbacks; the context is the PENDING. */
VOID PendingCreated(PVOID Pending, NTSTATUS Status, NDK_OBJECT_HEADER* Object);
VOID PendingEnded(PVOID Pending, NTSTATUS Status);

/* How the call that returned Returned ended. Waits if it pends. */
NTSTATUS PendingWait(PENDING* Pending, NTSTATUS Returned);

/* The object that a create call made: now, in its out parameter, or later, in its callback. */
#define PENDING_OBJECT(pending, object) ((pending)->Object == NULL ? (PVOID)(object) : (PVOID)(pending)->Object)

/* Closes the object and returns when it is closed. */
VOID PendingClose(NDK_FN_CLOSE_OBJECT Close, NDK_OBJECT_HEADER* Object);

/* Begins to close the object, for callers that cannot wait; the object's parent waits for it. */
VOID PendingCloseLater(NDK_FN_CLOSE_OBJECT Close, NDK_OBJECT_HEADER* Object);
