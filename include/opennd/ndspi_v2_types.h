/* SPDX-License-Identifier: MIT
 *
 * ndspi_v2_types.h: structures and interface identifiers of Network Direct version 2. Include ndspi.h; read ndspi_v2.h
 * for the interfaces. Layouts are those of a 64-bit Windows process.
 */
#ifndef OPENND_NDSPI_V2_TYPES_H
#define OPENND_NDSPI_V2_TYPES_H

#include "ndcom.h"
#include "nddef.h"
#include "ndstatus.h"
#include "ndtypes.h"

/* ---- structures -------------------------------------------------------------------------------------------------- */

/* The limits of an adapter. All maxima may be used together in one queue pair (ND2-ADP-LIM-02). Sizes are in bytes. */
typedef struct _ND2_ADAPTER_INFO {
    ULONG InfoVersion; /* ND_VERSION_2 */
    UINT16 VendorId;
    UINT16 DeviceId;
    UINT64 AdapterId;                 /* as IND2Provider::ResolveAddress gives it */
    SIZE_T MaxRegistrationSize;       /* of one memory region */
    SIZE_T MaxWindowSize;             /* of one memory window */
    ULONG MaxInitiatorSge;            /* SGEs of a Send or Write */
    ULONG MaxReceiveSge;              /* SGEs of a Receive */
    ULONG MaxReadSge;                 /* SGEs of a Read; not above MaxInitiatorSge */
    ULONG MaxTransferLength;          /* of one request, all SGEs together */
    ULONG MaxInlineDataSize;          /* of one request with ND_OP_FLAG_INLINE */
    ULONG MaxInboundReadLimit;        /* Reads of the peer in progress at a time */
    ULONG MaxOutboundReadLimit;       /* own Reads in progress at a time */
    ULONG MaxReceiveQueueDepth;       /* requests */
    ULONG MaxInitiatorQueueDepth;     /* requests; not below MaxReceiveQueueDepth */
    ULONG MaxSharedReceiveQueueDepth; /* requests; 0: no shared receive queues */
    ULONG MaxCompletionQueueDepth;    /* results */
    ULONG InlineRequestThreshold;     /* below this size an inline request is faster; not above MaxInlineDataSize */
    ULONG LargeRequestThreshold;      /* from this size Read and Write are faster than Send */
    ULONG MaxCallerData;              /* private data of Connect */
    ULONG MaxCalleeData;              /* private data of Accept and Reject */
    ULONG AdapterFlags;               /* ND_ADAPTER_FLAG_... */
} ND2_ADAPTER_INFO;

/* The same as a 32-bit process has it. Here for programs that exchange it; no method fills one. */
typedef struct _ND2_ADAPTER_INFO32 {
    ULONG InfoVersion;
    UINT16 VendorId;
    UINT16 DeviceId;
    UINT64 AdapterId;
    ULONG MaxRegistrationSize;
    ULONG MaxWindowSize;
    ULONG MaxInitiatorSge;
    ULONG MaxReceiveSge;
    ULONG MaxReadSge;
    ULONG MaxTransferLength;
    ULONG MaxInlineDataSize;
    ULONG MaxInboundReadLimit;
    ULONG MaxOutboundReadLimit;
    ULONG MaxReceiveQueueDepth;
    ULONG MaxInitiatorQueueDepth;
    ULONG MaxSharedReceiveQueueDepth;
    ULONG MaxCompletionQueueDepth;
    ULONG InlineRequestThreshold;
    ULONG LargeRequestThreshold;
    ULONG MaxCallerData;
    ULONG MaxCalleeData;
    ULONG AdapterFlags;
} ND2_ADAPTER_INFO32;

typedef enum _ND2_REQUEST_TYPE {
    Nd2RequestTypeReceive = 0,
    Nd2RequestTypeSend = 1,
    Nd2RequestTypeBind = 2,
    Nd2RequestTypeInvalidate = 3,
    Nd2RequestTypeRead = 4,
    Nd2RequestTypeWrite = 5
} ND2_REQUEST_TYPE;

/* How a posted request ended. After an error status, all else of its queue pair is flushed (ND2-QP-ERR-01). */
typedef struct _ND2_RESULT {
    HRESULT Status;         /* docs/statuses.md, or `nd explain`, says which, when */
    ULONG BytesTransferred; /* Receive or Read that succeeded: bytes placed; otherwise 0 */
    VOID* QueuePairContext; /* as given to CreateQueuePair */
    VOID* RequestContext;   /* as given to the request */
    ND2_REQUEST_TYPE RequestType;
} ND2_RESULT;

/* One stretch of local memory of a request: a scatter/gather element. Laid out as struct ibv_sge is. */
typedef struct _ND2_SGE {
    VOID* Buffer;
    ULONG BufferLength;       /* bytes; 0 is not looked at further */
    UINT32 MemoryRegionToken; /* IND2MemoryRegion::GetLocalToken; ignored if inline */
} ND2_SGE;

/* ---- identifiers ------------------------------------------------------------------------------------------------- */

DEFINE_GUID(IID_IND2Overlapped, 0xABF72719, 0xB016, 0x4A40, 0xA6, 0xF7, 0x62, 0x27, 0x91, 0xA7, 0x04, 0x4C);
DEFINE_GUID(IID_IND2CompletionQueue, 0x20CC445E, 0x64A0, 0x4CBB, 0xAA, 0x75, 0xF6, 0xA7, 0x25, 0x1F, 0xDA, 0x9E);
DEFINE_GUID(IID_IND2SharedReceiveQueue, 0xAABD67DC, 0x459A, 0x4DB1, 0x82, 0x6B, 0x56, 0xCF, 0xCC, 0x27, 0x88, 0x83);
DEFINE_GUID(IID_IND2MemoryWindow, 0x070FE1F5, 0x0AB5, 0x4361, 0x88, 0xDB, 0x97, 0x4B, 0xA7, 0x04, 0xD4, 0xB9);
DEFINE_GUID(IID_IND2MemoryRegion, 0x55DFEA2F, 0xBC56, 0x4982, 0x8A, 0x45, 0x03, 0x01, 0xBE, 0x46, 0xC4, 0x13);
DEFINE_GUID(IID_IND2QueuePair, 0xEEF2F332, 0xB75D, 0x4063, 0xBC, 0xE3, 0x3A, 0x0B, 0xAD, 0x2D, 0x02, 0xCE);
DEFINE_GUID(IID_IND2Connector, 0x7DD615C4, 0x6B4C, 0x4866, 0x95, 0x0C, 0xF3, 0xB1, 0xD2, 0x5A, 0x53, 0x02);
DEFINE_GUID(IID_IND2Listener, 0x65D23D83, 0x3A57, 0x4E02, 0x86, 0xA4, 0x35, 0x01, 0x65, 0xC2, 0xD1, 0x30);
DEFINE_GUID(IID_IND2Adapter, 0xD89C798C, 0x4823, 0x4D69, 0x84, 0x6C, 0xDF, 0xDC, 0xCF, 0xF9, 0xE5, 0xF3);
DEFINE_GUID(IID_IND2Provider, 0x49EAE6C1, 0x76C4, 0x46D0, 0x80, 0x03, 0x5C, 0x2E, 0xAA, 0x2C, 0x9A, 0x8E);

/* ---- layout ------------------------------------------------------------------------------------------------------ */

OPENND_ASSERT_SIZE(ND2_SGE, 16, 8);
OPENND_ASSERT_OFFSET(ND2_SGE, Buffer, 0);
OPENND_ASSERT_OFFSET(ND2_SGE, BufferLength, 8);
OPENND_ASSERT_OFFSET(ND2_SGE, MemoryRegionToken, 12);

OPENND_ASSERT_SIZE(ND2_REQUEST_TYPE, 4, 4);
OPENND_ASSERT_SIZE(ND2_RESULT, 32, 8);
OPENND_ASSERT_OFFSET(ND2_RESULT, Status, 0);
OPENND_ASSERT_OFFSET(ND2_RESULT, BytesTransferred, 4);
OPENND_ASSERT_OFFSET(ND2_RESULT, QueuePairContext, 8);
OPENND_ASSERT_OFFSET(ND2_RESULT, RequestContext, 16);
OPENND_ASSERT_OFFSET(ND2_RESULT, RequestType, 24);

OPENND_ASSERT_SIZE(ND2_ADAPTER_INFO, 96, 8);
OPENND_ASSERT_OFFSET(ND2_ADAPTER_INFO, InfoVersion, 0);
OPENND_ASSERT_OFFSET(ND2_ADAPTER_INFO, VendorId, 4);
OPENND_ASSERT_OFFSET(ND2_ADAPTER_INFO, DeviceId, 6);
OPENND_ASSERT_OFFSET(ND2_ADAPTER_INFO, AdapterId, 8);
OPENND_ASSERT_OFFSET(ND2_ADAPTER_INFO, MaxRegistrationSize, 16);
OPENND_ASSERT_OFFSET(ND2_ADAPTER_INFO, MaxWindowSize, 24);
OPENND_ASSERT_OFFSET(ND2_ADAPTER_INFO, MaxInitiatorSge, 32);
OPENND_ASSERT_OFFSET(ND2_ADAPTER_INFO, MaxReceiveSge, 36);
OPENND_ASSERT_OFFSET(ND2_ADAPTER_INFO, MaxReadSge, 40);
OPENND_ASSERT_OFFSET(ND2_ADAPTER_INFO, MaxTransferLength, 44);
OPENND_ASSERT_OFFSET(ND2_ADAPTER_INFO, MaxInlineDataSize, 48);
OPENND_ASSERT_OFFSET(ND2_ADAPTER_INFO, MaxInboundReadLimit, 52);
OPENND_ASSERT_OFFSET(ND2_ADAPTER_INFO, MaxOutboundReadLimit, 56);
OPENND_ASSERT_OFFSET(ND2_ADAPTER_INFO, MaxReceiveQueueDepth, 60);
OPENND_ASSERT_OFFSET(ND2_ADAPTER_INFO, MaxInitiatorQueueDepth, 64);
OPENND_ASSERT_OFFSET(ND2_ADAPTER_INFO, MaxSharedReceiveQueueDepth, 68);
OPENND_ASSERT_OFFSET(ND2_ADAPTER_INFO, MaxCompletionQueueDepth, 72);
OPENND_ASSERT_OFFSET(ND2_ADAPTER_INFO, InlineRequestThreshold, 76);
OPENND_ASSERT_OFFSET(ND2_ADAPTER_INFO, LargeRequestThreshold, 80);
OPENND_ASSERT_OFFSET(ND2_ADAPTER_INFO, MaxCallerData, 84);
OPENND_ASSERT_OFFSET(ND2_ADAPTER_INFO, MaxCalleeData, 88);
OPENND_ASSERT_OFFSET(ND2_ADAPTER_INFO, AdapterFlags, 92);

OPENND_ASSERT_SIZE(ND2_ADAPTER_INFO32, 88, 8);
OPENND_ASSERT_OFFSET(ND2_ADAPTER_INFO32, InfoVersion, 0);
OPENND_ASSERT_OFFSET(ND2_ADAPTER_INFO32, VendorId, 4);
OPENND_ASSERT_OFFSET(ND2_ADAPTER_INFO32, DeviceId, 6);
OPENND_ASSERT_OFFSET(ND2_ADAPTER_INFO32, AdapterId, 8);
OPENND_ASSERT_OFFSET(ND2_ADAPTER_INFO32, MaxRegistrationSize, 16);
OPENND_ASSERT_OFFSET(ND2_ADAPTER_INFO32, MaxWindowSize, 20);
OPENND_ASSERT_OFFSET(ND2_ADAPTER_INFO32, MaxInitiatorSge, 24);
OPENND_ASSERT_OFFSET(ND2_ADAPTER_INFO32, MaxReceiveSge, 28);
OPENND_ASSERT_OFFSET(ND2_ADAPTER_INFO32, MaxReadSge, 32);
OPENND_ASSERT_OFFSET(ND2_ADAPTER_INFO32, MaxTransferLength, 36);
OPENND_ASSERT_OFFSET(ND2_ADAPTER_INFO32, MaxInlineDataSize, 40);
OPENND_ASSERT_OFFSET(ND2_ADAPTER_INFO32, MaxInboundReadLimit, 44);
OPENND_ASSERT_OFFSET(ND2_ADAPTER_INFO32, MaxOutboundReadLimit, 48);
OPENND_ASSERT_OFFSET(ND2_ADAPTER_INFO32, MaxReceiveQueueDepth, 52);
OPENND_ASSERT_OFFSET(ND2_ADAPTER_INFO32, MaxInitiatorQueueDepth, 56);
OPENND_ASSERT_OFFSET(ND2_ADAPTER_INFO32, MaxSharedReceiveQueueDepth, 60);
OPENND_ASSERT_OFFSET(ND2_ADAPTER_INFO32, MaxCompletionQueueDepth, 64);
OPENND_ASSERT_OFFSET(ND2_ADAPTER_INFO32, InlineRequestThreshold, 68);
OPENND_ASSERT_OFFSET(ND2_ADAPTER_INFO32, LargeRequestThreshold, 72);
OPENND_ASSERT_OFFSET(ND2_ADAPTER_INFO32, MaxCallerData, 76);
OPENND_ASSERT_OFFSET(ND2_ADAPTER_INFO32, MaxCalleeData, 80);
OPENND_ASSERT_OFFSET(ND2_ADAPTER_INFO32, AdapterFlags, 84);

#endif
