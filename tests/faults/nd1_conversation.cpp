// SPDX-License-Identifier: MIT
//
// See nd1_conversation.h.
#include "faults/nd1_conversation.h"

#include <atomic>

#include "faults/failing_allocations.h"
#include "support/status.h"

namespace opennd::faults {
namespace {

using support::as_sockaddr;

constexpr INT kProtocol = 123;

}  // namespace

Nd1Conversation::Request::Request() {
    support::require(opennd_event_create(TRUE, FALSE, &event_), ND_SUCCESS, "opennd_event_create");
    overlapped_.hEvent = event_;
}

Nd1Conversation::Request::~Request() { opennd_handle_close(event_); }

bool Nd1Conversation::Request::pending() {
    return std::atomic_ref(overlapped_.Internal).load() == static_cast<ULONG_PTR>(ND_PENDING);
}

HRESULT Nd1Conversation::Request::wait() {
    const FailingAllocation::Truce callbacks;  // which this thread runs while it waits
    if (opennd_event_wait(event_, static_cast<DWORD>(kLongest.count())) != ND_SUCCESS) return ND_PENDING;
    return static_cast<HRESULT>(std::atomic_ref(overlapped_.Internal).load());
}

// Waits asleep, so that the service thread and its calls have a part in it.
bool Nd1Conversation::comes(const char* request, INDCompletionQueue* queue, const ND_RESULT& posted, SIZE_T bytes) {
    ND_RESULT* found = nullptr;
    while (queue->GetResults(&found, 1) == 0)
        if (!finish("Notify", queue->Notify(ND_CQ_NOTIFY_ANY, notified_), notified_)) return false;
    if (found != &posted) note(std::string("another result came than that of a ") + request);
    return result(request, found->Status, found->BytesTransferred, bytes);
}

bool Nd1Conversation::open(Side& side, support::Buffer& memory) {
    const SocketAddress address = support::loopback_address();
    return at_once("NdOpenV1Adapter", NdOpenV1Adapter(as_sockaddr(address), sizeof address, side.adapter.put())) &&
           at_once("CreateCompletionQueue", side.adapter->CreateCompletionQueue(16, side.initiated.put())) &&
           at_once("CreateCompletionQueue", side.adapter->CreateCompletionQueue(16, side.received.put())) &&
           finish("RegisterMemory",
                  side.adapter->RegisterMemory(memory.data(), memory.size(), request_, &side.registration), request_) &&
           at_once("CreateMemoryWindow", side.adapter->CreateMemoryWindow(nullptr, side.window.put())) &&
           at_once("CreateConnector", side.adapter->CreateConnector(side.connector.put())) &&
           at_once("CreateEndpoint", side.connector->CreateEndpoint(side.received.get(), side.initiated.get(), 8, 8, 4,
                                                                    4, 4, 4, nullptr, side.endpoint.put()));
}

bool Nd1Conversation::establish(support::milliseconds patience) {
    SocketAddress address = support::loopback_address();
    if (!at_once("Listen", server_.adapter->Listen(0, kProtocol, 0, &address.ipv4.sin_port, listen_.put())) ||
        !at_once("GetConnectionRequest", listen_->GetConnectionRequest(server_.connector.get(), incoming_)) ||
        !at_once("Connect", client_.connector->Connect(client_.endpoint.get(), as_sockaddr(address), sizeof address,
                                                       kProtocol, 0, nullptr, 0, request_)))
        return false;
    // A request that does not arrive leaves the server waiting; only the Connect has to end.
    const bool arrived = support::wait_until([&] { return !incoming_.pending() || !request_.pending(); }, kLongest);
    if (!arrived || incoming_.pending()) {
        ends("Connect", request_);
        return false;
    }
    if (!ends("GetConnectionRequest", incoming_)) return false;
    const bool accepting = at_once("Accept", server_.connector->Accept(server_.endpoint.get(), nullptr, 0, accepted_));
    if (!accepting) server_.connector.reset();
    const bool answered =
        accepting && support::wait_until([&] { return !request_.pending() || !accepted_.pending(); }, patience);
    // Without an answer the client may try again in another way, and waits as long as its program wants.
    if (!answered || request_.pending()) client_.connector->CancelOverlappedRequests();
    if (!ends("Connect", request_) || !accepting) return false;
    const bool completed = finish("CompleteConnect", client_.connector->CompleteConnect(request_), request_);
    if (!completed) client_.connector.reset();
    return ends("Accept", accepted_) && completed;
}

bool Nd1Conversation::transfer() {
    const FailingAllocation::Truce posts_and_polls;
    ND_SGE here{client_memory_.data(), kMessageBytes, client_.registration};
    ND_SGE there{server_memory_.data(), kMessageBytes, server_.registration};
    ND_MW_DESCRIPTOR descriptor{};
    INDEndpoint& client = *client_.endpoint.get();
    INDEndpoint& server = *server_.endpoint.get();
    INDCompletionQueue* const by_client = client_.initiated.get();
    return at_once("Bind", server.Bind(&bound_, server_.registration, server_.window.get(), server_memory_.data(),
                                       kMessageBytes, ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_ALLOW_WRITE, &descriptor)) &&
           comes("Bind", server_.initiated.get(), bound_, 0) &&
           at_once("Receive", server.Receive(&received_, &there, 1)) &&
           at_once("Send", client.Send(&initiated_, &here, 1, 0)) &&
           comes("Receive", server_.received.get(), received_, kMessageBytes) &&
           comes("Send", by_client, initiated_, kMessageBytes) &&
           at_once("Write", client.Write(&initiated_, &here, 1, &descriptor, 0, 0)) &&
           comes("Write", by_client, initiated_, kMessageBytes) &&
           at_once("Read", client.Read(&initiated_, &here, 1, &descriptor, 0, 0)) &&
           comes("Read", by_client, initiated_, kMessageBytes) &&
           at_once("Invalidate", server.Invalidate(&bound_, server_.window.get(), 0)) &&
           comes("Invalidate", server_.initiated.get(), bound_, 0);
}

bool Nd1Conversation::withdraw() {
    const bool told = at_once("NotifyDisconnect", server_.connector->NotifyDisconnect(ended_));
    const bool ended = finish("Disconnect", client_.connector->Disconnect(request_), request_);
    const bool heard = told && ended && ends("NotifyDisconnect", ended_);
    const bool deregistered =
        finish("DeregisterMemory", client_.adapter->DeregisterMemory(client_.registration, request_), request_);
    return ended && heard && deregistered;
}

void Nd1Conversation::let_go() {
    for (Side* side : {&client_, &server_}) {
        side->connector.reset();
        side->endpoint.reset();
        side->window.reset();
    }
    listen_.reset();
    for (Request* request : {&request_, &notified_, &incoming_, &accepted_, &ended_})
        if (!support::wait_until([request] { return !request->pending(); }, kLongest))
            note("a request outlived its object");
    for (Side* side : {&client_, &server_}) {
        side->initiated.reset();
        side->received.reset();
        side->adapter.reset();
    }
}

bool Nd1Conversation::talk(support::milliseconds patience) {
    return open(server_, server_memory_) && open(client_, client_memory_) && establish(patience) && transfer_all() &&
           withdraw();
}

}  // namespace opennd::faults
