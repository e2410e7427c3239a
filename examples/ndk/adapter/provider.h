/* SPDX-License-Identifier: MIT
 *
 * Winsock Kernel, which hands out NDK adapters by WSKNDK_GET_WSK_PROVIDER_NDK_DISPATCH.
 */
#pragma once

#include <ntddk.h>
#include <wsk.h>
#include <wskndk.h>

typedef struct _PROVIDER {
    WSK_CLIENT_NPI Client; /* stays where it is while registered */
    WSK_REGISTRATION Registration;
    WSK_PROVIDER_NPI Wsk;
    WSK_PROVIDER_NDK_DISPATCH Ndk;
} PROVIDER;

NTSTATUS ProviderAttach(PROVIDER* Provider);

/* Returns when every adapter that came from it is closed. */
VOID ProviderDetach(PROVIDER* Provider);
