/* SPDX-License-Identifier: MIT
 *
 * wskndk.h: NDK adapters through Winsock Kernel: the table of functions that WskControlClient gives for
 * WSKNDK_GET_WSK_PROVIDER_NDK_DISPATCH. The route is the index of an interface; netioapi.h leads there from an address.
 */
#ifndef OPENND_NDK_WSKNDK_H
#define OPENND_NDK_WSKNDK_H

#include <ndkpi.h>

#include "wsk.h"

#define WSKNDK_GET_WSK_PROVIDER_NDK_DISPATCH 0x4E444B44u /* 'NDKD' */

/* opennd_ndk_open_adapter with flags 0 and its statuses. PASSIVE_LEVEL. (NDK-HOST-14) */
typedef NTSTATUS (*PFN_WSK_NDK_OPEN_ADAPTER)(PWSK_CLIENT Client, NDK_VERSION NdkVersion, NET_IFINDEX IfIndex,
                                             NDK_ADAPTER** ppNdkAdapter);

/* Returns when everything that was made from the adapter is closed. PASSIVE_LEVEL, not in a callback. */
typedef VOID (*PFN_WSK_NDK_CLOSE_ADAPTER)(PWSK_CLIENT Client, NDK_ADAPTER* pNdkAdapter);

typedef struct _WSK_PROVIDER_NDK_DISPATCH {
    PFN_WSK_NDK_OPEN_ADAPTER WskOpenNdkAdapter;
    PFN_WSK_NDK_CLOSE_ADAPTER WskCloseNdkAdapter;
} WSK_PROVIDER_NDK_DISPATCH, *PWSK_PROVIDER_NDK_DISPATCH;

OPENND_ASSERT_SIZE(WSK_PROVIDER_NDK_DISPATCH, 0x10, 8);
OPENND_ASSERT_OFFSET(WSK_PROVIDER_NDK_DISPATCH, WskCloseNdkAdapter, 0x08);

#endif
