/* SPDX-License-Identifier: MIT
 *
 * types.h: the kernel's names for types, on top of Windows' common ones. Structures that belong to one
 * topic stand in its header.
 */
#ifndef OPENND_KERNEL_TYPES_H
#define OPENND_KERNEL_TYPES_H

#include <ndktypes.h>

#include "../../windows/win32/types.h"
#include "annotations.h"

/* ---- integers and pointers --------------------------------------------------------------------------------------- */

typedef CHAR CCHAR;
typedef ULONG LOGICAL;
typedef ULONG_PTR PFN_NUMBER, *PPFN_NUMBER; /* of the process's virtual page (NDK-HOST-20) */

typedef INT8* PINT8;
typedef INT16* PINT16;
typedef INT32* PINT32;
typedef UINT8* PUINT8;
typedef UINT16* PUINT16;
typedef NTSTATUS* PNTSTATUS;
typedef PVOID* PPVOID;
typedef GUID* PGUID;
typedef PHYSICAL_ADDRESS* PPHYSICAL_ADDRESS;
typedef const WCHAR* PCWCH;
typedef WCHAR* PWCH;
typedef const CHAR* PCSZ;

typedef CCHAR KPROCESSOR_MODE;
typedef enum _MODE { KernelMode = 0, UserMode = 1, MaximumMode = 2 } MODE;

/* ---- text -------------------------------------------------------------------------------------------------------- */

/* Lengths in bytes, without a terminator. A WCHAR has 32 bits here (NDK-HOST-52). */
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
typedef const ANSI_STRING* PCANSI_STRING;

/* ---- links ------------------------------------------------------------------------------------------------------- */

typedef struct _SINGLE_LIST_ENTRY {
    struct _SINGLE_LIST_ENTRY* Next;
} SINGLE_LIST_ENTRY, *PSINGLE_LIST_ENTRY;

/* ---- requests ---------------------------------------------------------------------------------------------------- */

/* How a request ended. */
typedef struct _IO_STATUS_BLOCK {
    __extension__ union {
        NTSTATUS Status;
        PVOID Pointer;
    };
    ULONG_PTR Information;
} IO_STATUS_BLOCK, *PIO_STATUS_BLOCK;

OPENND_ASSERT_SIZE(UNICODE_STRING, 16, 8);
OPENND_ASSERT_SIZE(IO_STATUS_BLOCK, 16, 8);

#endif
