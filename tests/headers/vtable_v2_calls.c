/* SPDX-License-Identifier: MIT
 *
 * vtable_v2_calls.c: calls every slot of COM and version 2 from C. Read vtable_calls.h first.
 */
#define COBJMACROS
#include <ndspi.h>

#include "vtable_calls.h"

/* The slot has this number, and the call by its name compiles. */
#define CALL(slot, interface, method, ...)                                                               \
    _Static_assert(offsetof(interface##Vtbl, method) == (slot) * sizeof(void*), #interface "." #method); \
    interface##_##method(__VA_ARGS__)

/* There is nothing behind the last slot, and nothing beside lpVtbl in the object. */
#define SLOTS(interface, count)                                                                 \
    _Static_assert(sizeof(interface##Vtbl) == (count) * sizeof(void*), "slots of " #interface); \
    _Static_assert(sizeof(interface) == sizeof(void*) && offsetof(interface, lpVtbl) == 0, #interface)

void call_unknown(IUnknown* object) {
    SLOTS(IUnknown, 3);
    CALL(0, IUnknown, QueryInterface, object, &IID_IUnknown, NULL);
    CALL(1, IUnknown, AddRef, object);
    CALL(2, IUnknown, Release, object);
}

void call_class_factory(IClassFactory* object) {
    SLOTS(IClassFactory, 5);
    CALL(0, IClassFactory, QueryInterface, object, &IID_IUnknown, NULL);
    CALL(1, IClassFactory, AddRef, object);
    CALL(2, IClassFactory, Release, object);
    CALL(3, IClassFactory, CreateInstance, object, NULL, &IID_IUnknown, NULL);
    CALL(4, IClassFactory, LockServer, object, TRUE);
}

void call_nd2_overlapped(IND2Overlapped* object) {
    SLOTS(IND2Overlapped, 5);
    CALL(0, IND2Overlapped, QueryInterface, object, &IID_IUnknown, NULL);
    CALL(1, IND2Overlapped, AddRef, object);
    CALL(2, IND2Overlapped, Release, object);
    CALL(3, IND2Overlapped, CancelOverlappedRequests, object);
    CALL(4, IND2Overlapped, GetOverlappedResult, object, NULL, TRUE);
}

void call_nd2_completion_queue(IND2CompletionQueue* object) {
    SLOTS(IND2CompletionQueue, 9);
    CALL(0, IND2CompletionQueue, QueryInterface, object, &IID_IUnknown, NULL);
    CALL(1, IND2CompletionQueue, AddRef, object);
    CALL(2, IND2CompletionQueue, Release, object);
    CALL(3, IND2CompletionQueue, CancelOverlappedRequests, object);
    CALL(4, IND2CompletionQueue, GetOverlappedResult, object, NULL, TRUE);
    CALL(5, IND2CompletionQueue, GetNotifyAffinity, object, NULL, NULL);
    CALL(6, IND2CompletionQueue, Resize, object, 0);
    CALL(7, IND2CompletionQueue, Notify, object, 0, NULL);
    CALL(8, IND2CompletionQueue, GetResults, object, NULL, 0);
}

void call_nd2_shared_receive_queue(IND2SharedReceiveQueue* object) {
    SLOTS(IND2SharedReceiveQueue, 9);
    CALL(0, IND2SharedReceiveQueue, QueryInterface, object, &IID_IUnknown, NULL);
    CALL(1, IND2SharedReceiveQueue, AddRef, object);
    CALL(2, IND2SharedReceiveQueue, Release, object);
    CALL(3, IND2SharedReceiveQueue, CancelOverlappedRequests, object);
    CALL(4, IND2SharedReceiveQueue, GetOverlappedResult, object, NULL, TRUE);
    CALL(5, IND2SharedReceiveQueue, GetNotifyAffinity, object, NULL, NULL);
    CALL(6, IND2SharedReceiveQueue, Modify, object, 0, 0);
    CALL(7, IND2SharedReceiveQueue, Notify, object, NULL);
    CALL(8, IND2SharedReceiveQueue, Receive, object, NULL, NULL, 0);
}

void call_nd2_memory_window(IND2MemoryWindow* object) {
    SLOTS(IND2MemoryWindow, 4);
    CALL(0, IND2MemoryWindow, QueryInterface, object, &IID_IUnknown, NULL);
    CALL(1, IND2MemoryWindow, AddRef, object);
    CALL(2, IND2MemoryWindow, Release, object);
    CALL(3, IND2MemoryWindow, GetRemoteToken, object);
}

void call_nd2_memory_region(IND2MemoryRegion* object) {
    SLOTS(IND2MemoryRegion, 9);
    CALL(0, IND2MemoryRegion, QueryInterface, object, &IID_IUnknown, NULL);
    CALL(1, IND2MemoryRegion, AddRef, object);
    CALL(2, IND2MemoryRegion, Release, object);
    CALL(3, IND2MemoryRegion, CancelOverlappedRequests, object);
    CALL(4, IND2MemoryRegion, GetOverlappedResult, object, NULL, TRUE);
    CALL(5, IND2MemoryRegion, Register, object, NULL, 0, 0, NULL);
    CALL(6, IND2MemoryRegion, Deregister, object, NULL);
    CALL(7, IND2MemoryRegion, GetLocalToken, object);
    CALL(8, IND2MemoryRegion, GetRemoteToken, object);
}

void call_nd2_queue_pair(IND2QueuePair* object) {
    SLOTS(IND2QueuePair, 10);
    CALL(0, IND2QueuePair, QueryInterface, object, &IID_IUnknown, NULL);
    CALL(1, IND2QueuePair, AddRef, object);
    CALL(2, IND2QueuePair, Release, object);
    CALL(3, IND2QueuePair, Flush, object);
    CALL(4, IND2QueuePair, Send, object, NULL, NULL, 0, 0);
    CALL(5, IND2QueuePair, Receive, object, NULL, NULL, 0);
    CALL(6, IND2QueuePair, Bind, object, NULL, NULL, NULL, NULL, 0, 0);
    CALL(7, IND2QueuePair, Invalidate, object, NULL, NULL, 0);
    CALL(8, IND2QueuePair, Read, object, NULL, NULL, 0, 0, 0, 0);
    CALL(9, IND2QueuePair, Write, object, NULL, NULL, 0, 0, 0, 0);
}

void call_nd2_connector(IND2Connector* object) {
    SLOTS(IND2Connector, 16);
    CALL(0, IND2Connector, QueryInterface, object, &IID_IUnknown, NULL);
    CALL(1, IND2Connector, AddRef, object);
    CALL(2, IND2Connector, Release, object);
    CALL(3, IND2Connector, CancelOverlappedRequests, object);
    CALL(4, IND2Connector, GetOverlappedResult, object, NULL, TRUE);
    CALL(5, IND2Connector, Bind, object, NULL, 0);
    CALL(6, IND2Connector, Connect, object, NULL, NULL, 0, 0, 0, NULL, 0, NULL);
    CALL(7, IND2Connector, CompleteConnect, object, NULL);
    CALL(8, IND2Connector, Accept, object, NULL, 0, 0, NULL, 0, NULL);
    CALL(9, IND2Connector, Reject, object, NULL, 0);
    CALL(10, IND2Connector, GetReadLimits, object, NULL, NULL);
    CALL(11, IND2Connector, GetPrivateData, object, NULL, NULL);
    CALL(12, IND2Connector, GetLocalAddress, object, NULL, NULL);
    CALL(13, IND2Connector, GetPeerAddress, object, NULL, NULL);
    CALL(14, IND2Connector, NotifyDisconnect, object, NULL);
    CALL(15, IND2Connector, Disconnect, object, NULL);
}

void call_nd2_listener(IND2Listener* object) {
    SLOTS(IND2Listener, 9);
    CALL(0, IND2Listener, QueryInterface, object, &IID_IUnknown, NULL);
    CALL(1, IND2Listener, AddRef, object);
    CALL(2, IND2Listener, Release, object);
    CALL(3, IND2Listener, CancelOverlappedRequests, object);
    CALL(4, IND2Listener, GetOverlappedResult, object, NULL, TRUE);
    CALL(5, IND2Listener, Bind, object, NULL, 0);
    CALL(6, IND2Listener, Listen, object, 0);
    CALL(7, IND2Listener, GetLocalAddress, object, NULL, NULL);
    CALL(8, IND2Listener, GetConnectionRequest, object, NULL, NULL);
}

void call_nd2_adapter(IND2Adapter* object) {
    SLOTS(IND2Adapter, 14);
    CALL(0, IND2Adapter, QueryInterface, object, &IID_IUnknown, NULL);
    CALL(1, IND2Adapter, AddRef, object);
    CALL(2, IND2Adapter, Release, object);
    CALL(3, IND2Adapter, CreateOverlappedFile, object, NULL);
    CALL(4, IND2Adapter, Query, object, NULL, NULL);
    CALL(5, IND2Adapter, QueryAddressList, object, NULL, NULL);
    CALL(6, IND2Adapter, CreateCompletionQueue, object, &IID_IUnknown, NULL, 0, 0, 0, NULL);
    CALL(7, IND2Adapter, CreateMemoryRegion, object, &IID_IUnknown, NULL, NULL);
    CALL(8, IND2Adapter, CreateMemoryWindow, object, &IID_IUnknown, NULL);
    CALL(9, IND2Adapter, CreateSharedReceiveQueue, object, &IID_IUnknown, NULL, 0, 0, 0, 0, 0, NULL);
    CALL(10, IND2Adapter, CreateQueuePair, object, &IID_IUnknown, NULL, NULL, NULL, 0, 0, 0, 0, 0, NULL);
    CALL(11, IND2Adapter, CreateQueuePairWithSrq, object, &IID_IUnknown, NULL, NULL, NULL, NULL, 0, 0, 0, NULL);
    CALL(12, IND2Adapter, CreateConnector, object, &IID_IUnknown, NULL, NULL);
    CALL(13, IND2Adapter, CreateListener, object, &IID_IUnknown, NULL, NULL);
}

void call_nd2_provider(IND2Provider* object) {
    SLOTS(IND2Provider, 6);
    CALL(0, IND2Provider, QueryInterface, object, &IID_IUnknown, NULL);
    CALL(1, IND2Provider, AddRef, object);
    CALL(2, IND2Provider, Release, object);
    CALL(3, IND2Provider, QueryAddressList, object, NULL, NULL);
    CALL(4, IND2Provider, ResolveAddress, object, NULL, 0, NULL);
    CALL(5, IND2Provider, OpenAdapter, object, &IID_IUnknown, 0, NULL);
}
