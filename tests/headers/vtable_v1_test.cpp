// SPDX-License-Identifier: MIT
//
// C++ objects of every version 1 interface, called from C through lpVtbl, as vtable_v2_test.cpp does for version 2.
#include "headers/recorder.h"
#include "headers/vtable_calls.h"
#include "support/requirement.h"

namespace {

template <typename Interface>
struct OverlappedRecorder : UnknownRecorder<Interface> {
    HRESULT CancelOverlappedRequests() override { return this->record("CancelOverlappedRequests"); }
    HRESULT GetOverlappedResult(OVERLAPPED*, SIZE_T*, BOOL) override { return this->record("GetOverlappedResult"); }
};

using Overlapped = OverlappedRecorder<INDOverlapped>;

struct CompletionQueue : OverlappedRecorder<INDCompletionQueue> {
    HRESULT Resize(SIZE_T) override { return record("Resize"); }
    HRESULT Notify(DWORD, OVERLAPPED*) override { return record("Notify"); }
    SIZE_T GetResults(ND_RESULT*[], SIZE_T) override { return record("GetResults"); }
};

using MemoryWindow = UnknownRecorder<INDMemoryWindow>;

struct Endpoint : UnknownRecorder<INDEndpoint> {
    HRESULT Flush() override { return record("Flush"); }
    void StartRequestBatch() override { record("StartRequestBatch"); }
    void SubmitRequestBatch() override { record("SubmitRequestBatch"); }
    HRESULT Send(ND_RESULT*, const ND_SGE*, SIZE_T, DWORD) override { return record("Send"); }
    HRESULT SendAndInvalidate(ND_RESULT*, const ND_SGE*, SIZE_T, const ND_MW_DESCRIPTOR*, DWORD) override {
        return record("SendAndInvalidate");
    }
    HRESULT Receive(ND_RESULT*, const ND_SGE*, SIZE_T) override { return record("Receive"); }
    HRESULT Bind(ND_RESULT*, ND_MR_HANDLE, INDMemoryWindow*, const VOID*, SIZE_T, DWORD, ND_MW_DESCRIPTOR*) override {
        return record("Bind");
    }
    HRESULT Invalidate(ND_RESULT*, INDMemoryWindow*, DWORD) override { return record("Invalidate"); }
    HRESULT Read(ND_RESULT*, const ND_SGE*, SIZE_T, const ND_MW_DESCRIPTOR*, ULONGLONG, DWORD) override {
        return record("Read");
    }
    HRESULT Write(ND_RESULT*, const ND_SGE*, SIZE_T, const ND_MW_DESCRIPTOR*, ULONGLONG, DWORD) override {
        return record("Write");
    }
};

struct Connector : OverlappedRecorder<INDConnector> {
    HRESULT CreateEndpoint(INDCompletionQueue*, INDCompletionQueue*, SIZE_T, SIZE_T, SIZE_T, SIZE_T, SIZE_T, SIZE_T,
                           SIZE_T*, INDEndpoint**) override {
        return record("CreateEndpoint");
    }
    HRESULT Connect(INDEndpoint*, const struct sockaddr*, SIZE_T, INT, USHORT, const VOID*, SIZE_T,
                    OVERLAPPED*) override {
        return record("Connect");
    }
    HRESULT CompleteConnect(OVERLAPPED*) override { return record("CompleteConnect"); }
    HRESULT Accept(INDEndpoint*, const VOID*, SIZE_T, OVERLAPPED*) override { return record("Accept"); }
    HRESULT Reject(const VOID*, SIZE_T) override { return record("Reject"); }
    HRESULT GetConnectionData(SIZE_T*, SIZE_T*, VOID*, SIZE_T*) override { return record("GetConnectionData"); }
    HRESULT GetLocalAddress(struct sockaddr*, SIZE_T*) override { return record("GetLocalAddress"); }
    HRESULT GetPeerAddress(struct sockaddr*, SIZE_T*) override { return record("GetPeerAddress"); }
    HRESULT NotifyDisconnect(OVERLAPPED*) override { return record("NotifyDisconnect"); }
    HRESULT Disconnect(OVERLAPPED*) override { return record("Disconnect"); }
};

struct Listen : OverlappedRecorder<INDListen> {
    HRESULT GetConnectionRequest(INDConnector*, OVERLAPPED*) override { return record("GetConnectionRequest"); }
};

struct Adapter : OverlappedRecorder<INDAdapter> {
    HANDLE GetFileHandle() override {
        record("GetFileHandle");
        return INVALID_HANDLE_VALUE;
    }
    HRESULT Query(DWORD, ND_ADAPTER_INFO*, SIZE_T*) override { return record("Query"); }
    HRESULT Control(DWORD, const VOID*, SIZE_T, VOID*, SIZE_T, SIZE_T*, OVERLAPPED*) override {
        return record("Control");
    }
    HRESULT CreateCompletionQueue(SIZE_T, INDCompletionQueue**) override { return record("CreateCompletionQueue"); }
    HRESULT RegisterMemory(const VOID*, SIZE_T, OVERLAPPED*, ND_MR_HANDLE*) override {
        return record("RegisterMemory");
    }
    HRESULT DeregisterMemory(ND_MR_HANDLE, OVERLAPPED*) override { return record("DeregisterMemory"); }
    HRESULT CreateMemoryWindow(ND_RESULT*, INDMemoryWindow**) override { return record("CreateMemoryWindow"); }
    HRESULT CreateConnector(INDConnector**) override { return record("CreateConnector"); }
    HRESULT Listen(SIZE_T, INT, USHORT, USHORT*, INDListen**) override { return record("Listen"); }
};

struct Provider : UnknownRecorder<INDProvider> {
    HRESULT QueryAddressList(SOCKET_ADDRESS_LIST*, SIZE_T*) override { return record("QueryAddressList"); }
    HRESULT OpenAdapter(const struct sockaddr*, SIZE_T, INDAdapter**) override { return record("OpenAdapter"); }
};

}  // namespace

TEST(VtableV1, INDOverlappedCallsReachTheMethodOfTheirName) {
    opennd::support::proves("ND2-GEN-01", "ND1-COM-01", "ND1-COM-02", "ND1-COM-03");
    EXPECT_EQ(calls_of<Overlapped>(call_nd1_overlapped),
              (Calls{"QueryInterface", "AddRef", "Release", "CancelOverlappedRequests", "GetOverlappedResult"}));
}

TEST(VtableV1, INDCompletionQueueCallsReachTheMethodOfTheirName) {
    opennd::support::proves("ND2-GEN-01", "ND1-COM-01", "ND1-COM-03");
    EXPECT_EQ(calls_of<CompletionQueue>(call_nd1_completion_queue),
              (Calls{"QueryInterface", "AddRef", "Release", "CancelOverlappedRequests", "GetOverlappedResult", "Resize",
                     "Notify", "GetResults"}));
}

TEST(VtableV1, INDMemoryWindowCallsReachTheMethodOfTheirName) {
    opennd::support::proves("ND2-GEN-01", "ND1-COM-01", "ND1-COM-03");
    EXPECT_EQ(calls_of<MemoryWindow>(call_nd1_memory_window), (Calls{"QueryInterface", "AddRef", "Release"}));
}

TEST(VtableV1, INDEndpointCallsReachTheMethodOfTheirName) {
    opennd::support::proves("ND2-GEN-01", "ND1-COM-01", "ND1-COM-03");
    EXPECT_EQ(calls_of<Endpoint>(call_nd1_endpoint),
              (Calls{"QueryInterface", "AddRef", "Release", "Flush", "StartRequestBatch", "SubmitRequestBatch", "Send",
                     "SendAndInvalidate", "Receive", "Bind", "Invalidate", "Read", "Write"}));
}

TEST(VtableV1, INDConnectorCallsReachTheMethodOfTheirName) {
    opennd::support::proves("ND2-GEN-01", "ND1-COM-01", "ND1-COM-03");
    EXPECT_EQ(calls_of<Connector>(call_nd1_connector),
              (Calls{"QueryInterface", "AddRef", "Release", "CancelOverlappedRequests", "GetOverlappedResult",
                     "CreateEndpoint", "Connect", "CompleteConnect", "Accept", "Reject", "GetConnectionData",
                     "GetLocalAddress", "GetPeerAddress", "NotifyDisconnect", "Disconnect"}));
}

TEST(VtableV1, INDListenCallsReachTheMethodOfTheirName) {
    opennd::support::proves("ND2-GEN-01", "ND1-COM-01", "ND1-COM-03");
    EXPECT_EQ(calls_of<Listen>(call_nd1_listen),
              (Calls{"QueryInterface", "AddRef", "Release", "CancelOverlappedRequests", "GetOverlappedResult",
                     "GetConnectionRequest"}));
}

TEST(VtableV1, INDAdapterCallsReachTheMethodOfTheirName) {
    opennd::support::proves("ND2-GEN-01", "ND1-COM-01", "ND1-COM-03");
    EXPECT_EQ(calls_of<Adapter>(call_nd1_adapter),
              (Calls{"QueryInterface", "AddRef", "Release", "CancelOverlappedRequests", "GetOverlappedResult",
                     "GetFileHandle", "Query", "Control", "CreateCompletionQueue", "RegisterMemory", "DeregisterMemory",
                     "CreateMemoryWindow", "CreateConnector", "Listen"}));
}

TEST(VtableV1, INDProviderCallsReachTheMethodOfTheirName) {
    opennd::support::proves("ND2-GEN-01", "ND1-COM-01", "ND1-COM-03");
    EXPECT_EQ(calls_of<Provider>(call_nd1_provider),
              (Calls{"QueryInterface", "AddRef", "Release", "QueryAddressList", "OpenAdapter"}));
}
