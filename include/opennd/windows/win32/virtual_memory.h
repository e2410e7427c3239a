/* SPDX-License-Identifier: MIT
 *
 * virtual_memory.h: address space by pages. Memory that is reserved and committed at once comes from
 * opennd_memory_allocate, as heaps.h says of large blocks.
 */
#ifndef OPENND_WINDOWS_VIRTUAL_MEMORY_H
#define OPENND_WINDOWS_VIRTUAL_MEMORY_H

#include "types.h"

#define MEM_COMMIT   0x00001000
#define MEM_RESERVE  0x00002000
#define MEM_DECOMMIT 0x00004000
#define MEM_RELEASE  0x00008000
#define MEM_FREE     0x00010000
#define MEM_PRIVATE  0x00020000
#define MEM_MAPPED   0x00040000

/* VirtualAlloc takes the first three, CreateFileMapping all but the first. */
#define PAGE_NOACCESS          0x01
#define PAGE_READONLY          0x02
#define PAGE_READWRITE         0x04
#define PAGE_WRITECOPY         0x08
#define PAGE_EXECUTE_READ      0x20
#define PAGE_EXECUTE_READWRITE 0x40
#define PAGE_EXECUTE_WRITECOPY 0x80

/* Pages of one kind that lie together. */
typedef struct _MEMORY_BASIC_INFORMATION {
    PVOID BaseAddress;       /* of the page asked for */
    PVOID AllocationBase;    /* begin of VirtualAlloc's block, of a view, or of another mapping; NULL: free */
    DWORD AllocationProtect; /* the mapping's */
    WORD PartitionId;        /* 0 */
    SIZE_T RegionSize;       /* bytes from BaseAddress on that are alike */
    DWORD State;             /* MEM_COMMIT, MEM_RESERVE (no access), MEM_FREE */
    DWORD Protect;           /* 0 of reserved pages */
    DWORD Type;              /* MEM_MAPPED: a view of a file mapping; MEM_PRIVATE; 0: free */
} MEMORY_BASIC_INFORMATION, *PMEMORY_BASIC_INFORMATION;

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* MEM_RESERVE | MEM_COMMIT: zeroed memory (lpAddress must be NULL). MEM_RESERVE: addresses without memory, at
 * lpAddress or, if it is NULL, anywhere. MEM_COMMIT: memory for pages of a reservation. The caller owns the
 * reservation and gives it back with VirtualFree. NULL: ERROR_INVALID_PARAMETER: nothing to do, 0 bytes, another
 * flag or protection; ERROR_INVALID_ADDRESS: the place is taken, or not reserved; ERROR_NOT_ENOUGH_MEMORY. */
LPVOID WINAPI VirtualAlloc(LPVOID lpAddress, SIZE_T dwSize, DWORD flAllocationType, DWORD flProtect);

/* MEM_RELEASE, with dwSize 0: gives back all that VirtualAlloc gave at lpAddress. MEM_DECOMMIT: gives back the memory of
 * pages of a reservation, which stays; dwSize 0: of all of it. TRUE; FALSE. ERROR_INVALID_PARAMETER: another flag or size, or
 * memory that was committed with its reservation, which is released only; ERROR_INVALID_ADDRESS: not such an address. */
BOOL WINAPI VirtualFree(LPVOID lpAddress, SIZE_T dwSize, DWORD dwFreeType);

/* Describes the pages around an address, mapped by any code. The bytes written; 0: ERROR_INVALID_PARAMETER: dwLength
 * is too small, or the address is beyond a program's. */
SIZE_T WINAPI VirtualQuery(LPCVOID lpAddress, PMEMORY_BASIC_INFORMATION lpBuffer, SIZE_T dwLength);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
