/* SPDX-License-Identifier: MIT
 *
 * vtable_v1_calls.c: calls every slot of version 1 from C. Read vtable_calls.h first.
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

void call_nd1_overlapped(INDOverlapped* object) {
    SLOTS(INDOverlapped, 5);
    CALL(0, INDOverlapped, QueryInterface, object, &IID_IUnknown, NULL);
    CALL(1, INDOverlapped, AddRef, object);
    CALL(2, INDOverlapped, Release, object);
    CALL(3, INDOverlapped, CancelOverlappedRequests, object);
    CALL(4, INDOverlapped, GetOverlappedResult, object, NULL, NULL, TRUE);
}

void call_nd1_completion_queue(INDCompletionQueue* object) {
    SLOTS(INDCompletionQueue, 8);
    CALL(0, INDCompletionQueue, QueryInterface, object, &IID_IUnknown, NULL);
    CALL(1, INDCompletionQueue, AddRef, object);
    CALL(2, INDCompletionQueue, Release, object);
    CALL(3, INDCompletionQueue, CancelOverlappedRequests, object);
    CALL(4, INDCompletionQueue, GetOverlappedResult, object, NULL, NULL, TRUE);
    CALL(5, INDCompletionQueue, Resize, object, 0);
    CALL(6, INDCompletionQueue, Notify, object, 0, NULL);
    CALL(7, INDCompletionQueue, GetResults, object, NULL, 0);
}

void call_nd1_memory_window(INDMemoryWindow* object) {
    SLOTS(INDMemoryWindow, 3);
    CALL(0, INDMemoryWindow, QueryInterface, object, &IID_IUnknown, NULL);
    CALL(1, INDMemoryWindow, AddRef, object);
    CALL(2, INDMemoryWindow, Release, object);
}

void call_nd1_endpoint(INDEndpoint* object) {
    SLOTS(INDEndpoint, 13);
    CALL(0, INDEndpoint, QueryInterface, object, &IID_IUnknown, NULL);
    CALL(1, INDEndpoint, AddRef, object);
    CALL(2, INDEndpoint, Release, object);
    CALL(3, INDEndpoint, Flush, object);
    CALL(4, INDEndpoint, StartRequestBatch, object);
    CALL(5, INDEndpoint, SubmitRequestBatch, object);
    CALL(6, INDEndpoint, Send, object, NULL, NULL, 0, 0);
    CALL(7, INDEndpoint, SendAndInvalidate, object, NULL, NULL, 0, NULL, 0);
    CALL(8, INDEndpoint, Receive, object, NULL, NULL, 0);
    CALL(9, INDEndpoint, Bind, object, NULL, NULL, NULL, NULL, 0, 0, NULL);
    CALL(10, INDEndpoint, Invalidate, object, NULL, NULL, 0);
    CALL(11, INDEndpoint, Read, object, NULL, NULL, 0, NULL, 0, 0);
    CALL(12, INDEndpoint, Write, object, NULL, NULL, 0, NULL, 0, 0);
}

void call_nd1_connector(INDConnector* object) {
    SLOTS(INDConnector, 15);
    CALL(0, INDConnector, QueryInterface, object, &IID_IUnknown, NULL);
    CALL(1, INDConnector, AddRef, object);
    CALL(2, INDConnector, Release, object);
    CALL(3, INDConnector, CancelOverlappedRequests, object);
    CALL(4, INDConnector, GetOverlappedResult, object, NULL, NULL, TRUE);
    CALL(5, INDConnector, CreateEndpoint, object, NULL, NULL, 0, 0, 0, 0, 0, 0, NULL, NULL);
    CALL(6, INDConnector, Connect, object, NULL, NULL, 0, 0, 0, NULL, 0, NULL);
    CALL(7, INDConnector, CompleteConnect, object, NULL);
    CALL(8, INDConnector, Accept, object, NULL, NULL, 0, NULL);
    CALL(9, INDConnector, Reject, object, NULL, 0);
    CALL(10, INDConnector, GetConnectionData, object, NULL, NULL, NULL, NULL);
    CALL(11, INDConnector, GetLocalAddress, object, NULL, NULL);
    CALL(12, INDConnector, GetPeerAddress, object, NULL, NULL);
    CALL(13, INDConnector, NotifyDisconnect, object, NULL);
    CALL(14, INDConnector, Disconnect, object, NULL);
}

void call_nd1_listen(INDListen* object) {
    SLOTS(INDListen, 6);
    CALL(0, INDListen, QueryInterface, object, &IID_IUnknown, NULL);
    CALL(1, INDListen, AddRef, object);
    CALL(2, INDListen, Release, object);
    CALL(3, INDListen, CancelOverlappedRequests, object);
    CALL(4, INDListen, GetOverlappedResult, object, NULL, NULL, TRUE);
    CALL(5, INDListen, GetConnectionRequest, object, NULL, NULL);
}

void call_nd1_adapter(INDAdapter* object) {
    SLOTS(INDAdapter, 14);
    CALL(0, INDAdapter, QueryInterface, object, &IID_IUnknown, NULL);
    CALL(1, INDAdapter, AddRef, object);
    CALL(2, INDAdapter, Release, object);
    CALL(3, INDAdapter, CancelOverlappedRequests, object);
    CALL(4, INDAdapter, GetOverlappedResult, object, NULL, NULL, TRUE);
    CALL(5, INDAdapter, GetFileHandle, object);
    CALL(6, INDAdapter, Query, object, 0, NULL, NULL);
    CALL(7, INDAdapter, Control, object, 0, NULL, 0, NULL, 0, NULL, NULL);
    CALL(8, INDAdapter, CreateCompletionQueue, object, 0, NULL);
    CALL(9, INDAdapter, RegisterMemory, object, NULL, 0, NULL, NULL);
    CALL(10, INDAdapter, DeregisterMemory, object, NULL, NULL);
    CALL(11, INDAdapter, CreateMemoryWindow, object, NULL, NULL);
    CALL(12, INDAdapter, CreateConnector, object, NULL);
    CALL(13, INDAdapter, Listen, object, 0, 0, 0, NULL, NULL);
}

void call_nd1_provider(INDProvider* object) {
    SLOTS(INDProvider, 5);
    CALL(0, INDProvider, QueryInterface, object, &IID_IUnknown, NULL);
    CALL(1, INDProvider, AddRef, object);
    CALL(2, INDProvider, Release, object);
    CALL(3, INDProvider, QueryAddressList, object, NULL, NULL);
    CALL(4, INDProvider, OpenAdapter, object, NULL, 0, NULL);
}
