/* SPDX-License-Identifier: MIT
 *
 * work_items.h: work for another thread. A pool of threads takes items in the order they were queued,
 * at PASSIVE_LEVEL, never on a thread of NDK callbacks; it grows while items block. A routine that returns at a raised
 * level is reported.
 */
#ifndef OPENND_KERNEL_WORK_ITEMS_H
#define OPENND_KERNEL_WORK_ITEMS_H

#include "driver.h"
#include "types.h"

/* Has no effect. */
typedef enum _WORK_QUEUE_TYPE {
    CriticalWorkQueue = 0,
    DelayedWorkQueue = 1,
    HyperCriticalWorkQueue = 2,
    NormalWorkQueue = 3
} WORK_QUEUE_TYPE;

typedef struct _IO_WORKITEM IO_WORKITEM, *PIO_WORKITEM;

typedef VOID IO_WORKITEM_ROUTINE(PDEVICE_OBJECT DeviceObject, PVOID Context);
typedef IO_WORKITEM_ROUTINE* PIO_WORKITEM_ROUTINE;
typedef VOID IO_WORKITEM_ROUTINE_EX(PVOID IoObject, PVOID Context, PIO_WORKITEM IoWorkItem);
typedef IO_WORKITEM_ROUTINE_EX* PIO_WORKITEM_ROUTINE_EX;

typedef VOID WORKER_THREAD_ROUTINE(PVOID Parameter);
typedef WORKER_THREAD_ROUTINE* PWORKER_THREAD_ROUTINE;

/* Belongs to the consumer; may be freed or queued again as soon as its routine has begun. */
typedef struct _WORK_QUEUE_ITEM {
    LIST_ENTRY List; /* Flink NULL: not queued */
    PWORKER_THREAD_ROUTINE WorkerRoutine;
    PVOID Parameter;
} WORK_QUEUE_ITEM, *PWORK_QUEUE_ITEM;

#define ExInitializeWorkItem(Item, Routine, Context) \
    ((Item)->List.Flink = NULL, (Item)->WorkerRoutine = (Routine), (void)((Item)->Parameter = (Context)))

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Up to DISPATCH_LEVEL. An item that is queued already is reported and not queued again. */
VOID NTAPI ExQueueWorkItem(PWORK_QUEUE_ITEM WorkItem, WORK_QUEUE_TYPE QueueType);

/* The caller frees it with IoFreeWorkItem. NULL: out of memory. */
PIO_WORKITEM NTAPI IoAllocateWorkItem(PDEVICE_OBJECT DeviceObject);
/* A work item that is queued and has not begun is reported, and not freed. Its own routine may free it. */
VOID NTAPI IoFreeWorkItem(PIO_WORKITEM IoWorkItem);

/* In memory of the caller's, of IoSizeofWorkItem() bytes. IoObject: a driver or device object. */
ULONG NTAPI IoSizeofWorkItem(VOID);
VOID NTAPI IoInitializeWorkItem(PVOID IoObject, PIO_WORKITEM IoWorkItem);
VOID NTAPI IoUninitializeWorkItem(PIO_WORKITEM IoWorkItem);

/* Up to DISPATCH_LEVEL. An item that is queued already is reported and not queued again. */
VOID NTAPI IoQueueWorkItem(PIO_WORKITEM IoWorkItem, PIO_WORKITEM_ROUTINE WorkerRoutine, WORK_QUEUE_TYPE QueueType,
                           PVOID Context);
VOID NTAPI IoQueueWorkItemEx(PIO_WORKITEM IoWorkItem, PIO_WORKITEM_ROUTINE_EX WorkerRoutine, WORK_QUEUE_TYPE QueueType,
                             PVOID Context);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
