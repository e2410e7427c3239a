/* SPDX-License-Identifier: MIT
 *
 * vtable_immediate_calls.c: calls the slots of immediate data from C, by the vendor's names. Read vtable_calls.h first.
 */
#include <mana_ndspi.h>

#include "vtable_calls.h"

#define HAS_SLOT(slot, interface, method) \
    _Static_assert(offsetof(interface##Vtbl, method) == (slot) * sizeof(void*), #interface "." #method)
#define HAS_SLOTS(interface, count) \
    _Static_assert(sizeof(interface##Vtbl) == (count) * sizeof(void*), "slots of " #interface)

HAS_SLOTS(IND2ImmediateCompletionQueue, 10);
HAS_SLOTS(IND2ManaCompletionQueue, 10);
HAS_SLOT(8, IND2ImmediateCompletionQueue, GetResults);
HAS_SLOT(8, IND2ManaCompletionQueue, GetResults);
HAS_SLOT(9, IND2ImmediateCompletionQueue, GetImmediateResults);
HAS_SLOT(9, IND2ManaCompletionQueue, GetManaResults);
HAS_SLOTS(IND2ImmediateQueuePair, 12);
HAS_SLOTS(IND2ManaQueuePair, 12);
HAS_SLOT(9, IND2ImmediateQueuePair, Write);
HAS_SLOT(9, IND2ManaQueuePair, Write);
HAS_SLOT(10, IND2ImmediateQueuePair, SendWithImmediate);
HAS_SLOT(10, IND2ManaQueuePair, SendWithImmediate);
HAS_SLOT(11, IND2ImmediateQueuePair, WriteWithImmediate);
HAS_SLOT(11, IND2ManaQueuePair, WriteWithImmediate);

void call_nd2_immediate_completion_queue(IND2ImmediateCompletionQueue* object) {
    IND2ManaCompletionQueue* queue = (void*)object;
    queue->lpVtbl->GetResults(queue, NULL, 0);
    queue->lpVtbl->GetManaResults(queue, NULL, 0);
}

void call_nd2_immediate_queue_pair(IND2ImmediateQueuePair* object) {
    IND2ManaQueuePair* pair = (void*)object;
    pair->lpVtbl->Write(pair, NULL, NULL, 0, 0, 0, 0);
    pair->lpVtbl->SendWithImmediate(pair, NULL, NULL, 0, 0, 0);
    pair->lpVtbl->WriteWithImmediate(pair, NULL, NULL, 0, 0, 0, 0, 0);
}
