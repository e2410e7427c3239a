/* SPDX-License-Identifier: MIT
 * Slots of MESSAGE_BYTES, none of which crosses a page. */
#include "connection/receive_ring.h"

C_ASSERT(PAGE_SIZE % MESSAGE_BYTES == 0);

NTSTATUS ReceiveRingCreate(RECEIVE_RING* Ring, ADAPTER* Adapter,
                           VOID (*Done)(CONNECTION*, WORK*, const NDK_RESULT_EX*)) {
    ULONG i;
    for (i = 0; i < RECEIVES; ++i) {
        Ring->Receives[i].Work.Done = Done;
        Ring->Receives[i].Offset = i * MESSAGE_BYTES;
    }
    return BufferAllocate(&Ring->Memory, Adapter, 0, RECEIVES * MESSAGE_BYTES);
}

VOID ReceiveRingFree(RECEIVE_RING* Ring) { BufferFree(&Ring->Memory); }

NTSTATUS ReceivePost(RECEIVE_RING* Ring, RECEIVE* Receive, NDK_QP* QueuePair) {
    NDK_SGE Entry;
    ULONG Used;
    BufferDescribe(&Ring->Memory, Receive->Offset, MESSAGE_BYTES, &Entry, 1, &Used);
    return QueuePair->Dispatch->NdkReceive(QueuePair, &Receive->Work, &Entry, Used);
}

BOOLEAN ReceiveRead(RECEIVE_RING* Ring, RECEIVE* Receive, const NDK_RESULT_EX* Result) {
    const UCHAR* const Bytes = Ring->Memory.Bytes + Receive->Offset;
    Receive->Header = (const MESSAGE_HEADER*)Bytes;
    Receive->Payload = Bytes + sizeof(MESSAGE_HEADER);
    Receive->TakenToken = 0;
    if (Result->Type == NdkOperationTypeReceiveAndInvalidate)
        Receive->TakenToken = (UINT32)Result->TypeSpecificCompletionOutput;
    return Result->BytesTransferred >= sizeof(MESSAGE_HEADER) &&
           Result->BytesTransferred - sizeof(MESSAGE_HEADER) == Receive->Header->PayloadBytes;
}
