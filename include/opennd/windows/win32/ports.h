/* SPDX-License-Identifier: MIT
 *
 * ports.h: completion ports, thread-pool callbacks, and the results of overlapped requests.
 */
#ifndef OPENND_WINDOWS_PORTS_H
#define OPENND_WINDOWS_PORTS_H

#include "handles.h"

/* A packet, as many are taken at once. */
typedef struct _OVERLAPPED_ENTRY {
    ULONG_PTR lpCompletionKey;
    LPOVERLAPPED lpOverlapped;
    ULONG_PTR Internal; /* the status */
    DWORD dwNumberOfBytesTransferred;
} OVERLAPPED_ENTRY, *LPOVERLAPPED_ENTRY;
OPENND_ASSERT_SIZE(OVERLAPPED_ENTRY, 32, 8);

typedef VOID(WINAPI* LPOVERLAPPED_COMPLETION_ROUTINE)(DWORD dwErrorCode, DWORD dwNumberOfBytesTransfered,
                                                      LPOVERLAPPED lpOverlapped);

#define FILE_SKIP_COMPLETION_PORT_ON_SUCCESS 0x1
#define FILE_SKIP_SET_EVENT_ON_HANDLE        0x2

/* For loops, too: it looks each time, and what the request did before it was complete is seen behind it. */
#define HasOverlappedIoCompleted(overlapped) \
    ((DWORD)__atomic_load_n(&(overlapped)->Internal, __ATOMIC_ACQUIRE) != 0x103u)

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Makes a port (FileHandle INVALID_HANDLE_VALUE), associates a file with a port, or both (ExistingCompletionPort NULL).
 * The number of threads has no effect: any number may wait. The caller owns a port that was made and closes it with
 * CloseHandle. The port; NULL: ERROR_INVALID_HANDLE; ERROR_INVALID_PARAMETER: the file has a port already (ND2-FILE-06),
 * or neither a file nor nothing is given with a port; ERROR_NO_SYSTEM_RESOURCES. */
HANDLE WINAPI CreateIoCompletionPort(HANDLE FileHandle, HANDLE ExistingCompletionPort, ULONG_PTR CompletionKey,
                                     DWORD NumberOfConcurrentThreads);

/* Takes the oldest packet, waiting at most dwMilliseconds (0 looks once, INFINITE waits without limit). (ND2-OVL-11)
 * TRUE: of a request that succeeded, or a posted one; FALSE with *lpOverlapped not NULL: of a request that failed, and the
 * last error says how; FALSE with NULL: none. WAIT_TIMEOUT; ERROR_ABANDONED_WAIT_0: the port was closed meanwhile;
 * ERROR_INVALID_HANDLE. */
BOOL WINAPI GetQueuedCompletionStatus(HANDLE CompletionPort, LPDWORD lpNumberOfBytesTransferred,
                                      PULONG_PTR lpCompletionKey, LPOVERLAPPED* lpOverlapped, DWORD dwMilliseconds);

/* Takes up to ulCount packets, failed ones too, waiting for the first only. With fAlertable the wait also makes the
 * calls that are queued to the thread (events.h). TRUE: *ulNumEntriesRemoved were taken, 1 or more; FALSE: none, and
 * the codes above, or WAIT_IO_COMPLETION: calls were made; ERROR_INVALID_PARAMETER; ERROR_NO_SYSTEM_RESOURCES: no
 * descriptor is left. */
BOOL WINAPI GetQueuedCompletionStatusEx(HANDLE CompletionPort, LPOVERLAPPED_ENTRY lpCompletionPortEntries,
                                        ULONG ulCount, PULONG ulNumEntriesRemoved, DWORD dwMilliseconds,
                                        BOOL fAlertable);

/* Leaves a packet of the program; lpOverlapped may be NULL or any pointer and is not looked at. TRUE; FALSE and
 * ERROR_INVALID_HANDLE, ERROR_NOT_ENOUGH_MEMORY. */
BOOL WINAPI PostQueuedCompletionStatus(HANDLE CompletionPort, DWORD dwNumberOfBytesTransferred,
                                       ULONG_PTR dwCompletionKey, LPOVERLAPPED lpOverlapped);

/* Calls Function on a thread of a pool for each request that completes on the file from now on, unless the lowest bit of
 * its hEvent is set; never inside a call of the program. dwErrorCode is 0 for ND_SUCCESS, otherwise the request's status
 * itself. Calls may run at the same time. Flags must be 0. (ND2-OVL-22)
 * TRUE; FALSE. ERROR_INVALID_PARAMETER: the file has a port or a callback already, or flags; ERROR_INVALID_HANDLE. */
BOOL WINAPI BindIoCompletionCallback(HANDLE FileHandle, LPOVERLAPPED_COMPLETION_ROUTINE Function, ULONG Flags);

/* FILE_SKIP_COMPLETION_PORT_ON_SUCCESS and FILE_SKIP_SET_EVENT_ON_HANDLE are in force for every overlapped file from its
 * beginning; asking for them succeeds. (ND2-FILE-04) TRUE; FALSE. ERROR_INVALID_PARAMETER: other flags;
 * ERROR_INVALID_HANDLE: not an overlapped file. */
BOOL WINAPI SetFileCompletionNotificationModes(HANDLE FileHandle, UCHAR Flags);

/* The outcome of a request; with bWait, once it is complete. hFile is looked at for a file of CreateFile alone, which a
 * wait for its requests needs. *lpNumberOfBytesTransferred is 0 for requests of Network Direct. (ND2-OVL-21) TRUE: it succeeded; FALSE. ERROR_IO_INCOMPLETE: in progress; otherwise the code
 * for the request's status. */
BOOL WINAPI GetOverlappedResult(HANDLE hFile, LPOVERLAPPED lpOverlapped, LPDWORD lpNumberOfBytesTransferred,
                                BOOL bWait);

/* Requests of Network Direct belong to objects, and CancelOverlappedRequests of the object cancels them: these find
 * none on the file. CancelIo: TRUE. CancelIoEx: FALSE and ERROR_NOT_FOUND. Both: FALSE and ERROR_INVALID_HANDLE: not
 * an overlapped file. */
BOOL WINAPI CancelIo(HANDLE hFile);
BOOL WINAPI CancelIoEx(HANDLE hFile, LPOVERLAPPED lpOverlapped);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
