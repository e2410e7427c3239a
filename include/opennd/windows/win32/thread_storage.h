/* SPDX-License-Identifier: MIT
 *
 * thread_storage.h: a pointer for each thread, under an index that all threads share.
 */
#ifndef OPENND_WINDOWS_THREAD_STORAGE_H
#define OPENND_WINDOWS_THREAD_STORAGE_H

#include "errors.h"
#include "types.h"

#define TLS_OUT_OF_INDEXES    0xFFFFFFFFu
#define TLS_MINIMUM_AVAILABLE 64 /* that every process has; there are 1088 */

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Takes an index, whose value is NULL in every thread. The caller gives it back with TlsFree. The index;
 * TLS_OUT_OF_INDEXES and ERROR_NO_MORE_ITEMS: all are taken. */
DWORD WINAPI TlsAlloc(VOID);

/* Gives an index back. What the threads' values point to is the program's. TRUE; FALSE and ERROR_INVALID_PARAMETER: not
 * an index that is taken. */
BOOL WINAPI TlsFree(DWORD dwTlsIndex);

/* The calling thread's value. Unlike most functions that succeed this one sets the last error to ERROR_SUCCESS, since
 * NULL is a value, too. NULL and ERROR_INVALID_PARAMETER: beyond all indices; whether one within is taken is not looked
 * at, as on Windows. */
LPVOID WINAPI TlsGetValue(DWORD dwTlsIndex);

/* Sets the calling thread's value; it is forgotten when the thread ends. TRUE; FALSE. ERROR_INVALID_PARAMETER: beyond
 * all indices; ERROR_NOT_ENOUGH_MEMORY. */
BOOL WINAPI TlsSetValue(DWORD dwTlsIndex, LPVOID lpTlsValue);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
