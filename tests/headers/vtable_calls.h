/* SPDX-License-Identifier: MIT
 *
 * vtable_calls.h: one function per interface that calls its every slot once, in the order of the specification's tables
 * and through lpVtbl. Defined in C, called from C++: the two languages meet in these functions. See vtable_v2_test.cpp.
 */
#ifndef OPENND_TESTS_HEADERS_VTABLE_CALLS_H
#define OPENND_TESTS_HEADERS_VTABLE_CALLS_H

#include <ndspi.h>
#include <opennd_immediate.h>

#ifdef __cplusplus
extern "C" {
#endif

void call_unknown(IUnknown* object);
void call_class_factory(IClassFactory* object);
void call_nd2_overlapped(IND2Overlapped* object);
void call_nd2_completion_queue(IND2CompletionQueue* object);
void call_nd2_shared_receive_queue(IND2SharedReceiveQueue* object);
void call_nd2_memory_window(IND2MemoryWindow* object);
void call_nd2_memory_region(IND2MemoryRegion* object);
void call_nd2_queue_pair(IND2QueuePair* object);
/* By the vendor's names for the table: the slots that version 2 lacks, and the one before. */
void call_nd2_immediate_completion_queue(IND2ImmediateCompletionQueue* object);
void call_nd2_immediate_queue_pair(IND2ImmediateQueuePair* object);
void call_nd2_connector(IND2Connector* object);
void call_nd2_listener(IND2Listener* object);
void call_nd2_adapter(IND2Adapter* object);
void call_nd2_provider(IND2Provider* object);

void call_nd1_overlapped(INDOverlapped* object);
void call_nd1_completion_queue(INDCompletionQueue* object);
void call_nd1_memory_window(INDMemoryWindow* object);
void call_nd1_endpoint(INDEndpoint* object);
void call_nd1_connector(INDConnector* object);
void call_nd1_listen(INDListen* object);
void call_nd1_adapter(INDAdapter* object);
void call_nd1_provider(INDProvider* object);

#ifdef __cplusplus
}
#endif

#endif
