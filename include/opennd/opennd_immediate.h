/* SPDX-License-Identifier: MIT
 *
 * opennd_immediate.h: immediate data, 32 bits that a message hands to the result of the receive that it takes. Version 2 has
 * none; this adds two interfaces to it. mana_ndspi.h has the same objects under the names of the vendor that has them on
 * Windows.
 *
 * A program asks for IID_IND2ImmediateCompletionQueue and IID_IND2ImmediateQueuePair where it makes its objects, or by
 * QueryInterface. Pointers of both kinds are good for the methods of the interfaces below them. An adapter that has no
 * immediate data says E_NOINTERFACE, and the last explanation says why: an RDMA NIC that speaks iWARP is one.
 *
 * Immediate data are a number of 32 bits, which the peer gets as the same number: over InfiniBand and RoCE it travels in
 * network byte order, as programs of rdma-core have it after ntohl().
 *
 * A peer that takes none: over TCP only an OpenND takes them, of a release that has this header. The post gives
 * ND_NOT_SUPPORTED, and nothing else happens. A request that was posted before anything is known of the peer has it as
 * its result, and ends the connection (ND2-IMM-PEER-01).
 */
#ifndef OPENND_OPENND_IMMEDIATE_H
#define OPENND_OPENND_IMMEDIATE_H

#include "ndspi.h"

/* ---- structures -------------------------------------------------------------------------------------------------- */

/* Of a request, or of the message that a receive took. */
typedef enum _ND2_IMMEDIATE_REQUEST_TYPE {
    Nd2ImmediateRequestTypeSend = 0, /* with or without immediate data, as a Write */
    Nd2ImmediateRequestTypeBind = 1,
    Nd2ImmediateRequestTypeInvalidate = 2,
    Nd2ImmediateRequestTypeRead = 3,
    Nd2ImmediateRequestTypeWrite = 4,
    Nd2ImmediateRequestTypeReceive = 128,
    Nd2ImmediateRequestTypeReceiveWithInvalidate = 129,    /* a Send that took a window of this side away */
    Nd2ImmediateRequestTypeReceiveWithImmediate = 130,     /* a Send with immediate data */
    Nd2ImmediateRequestTypeReceiveWriteWithImmediate = 131 /* a Write with immediate data */
} ND2_IMMEDIATE_REQUEST_TYPE;

/* ND2_RESULT, and what it has no room for. A receive that failed is a Receive. */
typedef struct _ND2_IMMEDIATE_RESULT {
    HRESULT Status;
    ULONG BytesTransferred; /* Receive or Read that succeeded: bytes placed, in it or by the Write; otherwise 0 */
    VOID* QueuePairContext;
    VOID* RequestContext;
    ND2_IMMEDIATE_REQUEST_TYPE RequestType;
    UINT32 ImmediateDataOrRKey; /* ...WithImmediate: the data; ...WithInvalidate: the remote token; otherwise 0 */
} ND2_IMMEDIATE_RESULT;

DEFINE_GUID(IID_IND2ImmediateCompletionQueue, 0x28925856, 0x4FCC, 0x4479, 0x91, 0x5C, 0x03, 0x44, 0x26, 0xA5, 0x0B,
            0x9E);
DEFINE_GUID(IID_IND2ImmediateQueuePair, 0x8B1811D5, 0x52DD, 0x4084, 0x81, 0x19, 0x15, 0xC1, 0x1A, 0xB3, 0x2F, 0xB9);

OPENND_BEGIN_INTERFACES
/* The formatter takes STDMETHOD for an expression. */
/* clang-format off */

#ifdef OPENND_C_INTERFACES
#define OPENND_SLOTS_IND2COMPLETIONQUEUE                                          \
    OPENND_SLOTS_IND2OVERLAPPED                                                   \
    STDMETHOD(GetNotifyAffinity)(THIS_ USHORT* pGroup, KAFFINITY* pAffinity);     \
    STDMETHOD(Resize)(THIS_ ULONG queueDepth);                                    \
    STDMETHOD(Notify)(THIS_ ULONG type, OVERLAPPED* pOverlapped);                 \
    STDMETHOD_(ULONG, GetResults)(THIS_ ND2_RESULT results[], ULONG nResults);
#define OPENND_SLOTS_IND2QUEUEPAIR                                                                                   \
    OPENND_SLOTS_IUNKNOWN                                                                                            \
    STDMETHOD(Flush)(THIS);                                                                                          \
    STDMETHOD(Send)(THIS_ VOID* requestContext, const ND2_SGE sge[], ULONG nSge, ULONG flags);                       \
    STDMETHOD(Receive)(THIS_ VOID* requestContext, const ND2_SGE sge[], ULONG nSge);                                 \
    STDMETHOD(Bind)(THIS_ VOID* requestContext, IUnknown* pMemoryRegion, IUnknown* pMemoryWindow,                    \
                    const VOID* pBuffer, SIZE_T cbBuffer, ULONG flags);                                              \
    STDMETHOD(Invalidate)(THIS_ VOID* requestContext, IUnknown* pMemoryWindow, ULONG flags);                         \
    STDMETHOD(Read)(THIS_ VOID* requestContext, const ND2_SGE sge[], ULONG nSge, UINT64 remoteAddress,               \
                    UINT32 remoteToken, ULONG flags);                                                                \
    STDMETHOD(Write)(THIS_ VOID* requestContext, const ND2_SGE sge[], ULONG nSge, UINT64 remoteAddress,              \
                     UINT32 remoteToken, ULONG flags);
#else
#define OPENND_SLOTS_IND2COMPLETIONQUEUE
#define OPENND_SLOTS_IND2QUEUEPAIR
#endif

/* ---- IND2ImmediateCompletionQueue: an IND2CompletionQueue whose results tell immediate data ---------------------- */

#undef INTERFACE
#define INTERFACE IND2ImmediateCompletionQueue
DECLARE_INTERFACE_(IND2ImmediateCompletionQueue, IND2CompletionQueue) {
    OPENND_SLOTS_IND2COMPLETIONQUEUE

    /* As GetResults, of which each result comes out once: a program calls the one or the other. By GetResults a receive
     * with immediate data is a Receive, and the data are lost. (ND2-IMM-RES-01, -02) */
    STDMETHOD_(ULONG, GetImmediateResults)(THIS_ ND2_IMMEDIATE_RESULT results[], ULONG nResults) PURE;
};

/* ---- IND2ImmediateQueuePair: an IND2QueuePair that sends immediate data ------------------------------------------ */

#undef INTERFACE
#define INTERFACE IND2ImmediateQueuePair
DECLARE_INTERFACE_(IND2ImmediateQueuePair, IND2QueuePair) {
    OPENND_SLOTS_IND2QUEUEPAIR

    /* Send, and the result of the receive has the immediate data. (ND2-IMM-SEND-01)
     * Statuses and result as Send; ND_NOT_SUPPORTED: the peer takes no immediate data. */
    STDMETHOD(SendWithImmediate)(THIS_ VOID* requestContext, const ND2_SGE sge[], ULONG nSge, ULONG flags,
                                 UINT32 immediateData) PURE;

    /* Write, and once all its bytes are placed it takes one Receive of the peer, whose buffers stay as they were; the
     * result of that has the immediate data and the length of the Write. Where the peer has posted no Receive, it waits
     * as a Send does, with its bytes placed. flags: those of Send. (ND2-IMM-WRITE-01 to -05)
     * Statuses as Write; ND_NOT_SUPPORTED: the peer takes no immediate data. Result: as Write; ND_IO_TIMEOUT: the peer
     * posted no Receive in time; STATUS_DATA_ERROR: the peer's Receive was invalid. */
    STDMETHOD(WriteWithImmediate)(THIS_ VOID* requestContext, const ND2_SGE sge[], ULONG nSge, UINT64 remoteAddress,
                                  UINT32 remoteToken, ULONG flags, UINT32 immediateData) PURE;
};

/* clang-format on */
OPENND_END_INTERFACES

#undef INTERFACE

/* ---- layout ------------------------------------------------------------------------------------------------------ */

OPENND_ASSERT_SIZE(ND2_IMMEDIATE_REQUEST_TYPE, 4, 4);
OPENND_ASSERT_SIZE(ND2_IMMEDIATE_RESULT, 32, 8);
OPENND_ASSERT_OFFSET(ND2_IMMEDIATE_RESULT, Status, 0);
OPENND_ASSERT_OFFSET(ND2_IMMEDIATE_RESULT, BytesTransferred, 4);
OPENND_ASSERT_OFFSET(ND2_IMMEDIATE_RESULT, QueuePairContext, 8);
OPENND_ASSERT_OFFSET(ND2_IMMEDIATE_RESULT, RequestContext, 16);
OPENND_ASSERT_OFFSET(ND2_IMMEDIATE_RESULT, RequestType, 24);
OPENND_ASSERT_OFFSET(ND2_IMMEDIATE_RESULT, ImmediateDataOrRKey, 28);

#endif
