/* SPDX-License-Identifier: MIT
 *
 * secure_memory.h: being told that memory goes away, for programs that keep registrations of memory.
 */
#ifndef OPENND_WINDOWS_SECURE_MEMORY_H
#define OPENND_WINDOWS_SECURE_MEMORY_H

#include "types.h"

/* TRUE: the program had registered memory in this range, and has given its registrations back; FALSE: it had none. */
typedef BOOLEAN(CALLBACK* PSECURE_MEMORY_CACHE_CALLBACK)(PVOID Addr, SIZE_T Range);

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Calls pfnCallBack for memory about to go, in the thread that gives it back: for memory that VirtualFree releases
 * or decommits, and for each block of 64 KiB or more that HeapFree, HeapReAlloc or HeapDestroy gives back. free,
 * delete and munmap call nothing. On Windows it is called for registered memory alone; here for all. It must not use
 * the heap that is about to change. Each call of this function counts. TRUE; FALSE and ERROR_INVALID_PARAMETER:
 * NULL; ERROR_NOT_ENOUGH_MEMORY. */
BOOL WINAPI AddSecureMemoryCacheCallback(PSECURE_MEMORY_CACHE_CALLBACK pfnCallBack);

/* Takes back one AddSecureMemoryCacheCallback. A call that has begun in another thread may still go on. TRUE; FALSE and
 * ERROR_INVALID_PARAMETER: it was not added. */
BOOL WINAPI RemoveSecureMemoryCacheCallback(PSECURE_MEMORY_CACHE_CALLBACK pfnCallBack);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
