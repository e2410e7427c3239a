// SPDX-License-Identifier: MIT
//
// See nd2_conversation.h.
#include "faults/nd2_conversation.h"

#include <atomic>

#include "faults/failing_allocations.h"
#include "support/status.h"

namespace opennd::faults {
namespace {

using support::as_sockaddr;

constexpr ULONG kRights = ND_MR_FLAG_ALLOW_LOCAL_WRITE | ND_MR_FLAG_ALLOW_REMOTE_READ | ND_MR_FLAG_ALLOW_REMOTE_WRITE;
bool pending(support::OverlappedRequest& request) {
    return std::atomic_ref(request.get()->Internal).load() == static_cast<ULONG_PTR>(ND_PENDING);
}

}  // namespace

bool Nd2Conversation::ends(const char* method, support::OverlappedRequest& request, IND2Overlapped* object) {
    const FailingAllocation::Truce callbacks;  // which this thread runs while it waits
    return later(method, request.wait(object, kLongest));
}

bool Nd2Conversation::finish(const char* method, HRESULT begun, support::OverlappedRequest& request,
                             IND2Overlapped* object) {
    return at_once(method, begun) && ends(method, request, object);
}

// The next result of the queue. Waits asleep, so that the service thread and its calls have a part in it.
bool Nd2Conversation::comes(const char* request, IND2CompletionQueue* queue) {
    ND2_RESULT found{};
    while (queue->GetResults(&found, 1) == 0)
        if (!finish("IND2CompletionQueue::Notify", queue->Notify(ND_CQ_NOTIFY_ANY, request_.get()), request_, queue))
            return false;
    // ND2-CQ-GET-03
    const bool counted = found.RequestType == Nd2RequestTypeReceive || found.RequestType == Nd2RequestTypeRead;
    return result(request, found.Status, found.BytesTransferred, counted ? kMessageBytes : 0);
}

bool Nd2Conversation::open(Side& side, support::Buffer& memory) {
    const SocketAddress address = support::loopback_address();
    return at_once("NdOpenAdapter",
                   NdOpenAdapter(IID_IND2Adapter, as_sockaddr(address), sizeof address, side.adapter.out())) &&
           at_once("CreateOverlappedFile", side.adapter->CreateOverlappedFile(&side.file)) &&
           at_once("CreateCompletionQueue", side.adapter->CreateCompletionQueue(IID_IND2CompletionQueue, side.file, 16,
                                                                                0, 0, side.initiated.out())) &&
           at_once("CreateCompletionQueue", side.adapter->CreateCompletionQueue(IID_IND2CompletionQueue, side.file, 16,
                                                                                0, 0, side.received.out())) &&
           at_once("CreateMemoryRegion",
                   side.adapter->CreateMemoryRegion(IID_IND2MemoryRegion, side.file, side.region.out())) &&
           finish("Register", side.region->Register(memory.data(), memory.size(), kRights, request_.get()), request_,
                  side.region.get()) &&
           at_once("CreateQueuePair",
                   side.adapter->CreateQueuePair(IID_IND2QueuePair, side.received.get(), side.initiated.get(), nullptr,
                                                 8, 8, 4, 4, 0, side.queue_pair.out())) &&
           at_once("CreateConnector",
                   side.adapter->CreateConnector(IID_IND2Connector, side.file, side.connector.out()));
}

bool Nd2Conversation::establish(support::milliseconds patience) {
    SocketAddress address = support::loopback_address();
    const SocketAddress any = address;
    ULONG size = sizeof address;
    if (!at_once("CreateListener",
                 server_.adapter->CreateListener(IID_IND2Listener, server_.file, server_.listener.out())) ||
        !at_once("IND2Listener::Bind", server_.listener->Bind(as_sockaddr(address), sizeof address)) ||
        !at_once("Listen", server_.listener->Listen(0)))
        return false;
    support::require(server_.listener->GetLocalAddress(as_sockaddr(address), &size), ND_SUCCESS, "GetLocalAddress");
    if (!at_once("IND2Connector::Bind", client_.connector->Bind(as_sockaddr(any), sizeof any)) ||
        !at_once("GetConnectionRequest",
                 server_.listener->GetConnectionRequest(server_.connector.get(), incoming_.get())) ||
        !at_once("Connect", client_.connector->Connect(client_.queue_pair.get(), as_sockaddr(address), sizeof address,
                                                       4, 4, nullptr, 0, request_.get())))
        return false;
    // A request that does not arrive leaves the server waiting; only the Connect has to end.
    const bool arrived = support::wait_until([&] { return !pending(incoming_) || !pending(request_); }, kLongest);
    if (!arrived || pending(incoming_)) {
        ends("Connect", request_, client_.connector.get());
        if (request_.wait(client_.connector.get()) == ND_CONNECTION_REFUSED) note_refusal_by_nobody();
        return false;
    }
    if (!ends("GetConnectionRequest", incoming_, server_.listener.get())) return false;
    const bool accepting =
        at_once("Accept", server_.connector->Accept(server_.queue_pair.get(), 4, 4, nullptr, 0, accepted_.get()));
    if (!accepting) server_.connector.reset();
    const bool answered =
        accepting && support::wait_until([&] { return !pending(request_) || !pending(accepted_); }, patience);
    // Without an answer the client may try again in another way, and waits as long as its program wants.
    if (!answered || pending(request_)) client_.connector->CancelOverlappedRequests();
    if (!ends("Connect", request_, client_.connector.get()) || !accepting) return false;
    const bool completed = finish("CompleteConnect", client_.connector->CompleteConnect(request_.get()), request_,
                                  client_.connector.get());
    if (!completed) client_.connector.reset();
    return ends("Accept", accepted_, server_.connector.get()) && completed;
}

bool Nd2Conversation::transfer() {
    const FailingAllocation::Truce posts_and_polls;
    const UINT64 remote = reinterpret_cast<UINT64>(server_memory_.data());
    const UINT32 token = server_.region->GetRemoteToken();
    ND2_SGE here{client_memory_.data(), kMessageBytes, client_.region->GetLocalToken()};
    ND2_SGE there{server_memory_.data(), kMessageBytes, server_.region->GetLocalToken()};
    return at_once("Receive", server_.queue_pair->Receive(nullptr, &there, 1)) &&
           at_once("Send", client_.queue_pair->Send(nullptr, &here, 1, 0)) &&
           comes("Receive", server_.received.get()) && comes("Send", client_.initiated.get()) &&
           at_once("Write", client_.queue_pair->Write(nullptr, &here, 1, remote, token, 0)) &&
           comes("Write", client_.initiated.get()) &&
           at_once("Read", client_.queue_pair->Read(nullptr, &here, 1, remote, token, 0)) &&
           comes("Read", client_.initiated.get());
}

bool Nd2Conversation::withdraw() {
    const bool ended =
        finish("Disconnect", client_.connector->Disconnect(request_.get()), request_, client_.connector.get());
    const bool deregistered =
        finish("Deregister", client_.region->Deregister(request_.get()), request_, client_.region.get());
    return ended && deregistered;
}

void Nd2Conversation::let_go() {
    for (Side* side : {&client_, &server_}) {
        side->connector.reset();
        side->listener.reset();
        side->queue_pair.reset();
        side->region.reset();
        side->initiated.reset();
        side->received.reset();
        if (side->file != nullptr) opennd_handle_close(side->file);
        side->adapter.reset();
    }
}

bool Nd2Conversation::talk(support::milliseconds patience) {
    return open(server_, server_memory_) && open(client_, client_memory_) && establish(patience) && transfer_all() &&
           withdraw();
}

}  // namespace opennd::faults
