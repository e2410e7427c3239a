/* SPDX-License-Identifier: MIT
 *
 * ndspi_v1_types.h: structures, names and interface identifiers of Network Direct version 1. Include ndspi.h; read
 * ndspi_v1.h for the interfaces. Layouts are those of a 64-bit Windows process.
 */
#ifndef OPENND_NDSPI_V1_TYPES_H
#define OPENND_NDSPI_V1_TYPES_H

#include "ndcom.h"
#include "nddef.h"
#include "ndstatus.h"
#include "ndtypes.h"

/* ---- names of version 1 ------------------------------------------------------------------------------------------ */

/* The numbers are version 2's; tell the last two apart by the request. */
#define ND_LOCAL_LENGTH       ND_DATA_OVERRUN
#define ND_INVALIDATION_ERROR ND_INVALID_DEVICE_REQUEST
#define ND_INVALID_REQUEST    ND_INVALID_DEVICE_REQUEST

/* Version 2 knows this name from one table and no header, so that its programs may have a use of their own for it. */
#if NDVER < ND_VERSION_2
#define ND_FAILURE ND_INTERNAL_ERROR
#endif

/* The types of INDCompletionQueue::Notify as the version 1 pages spell them. */
enum {
    NdCqNotifyErrors = ND_CQ_NOTIFY_ERRORS,
    NdCqNotifyAny = ND_CQ_NOTIFY_ANY,
    NdCqNotifySolicited = ND_CQ_NOTIFY_SOLICITED
};

/* ---- structures -------------------------------------------------------------------------------------------------- */

/* One registration of memory; a type of its own, so that it is not mixed up with HANDLE. NULL: no registration. */
typedef struct ND_MEMORY_REGISTRATION* ND_MR_HANDLE;

/* The limits of an adapter. Inbound is Receive and the peer's Reads; outbound is every other request. Sizes in bytes. */
typedef struct _ND_ADAPTER_INFO1 {
    UINT32 VendorId;
    UINT32 DeviceId;
    SIZE_T MaxInboundSge;
    SIZE_T MaxInboundRequests;
    SIZE_T MaxInboundLength;
    SIZE_T MaxOutboundSge;
    SIZE_T MaxOutboundRequests;
    SIZE_T MaxOutboundLength;
    SIZE_T MaxInlineData;        /* of one request */
    SIZE_T MaxInboundReadLimit;  /* Reads of the peer in progress at a time */
    SIZE_T MaxOutboundReadLimit; /* own Reads in progress at a time */
    SIZE_T MaxCqEntries;         /* results */
    SIZE_T MaxRegistrationSize;
    SIZE_T MaxWindowSize;
    SIZE_T LargeRequestThreshold; /* from this size Read and Write are faster than Send */
    SIZE_T MaxCallerData;         /* private data of Connect */
    SIZE_T MaxCalleeData;         /* private data of Accept and Reject */
} ND_ADAPTER_INFO1;

typedef ND_ADAPTER_INFO1 ND_ADAPTER_INFO;

/* How a request ended. It belongs to the program, and to OpenND from the request until GetResults returns its address;
 * a silent request that succeeds gives it back with the next result of that queue. (ND1-RES-01 to -09) */
typedef struct _ND_RESULT {
    HRESULT Status;          /* only ND_SUCCESS is success: ND_TIMEOUT is a failure here (ND1-RES-08) */
    SIZE_T BytesTransferred; /* of a transfer that succeeded; otherwise 0 */
} ND_RESULT;

/* One stretch of local memory of a request: a scatter/gather element. */
typedef struct _ND_SGE {
    VOID* pAddr;
    SIZE_T Length;    /* bytes; 0 is skipped */
    ND_MR_HANDLE hMr; /* NULL: inline; the bytes are copied in the call */
} ND_SGE;

/* A window as its peer knows it: sent there byte for byte, for OpenND alone to read. Big-endian, any alignment. */
typedef struct _ND_MW_DESCRIPTOR {
    UINT64 Base;
    UINT64 Length;
    UINT32 Token;
} __attribute__((packed)) ND_MW_DESCRIPTOR;

/* ---- identifiers ------------------------------------------------------------------------------------------------- */

DEFINE_GUID(IID_INDOverlapped, 0xC859E15E, 0x75E2, 0x4FE3, 0x8D, 0x6D, 0x0D, 0xFF, 0x36, 0xF0, 0x24, 0x42);
DEFINE_GUID(IID_INDCompletionQueue, 0x1245A633, 0x2A32, 0x473A, 0x83, 0x0C, 0xE0, 0x5D, 0x1F, 0x86, 0x9D, 0x02);
DEFINE_GUID(IID_INDMemoryWindow, 0x070FE1F5, 0x0AB5, 0x4361, 0x88, 0xDB, 0x97, 0x4B, 0xA7, 0x04, 0xD4, 0xB9);
DEFINE_GUID(IID_INDEndpoint, 0xDBD00EAB, 0xB679, 0x44A9, 0xBD, 0x65, 0xE8, 0x2F, 0x3D, 0xE1, 0x2D, 0x1A);
DEFINE_GUID(IID_INDConnector, 0x1BCAF2D1, 0xE274, 0x4AEB, 0xAC, 0x57, 0xCD, 0x5D, 0x43, 0x76, 0xE0, 0xB7);
DEFINE_GUID(IID_INDListen, 0xBB902588, 0xBA3F, 0x4441, 0x9F, 0xE1, 0x3B, 0x67, 0x95, 0xE4, 0xE6, 0x68);
DEFINE_GUID(IID_INDAdapter, 0xA023C5A0, 0x5B73, 0x43BC, 0x8D, 0x20, 0x33, 0xAA, 0x07, 0xE9, 0x51, 0x0F);
DEFINE_GUID(IID_INDProvider, 0x0C5DD316, 0x5FDF, 0x47E6, 0xB2, 0xD0, 0x2A, 0x6E, 0xDA, 0x8D, 0x39, 0xDD);

/* ---- layout ------------------------------------------------------------------------------------------------------ */

OPENND_ASSERT_SIZE(ND_MR_HANDLE, 8, 8);

OPENND_ASSERT_SIZE(ND_RESULT, 16, 8);
OPENND_ASSERT_OFFSET(ND_RESULT, Status, 0);
OPENND_ASSERT_OFFSET(ND_RESULT, BytesTransferred, 8);

OPENND_ASSERT_SIZE(ND_SGE, 24, 8);
OPENND_ASSERT_OFFSET(ND_SGE, pAddr, 0);
OPENND_ASSERT_OFFSET(ND_SGE, Length, 8);
OPENND_ASSERT_OFFSET(ND_SGE, hMr, 16);

OPENND_ASSERT_SIZE(ND_MW_DESCRIPTOR, 20, 1);
OPENND_ASSERT_OFFSET(ND_MW_DESCRIPTOR, Base, 0);
OPENND_ASSERT_OFFSET(ND_MW_DESCRIPTOR, Length, 8);
OPENND_ASSERT_OFFSET(ND_MW_DESCRIPTOR, Token, 16);

OPENND_ASSERT_SIZE(ND_ADAPTER_INFO, 128, 8);
OPENND_ASSERT_OFFSET(ND_ADAPTER_INFO, VendorId, 0);
OPENND_ASSERT_OFFSET(ND_ADAPTER_INFO, DeviceId, 4);
OPENND_ASSERT_OFFSET(ND_ADAPTER_INFO, MaxInboundSge, 8);
OPENND_ASSERT_OFFSET(ND_ADAPTER_INFO, MaxInboundRequests, 16);
OPENND_ASSERT_OFFSET(ND_ADAPTER_INFO, MaxInboundLength, 24);
OPENND_ASSERT_OFFSET(ND_ADAPTER_INFO, MaxOutboundSge, 32);
OPENND_ASSERT_OFFSET(ND_ADAPTER_INFO, MaxOutboundRequests, 40);
OPENND_ASSERT_OFFSET(ND_ADAPTER_INFO, MaxOutboundLength, 48);
OPENND_ASSERT_OFFSET(ND_ADAPTER_INFO, MaxInlineData, 56);
OPENND_ASSERT_OFFSET(ND_ADAPTER_INFO, MaxInboundReadLimit, 64);
OPENND_ASSERT_OFFSET(ND_ADAPTER_INFO, MaxOutboundReadLimit, 72);
OPENND_ASSERT_OFFSET(ND_ADAPTER_INFO, MaxCqEntries, 80);
OPENND_ASSERT_OFFSET(ND_ADAPTER_INFO, MaxRegistrationSize, 88);
OPENND_ASSERT_OFFSET(ND_ADAPTER_INFO, MaxWindowSize, 96);
OPENND_ASSERT_OFFSET(ND_ADAPTER_INFO, LargeRequestThreshold, 104);
OPENND_ASSERT_OFFSET(ND_ADAPTER_INFO, MaxCallerData, 112);
OPENND_ASSERT_OFFSET(ND_ADAPTER_INFO, MaxCalleeData, 120);

#endif
