/* SPDX-License-Identifier: MIT
 * A piece is cut into requests of REQUEST_BYTES, and of fewer where its pages take more entries than a request has. */
#include "connection/chain.h"

#define IN_FRONT (NDK_OP_FLAG_DEFER | NDK_OP_FLAG_SILENT_SUCCESS)

static NTSTATUS PostWrites(NDK_QP* QueuePair, const TRANSFER* Transfer, WORK* Silent) {
    NDK_SGE List[REQUEST_SGES];
    ULONG Done = 0;
    NTSTATUS Status = STATUS_SUCCESS;
    while (Done < Transfer->Bytes && NT_SUCCESS(Status)) {
        ULONG Used;
        const ULONG Bytes = BufferDescribe(Transfer->Buffer, Transfer->Offset + Done,
                                           min(Transfer->Bytes - Done, REQUEST_BYTES), List, REQUEST_SGES, &Used);
        Status = QueuePair->Dispatch->NdkWrite(QueuePair, Silent, List, Used, Transfer->PeerAddress + Done,
                                               Transfer->PeerToken, IN_FRONT);
        Done += Bytes;
    }
    return Status;
}

NTSTATUS ChainSend(NDK_QP* QueuePair, SEND_QUEUE* Queue, MESSAGE* Message, WORK* Silent) {
    NDK_SGE Entry;
    ULONG Used;
    NTSTATUS Status = STATUS_SUCCESS;
    if (Message->Region != NULL) Status = RegionRegister(Message->Region, QueuePair, Silent, IN_FRONT);
    if (NT_SUCCESS(Status)) Status = PostWrites(QueuePair, &Message->Written, Silent);
    if (!NT_SUCCESS(Status)) return Status;
    BufferDescribe(&Queue->Memory, Message->Offset, sizeof(MESSAGE_HEADER) + Message->Header->PayloadBytes, &Entry, 1,
                   &Used);
    if (Message->TakeToken != 0)
        return QueuePair->Dispatch->NdkSendAndInvalidate(QueuePair, &Message->Work, &Entry, Used, 0,
                                                         Message->TakeToken);
    return QueuePair->Dispatch->NdkSend(QueuePair, &Message->Work, &Entry, Used, 0);
}

NTSTATUS ChainRead(NDK_QP* QueuePair, const TRANSFER* Transfer, WORK* Work, WORK* Silent) {
    NDK_SGE List[REQUEST_SGES];
    ULONG Done = 0;
    NTSTATUS Status = STATUS_SUCCESS;
    while (Done < Transfer->Bytes && NT_SUCCESS(Status)) {
        ULONG Used;
        const ULONG Bytes = BufferDescribe(Transfer->Buffer, Transfer->Offset + Done,
                                           min(Transfer->Bytes - Done, REQUEST_BYTES), List, REQUEST_SGES, &Used);
        const BOOLEAN IsLast = Done + Bytes == Transfer->Bytes;
        Status = QueuePair->Dispatch->NdkRead(QueuePair, IsLast ? Work : Silent, List, Used,
                                              Transfer->PeerAddress + Done, Transfer->PeerToken, IsLast ? 0 : IN_FRONT);
        Done += Bytes;
    }
    return Status;
}
