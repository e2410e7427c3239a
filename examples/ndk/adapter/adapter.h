/* SPDX-License-Identifier: MIT
 *
 * An open NDK adapter with a protection domain.
 */
#pragma once

#include "adapter/provider.h"

typedef struct _ADAPTER {
    PROVIDER* Provider;
    NDK_ADAPTER* Ndk;
    NDK_ADAPTER_INFO Info;
    NDK_PD* Domain;
    UINT32 PrivilegedToken; /* names pages by their logical addresses, to this side only */
} ADAPTER;

/* NDK version 1.2 or higher, for SendAndInvalidate and NDK_OP_FLAG_DEFER. On failure nothing is left open. */
NTSTATUS AdapterOpen(ADAPTER* Adapter, PROVIDER* Provider, NET_IFINDEX Index);

/* Returns when everything made from the adapter is closed, and no callback runs any more. */
VOID AdapterClose(ADAPTER* Adapter);
