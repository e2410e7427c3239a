/* SPDX-License-Identifier: MIT
 *
 * heaps.h: heaps. Blocks of 64 KiB and more come from opennd_memory_allocate: a peer on this host to which any part of
 * such a block is opened by registration can map all of it, so that an RDMA Write to it is a plain store.
 */
#ifndef OPENND_WINDOWS_HEAPS_H
#define OPENND_WINDOWS_HEAPS_H

#include "types.h"

#define HEAP_NO_SERIALIZE          0x00000001
#define HEAP_GENERATE_EXCEPTIONS   0x00000004 /* refused: nothing here is thrown */
#define HEAP_ZERO_MEMORY           0x00000008
#define HEAP_REALLOC_IN_PLACE_ONLY 0x00000010

#define PROCESS_HEAP_REGION            0x0001
#define PROCESS_HEAP_UNCOMMITTED_RANGE 0x0002
#define PROCESS_HEAP_ENTRY_BUSY        0x0004

/* Where HeapWalk is. lpData NULL: at the beginning. */
typedef struct _PROCESS_HEAP_ENTRY {
    PVOID lpData;
    DWORD cbData; /* bytes; of longer blocks 0xFFFFFFFF */
    BYTE cbOverhead;
    BYTE iRegionIndex;
    WORD wFlags;
} PROCESS_HEAP_ENTRY, *LPPROCESS_HEAP_ENTRY, *PPROCESS_HEAP_ENTRY;

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The heap that every program has; not to be destroyed. */
HANDLE WINAPI GetProcessHeap(VOID);

/* Makes a heap. flOptions: HEAP_NO_SERIALIZE has no effect. dwInitialSize has none either; dwMaximumSize must be 0: heaps
 * grow. The caller owns it and ends it with HeapDestroy. NULL and ERROR_INVALID_PARAMETER, ERROR_NOT_ENOUGH_MEMORY. */
HANDLE WINAPI HeapCreate(DWORD flOptions, SIZE_T dwInitialSize, SIZE_T dwMaximumSize);

/* Frees the heap and every block of it. TRUE; FALSE and ERROR_INVALID_HANDLE: not a heap, or the process's. */
BOOL WINAPI HeapDestroy(HANDLE hHeap);

/* Allocates; aligned to 16 bytes, and to a page from 64 KiB on; with HEAP_ZERO_MEMORY zeroed. The caller owns the block
 * and frees it with HeapFree of the same heap. NULL and ERROR_NOT_ENOUGH_MEMORY, ERROR_INVALID_PARAMETER: other
 * flags. */
LPVOID WINAPI HeapAlloc(HANDLE hHeap, DWORD dwFlags, SIZE_T dwBytes);

/* Changes the size of a block, which may move unless HEAP_REALLOC_IN_PLACE_ONLY is given; HEAP_ZERO_MEMORY zeroes
 * the added bytes. NULL: the block is as it was; the codes of HeapAlloc. */
LPVOID WINAPI HeapReAlloc(HANDLE hHeap, DWORD dwFlags, LPVOID lpMem, SIZE_T dwBytes);

/* Frees a block; NULL does nothing. TRUE; FALSE and ERROR_INVALID_PARAMETER: not a block of this heap. */
BOOL WINAPI HeapFree(HANDLE hHeap, DWORD dwFlags, LPVOID lpMem);

/* The size a block was allocated with. (SIZE_T)-1: not a block of this heap. */
SIZE_T WINAPI HeapSize(HANDLE hHeap, DWORD dwFlags, LPCVOID lpMem);

/* Holds off other threads' calls on the heap, until HeapUnlock. TRUE. */
BOOL WINAPI HeapLock(HANDLE hHeap);
BOOL WINAPI HeapUnlock(HANDLE hHeap);

/* TRUE: it is a heap, and lpMem, if not NULL, a block of it. */
BOOL WINAPI HeapValidate(HANDLE hHeap, DWORD dwFlags, LPCVOID lpMem);

/* Goes from block to block; hold HeapLock meanwhile. The blocks of the process's heap are not listed.
 * TRUE; FALSE and ERROR_NO_MORE_ITEMS. */
BOOL WINAPI HeapWalk(HANDLE hHeap, LPPROCESS_HEAP_ENTRY lpEntry);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
