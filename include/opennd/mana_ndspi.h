/* SPDX-License-Identifier: MIT
 *
 * mana_ndspi.h: the interfaces of opennd_immediate.h by the names under which programs for Microsoft's MANA adapters know
 * them. The identifiers, layouts and tables are the same; read that header for what the methods do.
 */
#ifndef OPENND_MANA_NDSPI_H
#define OPENND_MANA_NDSPI_H

#include "opennd_immediate.h"

typedef enum _ND2_MANA_REQUEST_TYPE {
    Nd2ManaRequestTypeSend = 0,
    Nd2ManaRequestTypeBind = 1,
    Nd2ManaRequestTypeInvalidate = 2,
    Nd2ManaRequestTypeRead = 3,
    Nd2ManaRequestTypeWrite = 4,
    Nd2ManaRequestTypeRecv = 128,
    Nd2ManaRequestTypeRecvWithInvalidate = 129,
    Nd2ManaRequestTypeRecvWithImmediate = 130,
    Nd2ManaRequestTypeRecvRdmaWithImmediate = 131
} ND2_MANA_REQUEST_TYPE;

typedef struct _ND2_MANA_RESULT {
    HRESULT Status;
    ULONG BytesTransferred;
    VOID* QueuePairContext;
    VOID* RequestContext;
    ND2_MANA_REQUEST_TYPE RequestType;
    UINT32 ImmediateDataOrRKey;
} ND2_MANA_RESULT;

DEFINE_GUID(IID_IND2ManaCompletionQueue, 0x28925856, 0x4FCC, 0x4479, 0x91, 0x5C, 0x03, 0x44, 0x26, 0xA5, 0x0B, 0x9E);
DEFINE_GUID(IID_IND2ManaQueuePair, 0x8B1811D5, 0x52DD, 0x4084, 0x81, 0x19, 0x15, 0xC1, 0x1A, 0xB3, 0x2F, 0xB9);

OPENND_BEGIN_INTERFACES
/* The formatter takes STDMETHOD for an expression. */
/* clang-format off */

/* ---- IND2ManaCompletionQueue: an IND2ImmediateCompletionQueue by Microsoft's name -------------------------------- */

#undef INTERFACE
#define INTERFACE IND2ManaCompletionQueue
DECLARE_INTERFACE_(IND2ManaCompletionQueue, IND2CompletionQueue) {
    OPENND_SLOTS_IND2COMPLETIONQUEUE

    /* As IND2ImmediateCompletionQueue::GetImmediateResults. */
    STDMETHOD_(ULONG, GetManaResults)(THIS_ ND2_MANA_RESULT results[], ULONG nResults) PURE;
};

/* ---- IND2ManaQueuePair: an IND2ImmediateQueuePair by Microsoft's name -------------------------------------------- */

#undef INTERFACE
#define INTERFACE IND2ManaQueuePair
DECLARE_INTERFACE_(IND2ManaQueuePair, IND2QueuePair) {
    OPENND_SLOTS_IND2QUEUEPAIR

    /* As IND2ImmediateQueuePair::SendWithImmediate. */
    STDMETHOD(SendWithImmediate)(THIS_ VOID* requestContext, const ND2_SGE sge[], ULONG nSge, ULONG flags,
                                 UINT32 immediateData) PURE;

    /* As IND2ImmediateQueuePair::WriteWithImmediate. */
    STDMETHOD(WriteWithImmediate)(THIS_ VOID* requestContext, const ND2_SGE sge[], ULONG nSge, UINT64 remoteAddress,
                                  UINT32 remoteToken, ULONG flags, UINT32 immediateData) PURE;
};

/* clang-format on */
OPENND_END_INTERFACES

#undef INTERFACE

OPENND_ASSERT_SIZE(ND2_MANA_RESULT, 32, 8);
OPENND_ASSERT_OFFSET(ND2_MANA_RESULT, RequestType, 24);
OPENND_ASSERT_OFFSET(ND2_MANA_RESULT, ImmediateDataOrRKey, 28);

#endif
