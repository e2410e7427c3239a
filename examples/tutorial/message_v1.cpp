// SPDX-License-Identifier: MIT
//
// message_v2.cpp by version 1, with a completion port to wait at. docs/tutorial/version_1.md goes through it.
#include "roles.h"

#include <unistd.h>

#include <cstring>

namespace {

using namespace tutorial;

constexpr SIZE_T kBytes = 64;

// An overlapped request. A packet at the port has the address of the OVERLAPPED, which is the request's.
struct Request : OVERLAPPED {
    bool pending = false;
    void begun(HRESULT status, const char* what) {
        need(status, what);
        pending = true;
    }
};

// The objects, in the order in which they are made. They go in the opposite order.
struct Side {
    explicit Side(const sockaddr_in& local) {
        need(NdOpenV1Adapter(generic(local), sizeof local, adapter.typed_out()), "NdOpenV1Adapter");
        need(opennd_port_create(&port), "opennd_port_create");
        need(opennd_port_associate(port, adapter->GetFileHandle(), 0), "opennd_port_associate");
        need(adapter->CreateCompletionQueue(1, received.typed_out()), "CreateCompletionQueue");
        need(adapter->CreateCompletionQueue(2, sent.typed_out()), "CreateCompletionQueue");
        finish(adapter->RegisterMemory(&memory, sizeof memory, &request, &region), "RegisterMemory");
        need(adapter->CreateConnector(connector.typed_out()), "CreateConnector");
        need(connector->CreateEndpoint(received.get(), sent.get(), 1, 2, 1, 1, 0, 0, nullptr, endpoint.typed_out()),
             "CreateEndpoint");
    }
    ~Side() { opennd_handle_close(port); }

    // Takes the next packet from the port: one of the requests has ended.
    void take_packet() {
        opennd_packet packet{};
        ULONG count = 0;
        need(opennd_port_wait(port, &packet, 1, OPENND_FOREVER, &count), "opennd_port_wait");
        static_cast<Request*>(packet.overlapped)->pending = false;
    }

    // Waits for the end of an overlapped request.
    void finish(HRESULT status, const char* what) {
        request.begun(status, what);
        while (request.pending) take_packet();
        need(static_cast<HRESULT>(request.Internal), what);
    }

    // Waits for the next result in a completion queue. A Receive from a peer that has left would have none.
    SIZE_T result(const Object<INDCompletionQueue>& queue, const char* what) {
        ND_RESULT* result = nullptr;
        while (queue->GetResults(&result, 1) == 0) {
            expect(end.pending || queue.get() == sent.get(), "the peer has left");
            if (!notice.pending) notice.begun(queue->Notify(ND_CQ_NOTIFY_ANY, &notice), "Notify");
            take_packet();
        }
        need(result->Status, what);
        return result->BytesTransferred;
    }

    void receive() {
        const ND_SGE part{memory.incoming, kBytes, region};
        need(endpoint->Receive(&receive_result, &part, 1), "Receive");
    }
    void send(const void* data, SIZE_T bytes) {
        std::memcpy(memory.outgoing, data, bytes);
        const ND_SGE part{memory.outgoing, bytes, region};
        need(endpoint->Send(&send_result, &part, 1, 0), "Send");
    }

    Request request{}, notice{}, end{};  // notice: of a completion queue; end: of the connection
    ND_RESULT receive_result{}, send_result{}, other_result{};
    struct {
        char board[kBytes], incoming[kBytes], outgoing[kBytes];
    } memory{};
    HANDLE port = nullptr;
    Object<INDAdapter> adapter;
    Object<INDCompletionQueue> received, sent;
    ND_MR_HANDLE region = nullptr;  // goes with the adapter
    Object<INDConnector> connector;
    Object<INDEndpoint> endpoint;
};

void server(const sockaddr_in& local) {
    Side side(local);
    side.receive();
    Object<INDListen> listen;
    USHORT port = 0;
    need(side.adapter->Listen(1, IPPROTO_TCP, 0, &port, listen.typed_out()), "Listen");
    tell_port(port);
    side.finish(listen->GetConnectionRequest(side.connector.get(), &side.request), "GetConnectionRequest");
    side.finish(side.connector->Accept(side.endpoint.get(), nullptr, 0, &side.request), "Accept");
    side.end.begun(side.connector->NotifyDisconnect(&side.end), "NotifyDisconnect");

    Object<INDMemoryWindow> window;
    ND_MW_DESCRIPTOR grant{};
    need(side.adapter->CreateMemoryWindow(nullptr, window.typed_out()), "CreateMemoryWindow");
    need(side.endpoint->Bind(&side.other_result, side.region, window.get(), side.memory.board, kBytes,
                             ND_OP_FLAG_ALLOW_WRITE | ND_OP_FLAG_SILENT_SUCCESS, &grant),
         "Bind");
    side.send(&grant, sizeof grant);
    (void)side.result(side.sent, "Send");

    const int length = static_cast<int>(side.result(side.received, "the client's message"));
    need(side.endpoint->Invalidate(&side.other_result, window.get(), 0), "Invalidate");
    (void)side.result(side.sent, "Invalidate");
    std::printf("message: %.*s\n", length, side.memory.incoming);
    std::printf("written: %.*s\n", static_cast<int>(kBytes), side.memory.board);
    side.send("I have read it", 14);
    (void)side.result(side.sent, "Send");

    while (side.end.pending) side.take_packet();
    std::printf("the client has left\n");
    side.finish(side.connector->Disconnect(&side.request), "Disconnect");
}

void client(const sockaddr_in& server) {
    Side side(local_address(server));
    side.receive();
    side.finish(side.connector->Connect(side.endpoint.get(), generic(server), sizeof server, IPPROTO_TCP, 0, nullptr, 0,
                                        &side.request),
                "Connect");
    side.finish(side.connector->CompleteConnect(&side.request), "CompleteConnect");
    side.end.begun(side.connector->NotifyDisconnect(&side.end), "NotifyDisconnect");

    ND_MW_DESCRIPTOR grant{};
    expect(side.result(side.received, "the server's grant") == sizeof grant, "the server is another program");
    std::memcpy(&grant, side.memory.incoming, sizeof grant);
    side.receive();
    std::snprintf(side.memory.board, kBytes, "greetings from process %d", static_cast<int>(getpid()));
    const ND_SGE part{side.memory.board, kBytes, side.region};
    need(side.endpoint->Write(&side.other_result, &part, 1, &grant, 0, ND_OP_FLAG_SILENT_SUCCESS), "Write");
    side.send("look at your memory", 19);
    (void)side.result(side.sent, "Send");

    const int length = static_cast<int>(side.result(side.received, "the server's answer"));
    std::printf("answer: %.*s\n", length, side.memory.incoming);
    side.finish(side.connector->Disconnect(&side.request), "Disconnect");
}

}  // namespace

int main(int count, char* arguments[]) { return run(count, arguments, 0, server, client); }
