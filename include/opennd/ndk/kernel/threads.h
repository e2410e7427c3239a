/* SPDX-License-Identifier: MIT
 *
 * threads.h: threads of a consumer's own. A handle names one until ZwClose; ObReferenceObjectByHandle turns it into an
 * object for KeWaitForSingleObject.
 */
#ifndef OPENND_KERNEL_THREADS_H
#define OPENND_KERNEL_THREADS_H

#include "events.h"

typedef VOID KSTART_ROUTINE(PVOID StartContext);
typedef KSTART_ROUTINE* PKSTART_ROUTINE;

typedef struct _KTHREAD *PKTHREAD, *PETHREAD;
typedef struct _OBJECT_TYPE* POBJECT_TYPE;
typedef ULONG ACCESS_MASK;

typedef struct _OBJECT_ATTRIBUTES {
    ULONG Length;
    HANDLE RootDirectory;
    PUNICODE_STRING ObjectName;
    ULONG Attributes;
    PVOID SecurityDescriptor;
    PVOID SecurityQualityOfService;
} OBJECT_ATTRIBUTES, *POBJECT_ATTRIBUTES;

typedef struct _CLIENT_ID {
    HANDLE UniqueProcess;
    HANDLE UniqueThread;
} CLIENT_ID, *PCLIENT_ID;

typedef struct _OBJECT_HANDLE_INFORMATION {
    ULONG HandleAttributes;
    ACCESS_MASK GrantedAccess;
} OBJECT_HANDLE_INFORMATION, *POBJECT_HANDLE_INFORMATION;

#define OBJ_KERNEL_HANDLE 0x00000200
#define SYNCHRONIZE       0x00100000
#define THREAD_ALL_ACCESS 0x001FFFFF

#define InitializeObjectAttributes(p, name, attributes, root, security) \
    do {                                                                \
        (p)->Length = sizeof(OBJECT_ATTRIBUTES);                        \
        (p)->RootDirectory = (root);                                    \
        (p)->ObjectName = (name);                                       \
        (p)->Attributes = (attributes);                                 \
        (p)->SecurityDescriptor = (security);                           \
        (p)->SecurityQualityOfService = NULL;                           \
    } while (0)

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Starts a thread at PASSIVE_LEVEL. Access and attributes have no effect, ProcessHandle must be NULL. The caller closes
 * *ThreadHandle; *ClientId, if ClientId is not NULL, tells process and thread by the system's numbers. STATUS_SUCCESS;
 * STATUS_INVALID_PARAMETER; STATUS_INSUFFICIENT_RESOURCES. */
NTSTATUS NTAPI PsCreateSystemThread(PHANDLE ThreadHandle, ULONG DesiredAccess, POBJECT_ATTRIBUTES ObjectAttributes,
                                    HANDLE ProcessHandle, PCLIENT_ID ClientId, PKSTART_ROUTINE StartRoutine,
                                    PVOID StartContext);

/* Ends the calling thread, which PsCreateSystemThread started. Of another thread: STATUS_INVALID_PARAMETER. */
NTSTATUS NTAPI PsTerminateSystemThread(NTSTATUS ExitStatus);

/* The thread behind the handle, which the caller gives back with ObDereferenceObject. ObjectType: NULL or *PsThreadType; the
 * rest has no effect. STATUS_SUCCESS; STATUS_INVALID_HANDLE; STATUS_OBJECT_TYPE_MISMATCH. */
NTSTATUS NTAPI ObReferenceObjectByHandle(HANDLE Handle, ACCESS_MASK DesiredAccess, POBJECT_TYPE ObjectType,
                                         KPROCESSOR_MODE AccessMode, PVOID* Object,
                                         POBJECT_HANDLE_INFORMATION HandleInformation);
VOID NTAPI ObReferenceObject(PVOID Object);
VOID NTAPI ObDereferenceObject(PVOID Object);

/* STATUS_SUCCESS; STATUS_INVALID_HANDLE: closed before, or no handle, which is reported. */
NTSTATUS NTAPI ZwClose(HANDLE Handle);

/* Below DISPATCH_LEVEL; Interval as the Timeout of KeWaitForSingleObject. STATUS_SUCCESS. */
NTSTATUS NTAPI KeDelayExecutionThread(KPROCESSOR_MODE WaitMode, BOOLEAN Alertable, PLARGE_INTEGER Interval);

/* Where the type of threads is named: *PsThreadType. */
POBJECT_TYPE* NTAPI opennd_wdm_thread_type(VOID);
#define PsThreadType opennd_wdm_thread_type()

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
