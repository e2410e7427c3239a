// SPDX-License-Identifier: MIT
//
// Read connection.h first.
#include "network/connection.h"

#include "interruption.h"
#include "nd_error.h"

#include <algorithm>
#include <stdexcept>

namespace nd {
namespace {

// More than any adapter has; the library limits silently (ND2-CON-LIM-01).
constexpr ULONG kAllReads = 0xFFFFFFFF;

ULONG data_size(const PrivateData& data) { return static_cast<ULONG>(data.size()); }

}  // namespace

Connection::Connection(Adapter& adapter) : adapter_(adapter) { make_connector(); }

// The connector goes before the OVERLAPPEDs of its requests. Releasing what is still connected disconnects it.
Connection::~Connection() { connector_.reset(); }

void Connection::make_connector() {
    check(adapter_->CreateConnector(IID_IND2Connector, adapter_.overlapped_file(), connector_.put()),
          "make a connector", "IND2Adapter::CreateConnector");
}

void Connection::make_queue_pair(IND2CompletionQueue* completion_queue, const QueueDepths& depths, void* context) {
    const std::string attempted = "make a queue pair (receive depth " + std::to_string(depths.receive) +
                                  ", initiator depth " + std::to_string(depths.initiator) + ", inline " +
                                  std::to_string(depths.inline_bytes) + " bytes)";
    check(adapter_->CreateQueuePair(IID_IND2QueuePair, completion_queue, completion_queue, context, depths.receive,
                                    depths.initiator, 1, 1, depths.inline_bytes, queue_pair_.put()),
          attempted, "IND2Adapter::CreateQueuePair");
}

PrivateData Connection::connect(const SocketAddress& server, const PrivateData& data) {
    const std::string attempted = "connect to " + server.text();
    SocketAddress local = adapter_.address().with_port(0);
    check(connector_->Bind(local.data(), local.length()), attempted, "IND2Connector::Bind to " + local.host());
    check(request_.wait(connector_.get(),
                        connector_->Connect(queue_pair_.get(), server.data(), server.length(), kAllReads, kAllReads,
                                            data.data(), data_size(data), request_.overlapped())),
          attempted, "IND2Connector::Connect");
    PrivateData answer = private_data();
    check(request_.wait(connector_.get(), connector_->CompleteConnect(request_.overlapped())), attempted,
          "IND2Connector::CompleteConnect");
    established();
    return answer;
}

PrivateData Connection::take_request(Listener& listener, const Connection* companion) {
    IND2Listener* source = listener.listener_.get();
    const HRESULT submitted = source->GetConnectionRequest(connector_.get(), listener.request_.overlapped());
    const HRESULT status = listener.request_.wait(source, submitted, [companion] {
        if (interrupted()) throw Interrupted();
        if (companion != nullptr && companion->lost())
            throw std::runtime_error("the client went away while its data connections were expected");
    });
    check(status, "take a connection request", "IND2Listener::GetConnectionRequest");
    return private_data();
}

void Connection::accept(const PrivateData& data) {
    check(request_.wait(connector_.get(), connector_->Accept(queue_pair_.get(), kAllReads, kAllReads, data.data(),
                                                             data_size(data), request_.overlapped())),
          "accept a connection", "IND2Connector::Accept");
    established();
}

void Connection::reject(const std::string& why) {
    const ULONG bytes = std::min<ULONG>(static_cast<ULONG>(why.size()), adapter_.limits().MaxCalleeData);
    connector_->Reject(why.data(), bytes);  // fails only if the peer has given up, which is as good
    make_connector();
}

void Connection::disconnect() {
    // The peer may have been first, which is no failure (ND2-CON-DISC-03).
    check(request_.wait(connector_.get(), connector_->Disconnect(request_.overlapped()), [] {}), "disconnect",
          "IND2Connector::Disconnect");
}

void Connection::wait_until_lost() {
    if (watched_) (void)lost_.wait(connector_.get(), ND_PENDING);
}

void Connection::renew() {
    watched_ = false;
    queue_pair_.reset();
    make_connector();
}

SocketAddress Connection::peer() const {
    sockaddr_storage address = {};
    ULONG bytes = sizeof address;
    check(connector_->GetPeerAddress(reinterpret_cast<sockaddr*>(&address), &bytes), "read the peer's address",
          "IND2Connector::GetPeerAddress");
    return SocketAddress(reinterpret_cast<sockaddr*>(&address), bytes);
}

PrivateData Connection::private_data() const {
    ULONG bytes = 0;
    HRESULT status = connector_->GetPrivateData(nullptr, &bytes);
    if (status == ND_CONNECTION_ABORTED) return {};
    PrivateData data(bytes);
    if (status == ND_BUFFER_OVERFLOW) status = connector_->GetPrivateData(data.data(), &bytes);
    check(status, "read the peer's private data", "IND2Connector::GetPrivateData");
    return data;
}

void Connection::established() {
    HRESULT status = connector_->NotifyDisconnect(lost_.overlapped());
    if (status != ND_PENDING) check(status, "watch a connection", "IND2Connector::NotifyDisconnect");
    watched_ = status == ND_PENDING;

    char name[32] = "", path[64] = "";
    check(opennd_connection_transport(connector_.get(), name, sizeof name, path, sizeof path),
          "ask for the transport of a connection", "opennd_connection_transport");
    transport_ = name;
    path_ = path;
}

Listener::Listener(Adapter& adapter, std::uint16_t port) {
    const SocketAddress local = adapter.address().with_port(port);
    const std::string attempted = "listen at " + local.text();
    check(adapter->CreateListener(IID_IND2Listener, adapter.overlapped_file(), listener_.put()), attempted,
          "IND2Adapter::CreateListener");
    check(listener_->Bind(local.data(), local.length()), attempted, "IND2Listener::Bind");
    check(listener_->Listen(0), attempted, "IND2Listener::Listen");
}

SocketAddress Listener::address() const {
    sockaddr_storage address = {};
    ULONG bytes = sizeof address;
    check(listener_->GetLocalAddress(reinterpret_cast<sockaddr*>(&address), &bytes), "read the listener's address",
          "IND2Listener::GetLocalAddress");
    return SocketAddress(reinterpret_cast<sockaddr*>(&address), bytes);
}

}  // namespace nd
