/* SPDX-License-Identifier: MIT
 *
 * ifdef.h: names of network interfaces and their hardware addresses, as structures hold them.
 */
#ifndef OPENND_WINDOWS_IFDEF_H
#define OPENND_WINDOWS_IFDEF_H

#include "win32/types.h"

typedef ULONG NET_IFINDEX, *PNET_IFINDEX;
typedef NET_IFINDEX IF_INDEX, *PIF_INDEX;
typedef UINT16 NET_IFTYPE;

/* An interface for as long as the host is up. */
typedef union _NET_LUID {
    ULONG64 Value;
    struct {
        ULONG64 Reserved : 24;
        ULONG64 NetLuidIndex : 24;
        ULONG64 IfType : 16;
    } Info;
} NET_LUID, *PNET_LUID, IF_LUID, *PIF_LUID;

#define IF_MAX_PHYS_ADDRESS_LENGTH 32

typedef struct _IF_PHYSICAL_ADDRESS {
    USHORT Length; /* bytes in use */
    UCHAR Address[IF_MAX_PHYS_ADDRESS_LENGTH];
} IF_PHYSICAL_ADDRESS, *PIF_PHYSICAL_ADDRESS;

#endif
