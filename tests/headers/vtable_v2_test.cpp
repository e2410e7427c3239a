// SPDX-License-Identifier: MIT
//
// C++ objects of every COM and version 2 interface, called from C through lpVtbl: each call must reach the method of its
// name, in the order of the interface. The numbers of the slots are asserted in vtable_v2_calls.c.
#include <opennd_immediate.h>

#include "headers/recorder.h"
#include "headers/vtable_calls.h"
#include "support/requirement.h"

namespace {

template <typename Interface>
struct OverlappedRecorder : UnknownRecorder<Interface> {
    HRESULT CancelOverlappedRequests() override { return this->record("CancelOverlappedRequests"); }
    HRESULT GetOverlappedResult(OVERLAPPED*, BOOL) override { return this->record("GetOverlappedResult"); }
};

struct ClassFactory : UnknownRecorder<IClassFactory> {
    HRESULT CreateInstance(IUnknown*, REFIID, void**) override { return record("CreateInstance"); }
    HRESULT LockServer(BOOL) override { return record("LockServer"); }
};

using Overlapped = OverlappedRecorder<IND2Overlapped>;

template <typename Interface>
struct CompletionQueueRecorder : OverlappedRecorder<Interface> {
    HRESULT GetNotifyAffinity(USHORT*, KAFFINITY*) override { return this->record("GetNotifyAffinity"); }
    HRESULT Resize(ULONG) override { return this->record("Resize"); }
    HRESULT Notify(ULONG, OVERLAPPED*) override { return this->record("Notify"); }
    ULONG GetResults(ND2_RESULT[], ULONG) override { return this->record("GetResults"); }
};
using CompletionQueue = CompletionQueueRecorder<IND2CompletionQueue>;
struct ImmediateCompletionQueue : CompletionQueueRecorder<IND2ImmediateCompletionQueue> {
    ULONG GetImmediateResults(ND2_IMMEDIATE_RESULT[], ULONG) override { return record("GetImmediateResults"); }
};

struct SharedReceiveQueue : OverlappedRecorder<IND2SharedReceiveQueue> {
    HRESULT GetNotifyAffinity(USHORT*, KAFFINITY*) override { return record("GetNotifyAffinity"); }
    HRESULT Modify(ULONG, ULONG) override { return record("Modify"); }
    HRESULT Notify(OVERLAPPED*) override { return record("Notify"); }
    HRESULT Receive(VOID*, const ND2_SGE[], ULONG) override { return record("Receive"); }
};

struct MemoryWindow : UnknownRecorder<IND2MemoryWindow> {
    UINT32 GetRemoteToken() override { return record("GetRemoteToken"); }
};

struct MemoryRegion : OverlappedRecorder<IND2MemoryRegion> {
    HRESULT Register(const VOID*, SIZE_T, ULONG, OVERLAPPED*) override { return record("Register"); }
    HRESULT Deregister(OVERLAPPED*) override { return record("Deregister"); }
    UINT32 GetLocalToken() override { return record("GetLocalToken"); }
    UINT32 GetRemoteToken() override { return record("GetRemoteToken"); }
};

template <typename Interface>
struct QueuePairRecorder : UnknownRecorder<Interface> {
    HRESULT Flush() override { return this->record("Flush"); }
    HRESULT Send(VOID*, const ND2_SGE[], ULONG, ULONG) override { return this->record("Send"); }
    HRESULT Receive(VOID*, const ND2_SGE[], ULONG) override { return this->record("Receive"); }
    HRESULT Bind(VOID*, IUnknown*, IUnknown*, const VOID*, SIZE_T, ULONG) override { return this->record("Bind"); }
    HRESULT Invalidate(VOID*, IUnknown*, ULONG) override { return this->record("Invalidate"); }
    HRESULT Read(VOID*, const ND2_SGE[], ULONG, UINT64, UINT32, ULONG) override { return this->record("Read"); }
    HRESULT Write(VOID*, const ND2_SGE[], ULONG, UINT64, UINT32, ULONG) override { return this->record("Write"); }
};
using QueuePair = QueuePairRecorder<IND2QueuePair>;
struct ImmediateQueuePair : QueuePairRecorder<IND2ImmediateQueuePair> {
    HRESULT SendWithImmediate(VOID*, const ND2_SGE[], ULONG, ULONG, UINT32) override {
        return record("SendWithImmediate");
    }
    HRESULT WriteWithImmediate(VOID*, const ND2_SGE[], ULONG, UINT64, UINT32, ULONG, UINT32) override {
        return record("WriteWithImmediate");
    }
};

struct Connector : OverlappedRecorder<IND2Connector> {
    HRESULT Bind(const struct sockaddr*, ULONG) override { return record("Bind"); }
    HRESULT Connect(IUnknown*, const struct sockaddr*, ULONG, ULONG, ULONG, const VOID*, ULONG, OVERLAPPED*) override {
        return record("Connect");
    }
    HRESULT CompleteConnect(OVERLAPPED*) override { return record("CompleteConnect"); }
    HRESULT Accept(IUnknown*, ULONG, ULONG, const VOID*, ULONG, OVERLAPPED*) override { return record("Accept"); }
    HRESULT Reject(const VOID*, ULONG) override { return record("Reject"); }
    HRESULT GetReadLimits(ULONG*, ULONG*) override { return record("GetReadLimits"); }
    HRESULT GetPrivateData(VOID*, ULONG*) override { return record("GetPrivateData"); }
    HRESULT GetLocalAddress(struct sockaddr*, ULONG*) override { return record("GetLocalAddress"); }
    HRESULT GetPeerAddress(struct sockaddr*, ULONG*) override { return record("GetPeerAddress"); }
    HRESULT NotifyDisconnect(OVERLAPPED*) override { return record("NotifyDisconnect"); }
    HRESULT Disconnect(OVERLAPPED*) override { return record("Disconnect"); }
};

struct Listener : OverlappedRecorder<IND2Listener> {
    HRESULT Bind(const struct sockaddr*, ULONG) override { return record("Bind"); }
    HRESULT Listen(ULONG) override { return record("Listen"); }
    HRESULT GetLocalAddress(struct sockaddr*, ULONG*) override { return record("GetLocalAddress"); }
    HRESULT GetConnectionRequest(IUnknown*, OVERLAPPED*) override { return record("GetConnectionRequest"); }
};

struct Adapter : UnknownRecorder<IND2Adapter> {
    HRESULT CreateOverlappedFile(HANDLE*) override { return record("CreateOverlappedFile"); }
    HRESULT Query(ND2_ADAPTER_INFO*, ULONG*) override { return record("Query"); }
    HRESULT QueryAddressList(SOCKET_ADDRESS_LIST*, ULONG*) override { return record("QueryAddressList"); }
    HRESULT CreateCompletionQueue(REFIID, HANDLE, ULONG, USHORT, KAFFINITY, VOID**) override {
        return record("CreateCompletionQueue");
    }
    HRESULT CreateMemoryRegion(REFIID, HANDLE, VOID**) override { return record("CreateMemoryRegion"); }
    HRESULT CreateMemoryWindow(REFIID, VOID**) override { return record("CreateMemoryWindow"); }
    HRESULT CreateSharedReceiveQueue(REFIID, HANDLE, ULONG, ULONG, ULONG, USHORT, KAFFINITY, VOID**) override {
        return record("CreateSharedReceiveQueue");
    }
    HRESULT CreateQueuePair(REFIID, IUnknown*, IUnknown*, VOID*, ULONG, ULONG, ULONG, ULONG, ULONG, VOID**) override {
        return record("CreateQueuePair");
    }
    HRESULT CreateQueuePairWithSrq(REFIID, IUnknown*, IUnknown*, IUnknown*, VOID*, ULONG, ULONG, ULONG,
                                   VOID**) override {
        return record("CreateQueuePairWithSrq");
    }
    HRESULT CreateConnector(REFIID, HANDLE, VOID**) override { return record("CreateConnector"); }
    HRESULT CreateListener(REFIID, HANDLE, VOID**) override { return record("CreateListener"); }
};

struct Provider : UnknownRecorder<IND2Provider> {
    HRESULT QueryAddressList(SOCKET_ADDRESS_LIST*, ULONG*) override { return record("QueryAddressList"); }
    HRESULT ResolveAddress(const struct sockaddr*, ULONG, UINT64*) override { return record("ResolveAddress"); }
    HRESULT OpenAdapter(REFIID, UINT64, VOID**) override { return record("OpenAdapter"); }
};

}  // namespace

TEST(VtableV2, IUnknownCallsReachTheMethodOfTheirName) {
    opennd::support::proves("ND2-GEN-01");
    EXPECT_EQ(calls_of<UnknownRecorder<IUnknown>>(call_unknown), (Calls{"QueryInterface", "AddRef", "Release"}));
}

TEST(VtableV2, IClassFactoryCallsReachTheMethodOfTheirName) {
    opennd::support::proves("ND2-GEN-01");
    EXPECT_EQ(calls_of<ClassFactory>(call_class_factory),
              (Calls{"QueryInterface", "AddRef", "Release", "CreateInstance", "LockServer"}));
}

TEST(VtableV2, IND2OverlappedCallsReachTheMethodOfTheirName) {
    opennd::support::proves("ND2-GEN-01");
    EXPECT_EQ(calls_of<Overlapped>(call_nd2_overlapped),
              (Calls{"QueryInterface", "AddRef", "Release", "CancelOverlappedRequests", "GetOverlappedResult"}));
}

TEST(VtableV2, IND2CompletionQueueCallsReachTheMethodOfTheirName) {
    opennd::support::proves("ND2-GEN-01");
    EXPECT_EQ(calls_of<CompletionQueue>(call_nd2_completion_queue),
              (Calls{"QueryInterface", "AddRef", "Release", "CancelOverlappedRequests", "GetOverlappedResult",
                     "GetNotifyAffinity", "Resize", "Notify", "GetResults"}));
}

TEST(VtableV2, IND2SharedReceiveQueueCallsReachTheMethodOfTheirName) {
    opennd::support::proves("ND2-GEN-01");
    EXPECT_EQ(calls_of<SharedReceiveQueue>(call_nd2_shared_receive_queue),
              (Calls{"QueryInterface", "AddRef", "Release", "CancelOverlappedRequests", "GetOverlappedResult",
                     "GetNotifyAffinity", "Modify", "Notify", "Receive"}));
}

TEST(VtableV2, IND2MemoryWindowCallsReachTheMethodOfTheirName) {
    opennd::support::proves("ND2-GEN-01");
    EXPECT_EQ(calls_of<MemoryWindow>(call_nd2_memory_window),
              (Calls{"QueryInterface", "AddRef", "Release", "GetRemoteToken"}));
}

TEST(VtableV2, IND2MemoryRegionCallsReachTheMethodOfTheirName) {
    opennd::support::proves("ND2-GEN-01");
    EXPECT_EQ(calls_of<MemoryRegion>(call_nd2_memory_region),
              (Calls{"QueryInterface", "AddRef", "Release", "CancelOverlappedRequests", "GetOverlappedResult",
                     "Register", "Deregister", "GetLocalToken", "GetRemoteToken"}));
}

TEST(VtableV2, IND2QueuePairCallsReachTheMethodOfTheirName) {
    opennd::support::proves("ND2-GEN-01");
    EXPECT_EQ(calls_of<QueuePair>(call_nd2_queue_pair), (Calls{"QueryInterface", "AddRef", "Release", "Flush", "Send",
                                                               "Receive", "Bind", "Invalidate", "Read", "Write"}));
}

TEST(VtableV2, ImmediateDataHaveTheTablesOfTheVendorsNames) {
    opennd::support::proves("ND2-IMM-COM-01", "ND2-GEN-01");
    EXPECT_EQ(calls_of<ImmediateCompletionQueue>(call_nd2_immediate_completion_queue),
              (Calls{"GetResults", "GetImmediateResults"}));
    EXPECT_EQ(calls_of<ImmediateQueuePair>(call_nd2_immediate_queue_pair),
              (Calls{"Write", "SendWithImmediate", "WriteWithImmediate"}));
}

TEST(VtableV2, IND2ConnectorCallsReachTheMethodOfTheirName) {
    opennd::support::proves("ND2-GEN-01");
    EXPECT_EQ(calls_of<Connector>(call_nd2_connector),
              (Calls{"QueryInterface", "AddRef", "Release", "CancelOverlappedRequests", "GetOverlappedResult", "Bind",
                     "Connect", "CompleteConnect", "Accept", "Reject", "GetReadLimits", "GetPrivateData",
                     "GetLocalAddress", "GetPeerAddress", "NotifyDisconnect", "Disconnect"}));
}

TEST(VtableV2, IND2ListenerCallsReachTheMethodOfTheirName) {
    opennd::support::proves("ND2-GEN-01");
    EXPECT_EQ(calls_of<Listener>(call_nd2_listener),
              (Calls{"QueryInterface", "AddRef", "Release", "CancelOverlappedRequests", "GetOverlappedResult", "Bind",
                     "Listen", "GetLocalAddress", "GetConnectionRequest"}));
}

TEST(VtableV2, IND2AdapterCallsReachTheMethodOfTheirName) {
    opennd::support::proves("ND2-GEN-01");
    EXPECT_EQ(calls_of<Adapter>(call_nd2_adapter),
              (Calls{"QueryInterface", "AddRef", "Release", "CreateOverlappedFile", "Query", "QueryAddressList",
                     "CreateCompletionQueue", "CreateMemoryRegion", "CreateMemoryWindow", "CreateSharedReceiveQueue",
                     "CreateQueuePair", "CreateQueuePairWithSrq", "CreateConnector", "CreateListener"}));
}

TEST(VtableV2, IND2ProviderCallsReachTheMethodOfTheirName) {
    opennd::support::proves("ND2-GEN-01");
    EXPECT_EQ(calls_of<Provider>(call_nd2_provider),
              (Calls{"QueryInterface", "AddRef", "Release", "QueryAddressList", "ResolveAddress", "OpenAdapter"}));
}
