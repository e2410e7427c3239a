/* SPDX-License-Identifier: MIT
 * Slots as in the ring of receives. */
#include "connection/send_queue.h"

NTSTATUS SendQueueCreate(SEND_QUEUE* Queue, ADAPTER* Adapter, VOID (*Done)(CONNECTION*, WORK*, const NDK_RESULT_EX*)) {
    ULONG i;
    const NTSTATUS Status = BufferAllocate(&Queue->Memory, Adapter, 0, MESSAGES * MESSAGE_BYTES);
    InitializeListHead(&Queue->Free);
    InitializeListHead(&Queue->Waiting);
    if (!NT_SUCCESS(Status)) return Status;
    for (i = 0; i < MESSAGES; ++i) {
        MESSAGE* const Message = &Queue->Messages[i];
        Message->Work.Done = Done;
        Message->Offset = i * MESSAGE_BYTES;
        Message->Header = (MESSAGE_HEADER*)(Queue->Memory.Bytes + Message->Offset);
        Message->Payload = Queue->Memory.Bytes + Message->Offset + sizeof(MESSAGE_HEADER);
        InsertTailList(&Queue->Free, &Message->Link);
    }
    return STATUS_SUCCESS;
}

VOID SendQueueFree(SEND_QUEUE* Queue) { BufferFree(&Queue->Memory); }

MESSAGE* SendQueueTake(SEND_QUEUE* Queue, MESSAGE_KIND Kind) {
    MESSAGE* Message;
    if (IsListEmpty(&Queue->Free)) return NULL;
    Message = CONTAINING_RECORD(RemoveHeadList(&Queue->Free), MESSAGE, Link);
    RtlZeroMemory(Message->Header, sizeof *Message->Header);
    Message->Header->Kind = (UINT16)Kind;
    Message->Region = NULL;
    RtlZeroMemory(&Message->Written, sizeof Message->Written);
    Message->TakeToken = 0;
    ++Queue->InUse;
    return Message;
}

VOID SendQueueReturn(SEND_QUEUE* Queue, MESSAGE* Message) {
    InsertTailList(&Queue->Free, &Message->Link);
    --Queue->InUse;
}
