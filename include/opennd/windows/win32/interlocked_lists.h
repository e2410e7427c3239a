/* SPDX-License-Identifier: MIT
 *
 * interlocked_lists.h: lists that any number of threads push to and pop from, the newest entry first.
 *
 * A push never waits. Pops and flushes of one list wait for each other, for the time of a few instructions: so an entry
 * may be freed as soon as it is popped, and pushed again at once. A thread that takes an entry finds it as the thread
 * that pushed it left it. Entries and heads are aligned to MEMORY_ALLOCATION_ALIGNMENT, as the memory of heaps, malloc
 * and _aligned_malloc(..., MEMORY_ALLOCATION_ALIGNMENT) is.
 */
#ifndef OPENND_WINDOWS_INTERLOCKED_LISTS_H
#define OPENND_WINDOWS_INTERLOCKED_LISTS_H

#include "layout.h"
#include "types.h"

/* Stands in the program's structure, at its beginning on Windows. */
typedef struct DECLSPEC_ALIGN(MEMORY_ALLOCATION_ALIGNMENT) _SLIST_ENTRY {
    struct _SLIST_ENTRY* Next;
} SLIST_ENTRY, *PSLIST_ENTRY;

/* All zero is an empty list, too. */
typedef struct DECLSPEC_ALIGN(MEMORY_ALLOCATION_ALIGNMENT) _SLIST_HEADER {
    PSLIST_ENTRY opennd_first;
    DWORD opennd_pops;  /* a lock: 0 free, 1 held, 2 held and somebody waits */
    DWORD opennd_depth; /* of entries, or one too many while an entry comes or goes */
} SLIST_HEADER, *PSLIST_HEADER;

OPENND_ASSERT_SIZE(SLIST_ENTRY, 16, 16);
OPENND_ASSERT_SIZE(SLIST_HEADER, 16, 16);

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Makes the list empty, while no other thread uses it. */
VOID WINAPI InitializeSListHead(PSLIST_HEADER ListHead);

/* Puts the entry in front. The entry that was the first; NULL: the list was empty. */
PSLIST_ENTRY WINAPI InterlockedPushEntrySList(PSLIST_HEADER ListHead, PSLIST_ENTRY ListEntry);

/* Takes the first entry. NULL: the list is empty. */
PSLIST_ENTRY WINAPI InterlockedPopEntrySList(PSLIST_HEADER ListHead);

/* Takes all entries: the first of them, linked by Next. NULL: the list is empty. */
PSLIST_ENTRY WINAPI InterlockedFlushSList(PSLIST_HEADER ListHead);

/* The number of entries, modulo 65536; while other threads use the list, of a moment that may be over. */
USHORT WINAPI QueryDepthSList(PSLIST_HEADER ListHead);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
