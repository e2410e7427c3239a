/* SPDX-License-Identifier: MIT
 *
 * events.h: events, and waiting for them and for threads.
 */
#ifndef OPENND_KERNEL_EVENTS_H
#define OPENND_KERNEL_EVENTS_H

#include "status.h"
#include "types.h"

typedef enum _EVENT_TYPE {
    NotificationEvent = 0,   /* stays signalled until it is reset; a wait changes nothing */
    SynchronizationEvent = 1 /* lets one wait end, and is reset by that */
} EVENT_TYPE;

typedef enum _KWAIT_REASON { Executive = 0, UserRequest = 6 } KWAIT_REASON;

typedef LONG KPRIORITY;
#define IO_NO_INCREMENT       0
#define IO_NETWORK_INCREMENT  2
#define EVENT_INCREMENT       1
#define LOW_PRIORITY          0
#define LOW_REALTIME_PRIORITY 16

/* The first member of every object that threads wait for. */
typedef struct _DISPATCHER_HEADER {
    ULONG opennd_kind; /* tells an initialised object from other memory */
    ULONG opennd_signalled;
} DISPATCHER_HEADER, *PDISPATCHER_HEADER;

typedef struct _KEVENT {
    DISPATCHER_HEADER Header;
} KEVENT, *PKEVENT, *PRKEVENT;

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

VOID NTAPI KeInitializeEvent(PKEVENT Event, EVENT_TYPE Type, BOOLEAN State);

/* Increment has no effect; Wait must be FALSE above APC_LEVEL and has no other effect. Nonzero: it was signalled
 * before. A released waiter may free the event at once. */
LONG NTAPI KeSetEvent(PKEVENT Event, KPRIORITY Increment, BOOLEAN Wait);
/* Nonzero: it was signalled before. */
LONG NTAPI KeResetEvent(PKEVENT Event);
VOID NTAPI KeClearEvent(PKEVENT Event);
/* Nonzero: it is signalled. */
LONG NTAPI KeReadStateEvent(PKEVENT Event);

/* Object: a KEVENT, or a thread that ObReferenceObjectByHandle gave. Timeout in units of 100 ns: NULL never, 0 does
 * not wait, negative from now, positive as KeQuerySystemTime counts. Reason, mode and Alertable have no effect. At
 * DISPATCH_LEVEL only a Timeout of 0 is allowed; any other is reported, and waited for. STATUS_SUCCESS;
 * STATUS_TIMEOUT; STATUS_INVALID_PARAMETER: nothing to wait for, which is reported. */
NTSTATUS NTAPI KeWaitForSingleObject(PVOID Object, KWAIT_REASON WaitReason, KPROCESSOR_MODE WaitMode, BOOLEAN Alertable,
                                     PLARGE_INTEGER Timeout);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
