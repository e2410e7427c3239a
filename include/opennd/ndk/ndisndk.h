/* SPDX-License-Identifier: MIT
 *
 * ndisndk.h: how NDIS opens an NDK adapter of a provider, with OpenND as the provider (NDK-HOST-10).
 */
#ifndef OPENND_NDK_NDISNDK_H
#define OPENND_NDK_NDISNDK_H

#include <ndkpi.h>
#include <ndkstatistics.h>

#include "kernel/status.h"
#include "kernel/types.h"

typedef NTSTATUS NDIS_STATUS, *PNDIS_STATUS;
typedef PVOID NDIS_HANDLE, *PNDIS_HANDLE;
#define NDIS_STATUS_SUCCESS       ((NDIS_STATUS)STATUS_SUCCESS)
#define NDIS_STATUS_NOT_SUPPORTED ((NDIS_STATUS)STATUS_NOT_SUPPORTED)

#define NDIS_OBJECT_TYPE_NDK_PROVIDER_CHARACTERISTICS 0xB2
#define NDIS_NDK_PROVIDER_CHARACTERISTICS_REVISION_1  1

/* Which version, and which port of a virtual switch: only the default one, 0, is there. */
typedef struct _NDIS_OPEN_NDK_ADAPTER_PARAMETERS {
    NDK_VERSION Version;
    ULONG SwitchId;
    ULONG VPortId;
} NDIS_OPEN_NDK_ADAPTER_PARAMETERS, *PNDIS_OPEN_NDK_ADAPTER_PARAMETERS;

/* MiniportAdapterContext is the interface's index, cast to a pointer. Statuses are those of opennd_ndk_open_adapter;
 * STATUS_NOT_SUPPORTED: another port than the default one; STATUS_INVALID_PARAMETER: a NULL pointer. PASSIVE_LEVEL. */
typedef NDIS_STATUS OPEN_NDK_ADAPTER(NDIS_HANDLE MiniportAdapterContext, PNDIS_OPEN_NDK_ADAPTER_PARAMETERS Parameters,
                                     NDK_ADAPTER** ppNdkAdapter);
typedef OPEN_NDK_ADAPTER* OPEN_NDK_ADAPTER_HANDLER;

/* Returns when everything that was made from the adapter is closed. PASSIVE_LEVEL, not in a callback. */
typedef VOID CLOSE_NDK_ADAPTER(NDIS_HANDLE MiniportAdapterContext, NDK_ADAPTER* pNdkAdapter);
typedef CLOSE_NDK_ADAPTER* CLOSE_NDK_ADAPTER_HANDLER;

typedef struct _NDIS_NDK_PROVIDER_CHARACTERISTICS {
    NDIS_OBJECT_HEADER Header;
    ULONG Flags; /* 0 */
    OPEN_NDK_ADAPTER_HANDLER OpenNDKAdapterHandler;
    CLOSE_NDK_ADAPTER_HANDLER CloseNDKAdapterHandler;
} NDIS_NDK_PROVIDER_CHARACTERISTICS, *PNDIS_NDK_PROVIDER_CHARACTERISTICS;

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* OpenND. Never NULL; static storage. */
const NDIS_NDK_PROVIDER_CHARACTERISTICS* NTAPI opennd_ndk_provider(VOID);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

/* ---- layout ------------------------------------------------------------------------------------------------------ */

OPENND_ASSERT_SIZE(NDIS_OPEN_NDK_ADAPTER_PARAMETERS, 0x0C, 4);
OPENND_ASSERT_OFFSET(NDIS_OPEN_NDK_ADAPTER_PARAMETERS, SwitchId, 0x04);
OPENND_ASSERT_OFFSET(NDIS_OPEN_NDK_ADAPTER_PARAMETERS, VPortId, 0x08);
OPENND_ASSERT_SIZE(NDIS_NDK_PROVIDER_CHARACTERISTICS, 0x18, 8);
OPENND_ASSERT_OFFSET(NDIS_NDK_PROVIDER_CHARACTERISTICS, Flags, 0x04);
OPENND_ASSERT_OFFSET(NDIS_NDK_PROVIDER_CHARACTERISTICS, OpenNDKAdapterHandler, 0x08);
OPENND_ASSERT_OFFSET(NDIS_NDK_PROVIDER_CHARACTERISTICS, CloseNDKAdapterHandler, 0x10);

#endif
