/* SPDX-License-Identifier: MIT
 *
 * ndktypes.h: the kernel's types that NDKPI signatures are made of, beyond those of ndtypes.h. Read ndkinfo.h next.
 */
#ifndef OPENND_NDKTYPES_H
#define OPENND_NDKTYPES_H

#include "ndtypes.h"

/* ---- integers and pointers --------------------------------------------------------------------------------------- */

typedef uint64_t ULONG64;
typedef ULONG NET_IFINDEX; /* an interface as Linux numbers it (if_nametoindex) */
typedef ULONG IF_INDEX;
typedef SOCKADDR* PSOCKADDR;

typedef LARGE_INTEGER PHYSICAL_ADDRESS;

/* ---- memory descriptor lists ------------------------------------------------------------------------------------- */

/* A stretch of virtual memory and its pages of 4096 bytes: behind the structure follows a page number (ULONG_PTR) for
 * each. Here a page number is that of the process's virtual page (NDK-HOST-20). The virtual address itself is an
 * index: data are reached by the pages (NDK-MDL-01 to -04). */
typedef struct _MDL {
    struct _MDL* Next; /* the next stretch; its virtual address continues this one */
    SHORT Size;        /* bytes of the structure with its page numbers */
    SHORT MdlFlags;    /* MDL_... */
    USHORT AllocationProcessorNumber;
    USHORT Reserved;
    PVOID Process;
    PVOID
    MappedSystemVa; /* where the bytes can be reached; with MDL_MAPPED_TO_SYSTEM_VA or MDL_SOURCE_IS_NONPAGED_POOL */
    PVOID StartVa;  /* of the first page */
    ULONG ByteCount;
    ULONG ByteOffset; /* of the first byte, in the first page */
} MDL, *PMDL;

#define MDL_MAPPED_TO_SYSTEM_VA     0x0001
#define MDL_PAGES_LOCKED            0x0002
#define MDL_SOURCE_IS_NONPAGED_POOL 0x0004
#define MDL_ALLOCATED_FIXED_SIZE    0x0008
#define MDL_PARTIAL                 0x0010

/* ---- layout ------------------------------------------------------------------------------------------------------ */

OPENND_ASSERT_SIZE(MDL, 0x30, 8);
OPENND_ASSERT_OFFSET(MDL, Next, 0x00);
OPENND_ASSERT_OFFSET(MDL, Size, 0x08);
OPENND_ASSERT_OFFSET(MDL, MdlFlags, 0x0A);
OPENND_ASSERT_OFFSET(MDL, AllocationProcessorNumber, 0x0C);
OPENND_ASSERT_OFFSET(MDL, Reserved, 0x0E);
OPENND_ASSERT_OFFSET(MDL, Process, 0x10);
OPENND_ASSERT_OFFSET(MDL, MappedSystemVa, 0x18);
OPENND_ASSERT_OFFSET(MDL, StartVa, 0x20);
OPENND_ASSERT_OFFSET(MDL, ByteCount, 0x28);
OPENND_ASSERT_OFFSET(MDL, ByteOffset, 0x2C);

#endif
