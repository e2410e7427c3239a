/* SPDX-License-Identifier: MIT
 *
 * ndkpi_types.h: the objects of NDKPI as consumers see them, their flags and results. Included by ndkpi.h; read
 * ndkpi_functions.h next.
 */
#ifndef OPENND_NDKPI_TYPES_H
#define OPENND_NDKPI_TYPES_H

#include "ndkinfo.h"

/* ---- objects ----------------------------------------------------------------------------------------------------- */

typedef enum _NDK_OBJECT_TYPE {
    NdkObjectTypeUndefined = 0,
    NdkObjectTypeAdapter = 1,
    NdkObjectTypeQp = 2,
    NdkObjectTypeCq = 3,
    NdkObjectTypeMr = 4,
    NdkObjectTypeMw = 5,
    NdkObjectTypePd = 6,
    NdkObjectTypeSharedEndpoint = 7,
    NdkObjectTypeConnector = 8,
    NdkObjectTypeListener = 9,
    NdkObjectTypeSrq = 10,
    NdkObjectTypeMax = 11
} NDK_OBJECT_TYPE;

/* For a layer between consumer and provider; zero when the object is made, and never read by OpenND (NDK-GEN-14). */
typedef struct _NDK_OBJECT_HEADER_RESERVED_BLOCK {
    PVOID rf[4];
} NDK_OBJECT_HEADER_RESERVED_BLOCK;

typedef struct _NDK_OBJECT_HEADER {
    NDK_VERSION Version; /* the one in use: NDK_ADAPTER_INFO.Version */
    NDK_OBJECT_TYPE ObjectType;
    NDK_OBJECT_HEADER_RESERVED_BLOCK NdkReserved;
} NDK_OBJECT_HEADER;

/* The consumer may put a table of its own in the place of Dispatch. */
typedef struct _NDK_ADAPTER {
    NDK_OBJECT_HEADER Header;
    const struct _NDK_ADAPTER_DISPATCH* Dispatch;
} NDK_ADAPTER;

typedef struct _NDK_PD {
    NDK_OBJECT_HEADER Header;
    const struct _NDK_PD_DISPATCH* Dispatch;
} NDK_PD;

typedef struct _NDK_CQ {
    NDK_OBJECT_HEADER Header;
    const struct _NDK_CQ_DISPATCH* Dispatch;
} NDK_CQ;

typedef struct _NDK_QP {
    NDK_OBJECT_HEADER Header;
    const struct _NDK_QP_DISPATCH* Dispatch;
} NDK_QP;

typedef struct _NDK_SRQ {
    NDK_OBJECT_HEADER Header;
    const struct _NDK_SRQ_DISPATCH* Dispatch;
} NDK_SRQ;

typedef struct _NDK_MR {
    NDK_OBJECT_HEADER Header;
    const struct _NDK_MR_DISPATCH* Dispatch;
} NDK_MR;

typedef struct _NDK_MW {
    NDK_OBJECT_HEADER Header;
    const struct _NDK_MW_DISPATCH* Dispatch;
} NDK_MW;

typedef struct _NDK_CONNECTOR {
    NDK_OBJECT_HEADER Header;
    const struct _NDK_CONNECTOR_DISPATCH* Dispatch;
} NDK_CONNECTOR;

typedef struct _NDK_LISTENER {
    NDK_OBJECT_HEADER Header;
    const struct _NDK_LISTENER_DISPATCH* Dispatch;
} NDK_LISTENER;

typedef struct _NDK_SHARED_ENDPOINT {
    NDK_OBJECT_HEADER Header;
    const struct _NDK_SHARED_ENDPOINT_DISPATCH* Dispatch;
} NDK_SHARED_ENDPOINT;

/* The result of NdkQueryExtension. */
typedef struct _NDK_EXTENSION_INTERFACE {
    const VOID* Dispatch;
} NDK_EXTENSION_INTERFACE;

/* ---- memory ------------------------------------------------------------------------------------------------------ */

/* A page of 4096 bytes as the adapter names it; or a byte in one. */
typedef PHYSICAL_ADDRESS NDK_LOGICAL_ADDRESS;

/* Filled by NdkBuildLAM: 0x10 bytes and 8 for each page. */
typedef struct _NDK_LOGICAL_ADDRESS_MAPPING {
    PVOID AdapterContext; /* the provider's */
    ULONG AdapterPageCount;
    NDK_LOGICAL_ADDRESS AdapterPageArray[1]; /* AdapterPageCount of them */
} NDK_LOGICAL_ADDRESS_MAPPING;

/* One stretch of local memory of a request: a scatter/gather element. */
typedef struct _NDK_SGE {
    __extension__ union {
        PVOID VirtualAddress; /* with the token of a region: as the region counts; of inline data: a pointer */
        NDK_LOGICAL_ADDRESS LogicalAddress; /* with the privileged token */
    };
    ULONG Length; /* bytes; 0 is skipped */
    UINT32 MemoryRegionToken;
} NDK_SGE;

/* Rights of a registration. Local reading is always granted. */
#define NDK_MR_FLAG_ALLOW_LOCAL_READ   0x00000000
#define NDK_MR_FLAG_ALLOW_LOCAL_WRITE  0x00000001
#define NDK_MR_FLAG_ALLOW_REMOTE_READ  0x00000002
#define NDK_MR_FLAG_ALLOW_REMOTE_WRITE 0x00000005 /* and local writing */
#define NDK_MR_FLAG_RDMA_READ_SINK     0x00000008

/* ---- requests and results ---------------------------------------------------------------------------------------- */

/* Which request takes which flag: ndkpi_functions.h. */
#define NDK_OP_FLAG_SILENT_SUCCESS             0x00000001 /* no result if it succeeds */
#define NDK_OP_FLAG_READ_FENCE                 0x00000002 /* begins when all earlier Reads of this queue pair have ended */
#define NDK_OP_FLAG_SEND_AND_SOLICIT_EVENT     0x00000004 /* the peer's receive counts as solicited */
#define NDK_OP_FLAG_ALLOW_REMOTE_READ          0x00000008
#define NDK_OP_FLAG_ALLOW_LOCAL_WRITE          0x00000010
#define NDK_OP_FLAG_ALLOW_REMOTE_WRITE         0x00000030 /* and local writing */
#define NDK_OP_FLAG_INLINE                     0x00000040 /* the bytes are copied in the call, and need no token */
#define NDK_OP_FLAG_RDMA_READ_SINK             0x00000080
#define NDK_OP_FLAG_RDMA_READ_LOCAL_INVALIDATE 0x00000100 /* a Read that ends the fast registration it reads into */
#define NDK_OP_FLAG_DEFER                      0x00000200 /* more follow: need not begin yet */

/* NdkArmCq. */
#define NDK_CQ_NOTIFY_ERRORS    0 /* the queue fails */
#define NDK_CQ_NOTIFY_ANY       1 /* or a result comes */
#define NDK_CQ_NOTIFY_SOLICITED 2 /* or a solicited receive, or a failure */

typedef enum _NDK_OPERATION_TYPE {
    NdkOperationTypeReceive = 1,
    NdkOperationTypeReceiveAndInvalidate = 0x8001, /* of a message sent by NdkSendAndInvalidate */
    NdkOperationTypeSend = 2,                      /* NdkSendAndInvalidate, too */
    NdkOperationTypeFastRegister = 4,
    NdkOperationTypeBind = 8,
    NdkOperationTypeInvalidate = 16,
    NdkOperationTypeRead = 32,
    NdkOperationTypeWrite = 64
} NDK_OPERATION_TYPE;

/* How a request ended. */
typedef struct _NDK_RESULT {
    NTSTATUS Status;
    ULONG BytesTransferred; /* of a receive; otherwise 0 */
    PVOID QPContext;        /* given at NdkCreateQp */
    PVOID RequestContext;   /* given at the post */
} NDK_RESULT;

typedef struct _NDK_RESULT_EX {
    NTSTATUS Status;
    ULONG BytesTransferred;
    PVOID QPContext;
    PVOID RequestContext;
    NDK_OPERATION_TYPE Type;
    ULONG
    ProviderErrorCode; /* of a failure, from version 2.1 on: bits 31 to 24 the transport (1: shared memory, 2: iWARP,
                              * 3: verbs), below its own code; 0: none (NDK-QP-COMP-04) */
    ULONG_PTR TypeSpecificCompletionOutput; /* the token that was invalidated: NdkOperationTypeReceiveAndInvalidate */
} NDK_RESULT_EX;

/* ---- layout ------------------------------------------------------------------------------------------------------ */

OPENND_ASSERT_SIZE(NDK_OBJECT_HEADER_RESERVED_BLOCK, 0x20, 8);
OPENND_ASSERT_SIZE(NDK_OBJECT_HEADER, 0x28, 8);
OPENND_ASSERT_OFFSET(NDK_OBJECT_HEADER, Version, 0x00);
OPENND_ASSERT_OFFSET(NDK_OBJECT_HEADER, ObjectType, 0x04);
OPENND_ASSERT_OFFSET(NDK_OBJECT_HEADER, NdkReserved, 0x08);

OPENND_ASSERT_SIZE(NDK_ADAPTER, 0x30, 8);
OPENND_ASSERT_OFFSET(NDK_ADAPTER, Dispatch, 0x28);
OPENND_ASSERT_SIZE(NDK_PD, 0x30, 8);
OPENND_ASSERT_OFFSET(NDK_PD, Dispatch, 0x28);
OPENND_ASSERT_SIZE(NDK_CQ, 0x30, 8);
OPENND_ASSERT_OFFSET(NDK_CQ, Dispatch, 0x28);
OPENND_ASSERT_SIZE(NDK_QP, 0x30, 8);
OPENND_ASSERT_OFFSET(NDK_QP, Dispatch, 0x28);
OPENND_ASSERT_SIZE(NDK_SRQ, 0x30, 8);
OPENND_ASSERT_OFFSET(NDK_SRQ, Dispatch, 0x28);
OPENND_ASSERT_SIZE(NDK_MR, 0x30, 8);
OPENND_ASSERT_OFFSET(NDK_MR, Dispatch, 0x28);
OPENND_ASSERT_SIZE(NDK_MW, 0x30, 8);
OPENND_ASSERT_OFFSET(NDK_MW, Dispatch, 0x28);
OPENND_ASSERT_SIZE(NDK_CONNECTOR, 0x30, 8);
OPENND_ASSERT_OFFSET(NDK_CONNECTOR, Dispatch, 0x28);
OPENND_ASSERT_SIZE(NDK_LISTENER, 0x30, 8);
OPENND_ASSERT_OFFSET(NDK_LISTENER, Dispatch, 0x28);
OPENND_ASSERT_SIZE(NDK_SHARED_ENDPOINT, 0x30, 8);
OPENND_ASSERT_OFFSET(NDK_SHARED_ENDPOINT, Dispatch, 0x28);

OPENND_ASSERT_SIZE(NDK_EXTENSION_INTERFACE, 0x08, 8);
OPENND_ASSERT_OFFSET(NDK_EXTENSION_INTERFACE, Dispatch, 0x00);

OPENND_ASSERT_SIZE(NDK_LOGICAL_ADDRESS, 8, 8);
OPENND_ASSERT_SIZE(NDK_LOGICAL_ADDRESS_MAPPING, 0x18, 8);
OPENND_ASSERT_OFFSET(NDK_LOGICAL_ADDRESS_MAPPING, AdapterContext, 0x00);
OPENND_ASSERT_OFFSET(NDK_LOGICAL_ADDRESS_MAPPING, AdapterPageCount, 0x08);
OPENND_ASSERT_OFFSET(NDK_LOGICAL_ADDRESS_MAPPING, AdapterPageArray, 0x10);

OPENND_ASSERT_SIZE(NDK_SGE, 0x10, 8);
OPENND_ASSERT_OFFSET(NDK_SGE, VirtualAddress, 0x00);
OPENND_ASSERT_OFFSET(NDK_SGE, LogicalAddress, 0x00);
OPENND_ASSERT_OFFSET(NDK_SGE, Length, 0x08);
OPENND_ASSERT_OFFSET(NDK_SGE, MemoryRegionToken, 0x0C);

OPENND_ASSERT_SIZE(NDK_RESULT, 0x18, 8);
OPENND_ASSERT_OFFSET(NDK_RESULT, Status, 0x00);
OPENND_ASSERT_OFFSET(NDK_RESULT, BytesTransferred, 0x04);
OPENND_ASSERT_OFFSET(NDK_RESULT, QPContext, 0x08);
OPENND_ASSERT_OFFSET(NDK_RESULT, RequestContext, 0x10);

OPENND_ASSERT_SIZE(NDK_RESULT_EX, 0x28, 8);
OPENND_ASSERT_OFFSET(NDK_RESULT_EX, Status, 0x00);
OPENND_ASSERT_OFFSET(NDK_RESULT_EX, BytesTransferred, 0x04);
OPENND_ASSERT_OFFSET(NDK_RESULT_EX, QPContext, 0x08);
OPENND_ASSERT_OFFSET(NDK_RESULT_EX, RequestContext, 0x10);
OPENND_ASSERT_OFFSET(NDK_RESULT_EX, Type, 0x18);
OPENND_ASSERT_OFFSET(NDK_RESULT_EX, ProviderErrorCode, 0x1C);
OPENND_ASSERT_OFFSET(NDK_RESULT_EX, TypeSpecificCompletionOutput, 0x20);

#endif
