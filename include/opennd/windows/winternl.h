/* SPDX-License-Identifier: MIT
 *
 * winternl.h: the types that stand beneath Win32, and the code of Win32 for a status.
 */
#ifndef OPENND_WINDOWS_WINTERNL_H
#define OPENND_WINDOWS_WINTERNL_H

#include "windows.h"

/* Lengths are in bytes, without an end. */
typedef struct _UNICODE_STRING {
    USHORT Length;
    USHORT MaximumLength;
    PWSTR Buffer;
} UNICODE_STRING, *PUNICODE_STRING;
typedef const UNICODE_STRING* PCUNICODE_STRING;

typedef struct _STRING {
    USHORT Length;
    USHORT MaximumLength;
    PCHAR Buffer;
} STRING, *PSTRING, ANSI_STRING, *PANSI_STRING;

typedef struct _IO_STATUS_BLOCK {
    __extension__ union {
        NTSTATUS Status;
        PVOID Pointer;
    };
    ULONG_PTR Information;
} IO_STATUS_BLOCK, *PIO_STATUS_BLOCK;

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The code of Win32 that a function of Win32 leaves for this status. */
ULONG NTAPI RtlNtStatusToDosError(NTSTATUS Status);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
