/* SPDX-License-Identifier: MIT
 *
 * system.h: the host's processors and memory.
 */
#ifndef OPENND_WINDOWS_SYSTEM_H
#define OPENND_WINDOWS_SYSTEM_H

#include "types.h"

#define PROCESSOR_ARCHITECTURE_AMD64 9
#define PROCESSOR_ARCHITECTURE_ARM64 12

typedef struct _SYSTEM_INFO {
    __extension__ union {
        DWORD dwOemId;
        __extension__ struct {
            WORD wProcessorArchitecture;
            WORD wReserved;
        };
    };
    DWORD dwPageSize;
    LPVOID lpMinimumApplicationAddress;
    LPVOID lpMaximumApplicationAddress;
    DWORD_PTR dwActiveProcessorMask; /* of the first 64 */
    DWORD dwNumberOfProcessors;      /* at most 64: of one group */
    DWORD dwProcessorType;
    DWORD dwAllocationGranularity;
    WORD wProcessorLevel;
    WORD wProcessorRevision;
} SYSTEM_INFO, *LPSYSTEM_INFO;

/* Bytes. */
typedef struct _MEMORYSTATUSEX {
    DWORD dwLength;     /* sizeof(MEMORYSTATUSEX), given by the program */
    DWORD dwMemoryLoad; /* percent in use */
    DWORDLONG ullTotalPhys;
    DWORDLONG ullAvailPhys;
    DWORDLONG ullTotalPageFile; /* memory and swap */
    DWORDLONG ullAvailPageFile;
    DWORDLONG ullTotalVirtual;
    DWORDLONG ullAvailVirtual;
    DWORDLONG ullAvailExtendedVirtual; /* 0 */
} MEMORYSTATUSEX, *LPMEMORYSTATUSEX;

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Fills in the structure. */
VOID WINAPI GetSystemInfo(LPSYSTEM_INFO lpSystemInfo);

/* TRUE; FALSE and ERROR_INVALID_PARAMETER: dwLength is not the size. */
BOOL WINAPI GlobalMemoryStatusEx(LPMEMORYSTATUSEX lpBuffer);

/* How many processors a group of 64 has, or with ALL_PROCESSOR_GROUPS all have; 0 and ERROR_INVALID_PARAMETER: no such
 * group. */
DWORD WINAPI GetActiveProcessorCount(WORD GroupNumber);
WORD WINAPI GetActiveProcessorGroupCount(VOID);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
