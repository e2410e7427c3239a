/* SPDX-License-Identifier: MIT
 *
 * ndkinfo.h: what an NDK adapter is and can do. Read ndkpi.h next.
 */
#ifndef OPENND_NDKINFO_H
#define OPENND_NDKINFO_H

#include "ndktypes.h"

/* Opening names a major version and the least minor one that will do; objects carry the highest minor one of that
 * major version. */
typedef struct {
    USHORT Major;
    USHORT Minor;
} NDK_VERSION;

typedef enum _NDK_RDMA_TECHNOLOGY {
    NdkUndefined = 0,
    NdkiWarp = 1,
    NdkInfiniBand = 2,
    NdkRoCE = 3,
    NdkRoCEv2 = 4,
    NdkMaxTechnology = 5
} NDK_RDMA_TECHNOLOGY;

/* NDK_ADAPTER_INFO.AdapterFlags. */
#define NDK_ADAPTER_FLAG_IN_ORDER_DMA_SUPPORTED 0x00000001 /* incoming data land in order, the last byte last */
#define NDK_ADAPTER_FLAG_RDMA_READ_SINK_NOT_REQUIRED \
    0x00000002 /* Reads need no right of their own in the local memory */
#define NDK_ADAPTER_FLAG_CQ_INTERRUPT_MODERATION_SUPPORTED    0x00000004
#define NDK_ADAPTER_FLAG_MULTI_ENGINE_SUPPORTED               0x00000008 /* connections run in parallel */
#define NDK_ADAPTER_FLAG_RDMA_READ_LOCAL_INVALIDATE_SUPPORTED 0x00000010
#define NDK_ADAPTER_FLAG_CQ_RESIZE_SUPPORTED                  0x00000100
#define NDK_ADAPTER_FLAG_LOOPBACK_CONNECTIONS_SUPPORTED       0x00010000 /* an address connects to itself */

/* Sizes in bytes. Constant while the adapter is open. (NDK-ADP-INFO-01 to -05) */
typedef struct _NDK_ADAPTER_INFO {
    NDK_VERSION Version;
    UINT32 VendorId;
    UINT32 DeviceId;
    SIZE_T MaxRegistrationSize;
    SIZE_T MaxWindowSize; /* 0: no memory windows */
    ULONG FRMRPageCount;  /* pages of 4096 bytes of a fast registration that works best */
    ULONG MaxInitiatorRequestSge;
    ULONG MaxReceiveRequestSge;
    ULONG MaxReadRequestSge;
    ULONG MaxTransferLength;
    ULONG MaxInlineDataSize;
    ULONG MaxInboundReadLimit;  /* Reads of the peer in progress at a time */
    ULONG MaxOutboundReadLimit; /* own Reads in progress at a time */
    ULONG MaxReceiveQueueDepth;
    ULONG MaxInitiatorQueueDepth;
    ULONG MaxSrqDepth; /* 0: no shared receive queues */
    ULONG MaxCqDepth;
    ULONG LargeRequestThreshold;        /* from this size Read and Write are faster than Send */
    ULONG MaxCallerData;                /* private data of NdkConnect */
    ULONG MaxCalleeData;                /* private data of NdkAccept and NdkReject */
    ULONG AdapterFlags;                 /* NDK_ADAPTER_FLAG_... */
    NDK_RDMA_TECHNOLOGY RdmaTechnology; /* from version 2.0 on */
} NDK_ADAPTER_INFO;

/* ---- layout ------------------------------------------------------------------------------------------------------ */

OPENND_ASSERT_SIZE(NDK_VERSION, 4, 2);
OPENND_ASSERT_OFFSET(NDK_VERSION, Major, 0);
OPENND_ASSERT_OFFSET(NDK_VERSION, Minor, 2);

OPENND_ASSERT_SIZE(NDK_ADAPTER_INFO, 0x68, 8);
OPENND_ASSERT_OFFSET(NDK_ADAPTER_INFO, Version, 0x00);
OPENND_ASSERT_OFFSET(NDK_ADAPTER_INFO, VendorId, 0x04);
OPENND_ASSERT_OFFSET(NDK_ADAPTER_INFO, DeviceId, 0x08);
OPENND_ASSERT_OFFSET(NDK_ADAPTER_INFO, MaxRegistrationSize, 0x10);
OPENND_ASSERT_OFFSET(NDK_ADAPTER_INFO, MaxWindowSize, 0x18);
OPENND_ASSERT_OFFSET(NDK_ADAPTER_INFO, FRMRPageCount, 0x20);
OPENND_ASSERT_OFFSET(NDK_ADAPTER_INFO, MaxInitiatorRequestSge, 0x24);
OPENND_ASSERT_OFFSET(NDK_ADAPTER_INFO, MaxReceiveRequestSge, 0x28);
OPENND_ASSERT_OFFSET(NDK_ADAPTER_INFO, MaxReadRequestSge, 0x2C);
OPENND_ASSERT_OFFSET(NDK_ADAPTER_INFO, MaxTransferLength, 0x30);
OPENND_ASSERT_OFFSET(NDK_ADAPTER_INFO, MaxInlineDataSize, 0x34);
OPENND_ASSERT_OFFSET(NDK_ADAPTER_INFO, MaxInboundReadLimit, 0x38);
OPENND_ASSERT_OFFSET(NDK_ADAPTER_INFO, MaxOutboundReadLimit, 0x3C);
OPENND_ASSERT_OFFSET(NDK_ADAPTER_INFO, MaxReceiveQueueDepth, 0x40);
OPENND_ASSERT_OFFSET(NDK_ADAPTER_INFO, MaxInitiatorQueueDepth, 0x44);
OPENND_ASSERT_OFFSET(NDK_ADAPTER_INFO, MaxSrqDepth, 0x48);
OPENND_ASSERT_OFFSET(NDK_ADAPTER_INFO, MaxCqDepth, 0x4C);
OPENND_ASSERT_OFFSET(NDK_ADAPTER_INFO, LargeRequestThreshold, 0x50);
OPENND_ASSERT_OFFSET(NDK_ADAPTER_INFO, MaxCallerData, 0x54);
OPENND_ASSERT_OFFSET(NDK_ADAPTER_INFO, MaxCalleeData, 0x58);
OPENND_ASSERT_OFFSET(NDK_ADAPTER_INFO, AdapterFlags, 0x5C);
OPENND_ASSERT_OFFSET(NDK_ADAPTER_INFO, RdmaTechnology, 0x60);

#endif
