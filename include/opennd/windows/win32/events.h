/* SPDX-License-Identifier: MIT
 *
 * events.h: events, and waiting for one handle or many.
 */
#ifndef OPENND_WINDOWS_EVENTS_H
#define OPENND_WINDOWS_EVENTS_H

#include "types.h"

#define MAXIMUM_WAIT_OBJECTS 64

#define WAIT_OBJECT_0    0u
#define WAIT_ABANDONED   0x80u
#define WAIT_ABANDONED_0 0x80u
#define WAIT_FAILED      0xFFFFFFFFu

/* An alertable wait ended because it made calls; STATUS_USER_APC beneath. */
#define WAIT_IO_COMPLETION 0x000000C0u

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Makes an event of this process. lpName must be NULL: events are not shared by name. The caller owns the handle and
 * closes it with CloseHandle. NULL: ERROR_NOT_SUPPORTED: a name, and the log says so; ERROR_NO_SYSTEM_RESOURCES: no
 * descriptor left. */
HANDLE WINAPI CreateEventA(LPSECURITY_ATTRIBUTES lpEventAttributes, BOOL bManualReset, BOOL bInitialState,
                           LPCSTR lpName);
HANDLE WINAPI CreateEventW(LPSECURITY_ATTRIBUTES lpEventAttributes, BOOL bManualReset, BOOL bInitialState,
                           LPCWSTR lpName);

/* Signals the event, or takes its signal away. TRUE; FALSE and ERROR_INVALID_HANDLE: not an event. */
BOOL WINAPI SetEvent(HANDLE hEvent);
BOOL WINAPI ResetEvent(HANDLE hEvent);

/* Waits for an event, a mutex or the end of a thread, at most dwMilliseconds (INFINITE: without limit). An auto-
 * reset event is reset by the wait that succeeds, and a mutex taken. WAIT_OBJECT_0; WAIT_ABANDONED: a mutex was
 * taken, its holder had ended; WAIT_TIMEOUT; WAIT_FAILED and ERROR_INVALID_HANDLE. */
DWORD WINAPI WaitForSingleObject(HANDLE hHandle, DWORD dwMilliseconds);

/* Waits for one of the handles, or, with bWaitAll, for all at once: no event is reset before all are signalled, and
 * then all are together. WAIT_OBJECT_0 + index: of the first that was signalled, or, with bWaitAll, of any;
 * WAIT_ABANDONED_0 + index: likewise, of a mutex, its holder had ended; WAIT_TIMEOUT; WAIT_FAILED.
 * ERROR_INVALID_PARAMETER: none, more than MAXIMUM_WAIT_OBJECTS, or bWaitAll and one of them twice;
 * ERROR_INVALID_HANDLE. */
DWORD WINAPI WaitForMultipleObjects(DWORD nCount, const HANDLE* lpHandles, BOOL bWaitAll, DWORD dwMilliseconds);

/* The same; with bAlertable the wait also makes the calls that are queued to the thread: of QueueUserAPC, of the
 * routine of a waitable timer, of the completion of ReadFileEx and WriteFileEx. It looks at the handles first, and
 * where they do not end it, makes all calls that are queued, the oldest first, and gives WAIT_IO_COMPLETION; so does
 * one that waits when a call comes. A call may itself wait alertably. ERROR_NO_SYSTEM_RESOURCES, too: no descriptor is
 * left for the wait. */
DWORD WINAPI WaitForSingleObjectEx(HANDLE hHandle, DWORD dwMilliseconds, BOOL bAlertable);
DWORD WINAPI WaitForMultipleObjectsEx(DWORD nCount, const HANDLE* lpHandles, BOOL bWaitAll, DWORD dwMilliseconds,
                                      BOOL bAlertable);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#ifdef UNICODE
#define CreateEvent CreateEventW
#else
#define CreateEvent CreateEventA
#endif

#endif
