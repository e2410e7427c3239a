/* SPDX-License-Identifier: MIT
 *
 * mutexes.h: mutexes, which are handles. Recursive; held by a thread, until it releases it or ends.
 */
#ifndef OPENND_WINDOWS_MUTEXES_H
#define OPENND_WINDOWS_MUTEXES_H

#include "events.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Makes a mutex of this process; with bInitialOwner the calling thread holds it. WaitForSingleObject and
 * WaitForMultipleObjects take it, and take it again for the thread that holds it. Where a thread ended and held it, the next
 * that takes it is told so once: WAIT_ABANDONED. lpName must be NULL: mutexes are not shared by name. The caller owns the
 * handle and closes it with CloseHandle. NULL: ERROR_NOT_SUPPORTED: a name, and the log says so; ERROR_NO_SYSTEM_RESOURCES,
 * ERROR_NOT_ENOUGH_MEMORY. */
HANDLE WINAPI CreateMutexA(LPSECURITY_ATTRIBUTES lpMutexAttributes, BOOL bInitialOwner, LPCSTR lpName);
HANDLE WINAPI CreateMutexW(LPSECURITY_ATTRIBUTES lpMutexAttributes, BOOL bInitialOwner, LPCWSTR lpName);

/* Once for each time it was taken, by the same thread. TRUE; FALSE. ERROR_NOT_OWNER: the calling thread does not hold it;
 * ERROR_INVALID_HANDLE: not a mutex. */
BOOL WINAPI ReleaseMutex(HANDLE hMutex);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#ifdef UNICODE
#define CreateMutex CreateMutexW
#else
#define CreateMutex CreateMutexA
#endif

#endif
