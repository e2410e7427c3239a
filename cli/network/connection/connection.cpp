// SPDX-License-Identifier: MIT
//
// Read connection.h first. Listeners are in listener.cpp.
#include "network/connection/connection.h"

#include "interruption.h"
#include "nd_error.h"
#include "network/connection/completion_queue.h"
#include "network/connection/peer_text.h"

#include <algorithm>
#include <stdexcept>

namespace nd {
namespace {

// A Bind and the Send that carries its token, where version 1 needs the two (ND1-EP-GEN-02).
constexpr ULONG kLeastInitiatorDepth = 2;
// The Protocol of version 1, which goes nowhere (ND1-AD-LSN-11).
constexpr INT kProtocol = 0;

ULONG data_size(const PrivateData& data) { return static_cast<ULONG>(data.size()); }

QueuePair make_endpoint(const Adapter& adapter, INDConnector* connector, INDCompletionQueue* queue,
                        const QueueDepths& depths, void* context, const std::string& attempted) {
    const ND2_ADAPTER_INFO& limits = adapter.limits();
    const ULONG initiator = std::max(depths.initiator, kLeastInitiatorDepth);
    SIZE_T inline_limit = 0;
    ComPtr<INDEndpoint> endpoint;
    check(connector->CreateEndpoint(
              queue, queue, depths.receive, initiator, 1, 1, std::min(depths.reads, limits.MaxInboundReadLimit),
              std::min(depths.reads, limits.MaxOutboundReadLimit), &inline_limit, endpoint.put_typed()),
          attempted, "INDConnector::CreateEndpoint");
    if (inline_limit < depths.inline_bytes)
        throw std::runtime_error("cannot " + attempted + ": endpoints of this adapter take " +
                                 std::to_string(inline_limit) + " bytes inline; use a smaller -I");
    return QueuePair(std::move(endpoint), depths.receive, initiator, context);
}

QueuePair make_ndk_queue_pair(const NdkAdapter& adapter, NDK_CQ* queue, const QueueDepths& depths, void* context,
                              const std::string& attempted) {
    Owned<NDK_QP> made;
    check(adapter.domain()->Dispatch->NdkCreateQp(adapter.domain(), queue, queue, context, depths.receive,
                                                  depths.initiator, 1, 1, depths.inline_bytes, nullptr, nullptr,
                                                  made.put()),
          attempted, "NdkCreateQp");
    return QueuePair(std::move(made));
}

}  // namespace

Connection::Connection(Adapter& adapter, std::function<void()> prepare)
    : adapter_(adapter), prepare_(std::move(prepare)) {
    make_connector();
}

// The connector goes before the OVERLAPPEDs of its requests. Its release disconnects a live connection.
Connection::~Connection() { connector_.reset(); }

void Connection::make_connector() {
    connector_.reset();
    switch (adapter_.api()) {
        case Api::nd1:
            return check(adapter_.nd1()->CreateConnector(connector_.nd1.put_typed()), "make a connector",
                         "INDAdapter::CreateConnector");
        case Api::nd2:
            return check(
                adapter_.nd2()->CreateConnector(IID_IND2Connector, adapter_.overlapped_file(), connector_.nd2.put()),
                "make a connector", "IND2Adapter::CreateConnector");
        case Api::ndk: connector_.ndk = std::make_unique<NdkConnector>(*adapter_.ndk());
    }
}

void Connection::prepare() {
    if (prepared_) return;
    prepare_();
    prepared_ = true;
}

void Connection::prepare_early() {
    if (adapter_.api() != Api::nd1) prepare();
}

QueuePair Connection::make_queue_pair(const CompletionQueue& queue, const QueueDepths& depths, void* context) {
    const std::string attempted = "make a queue pair (receive depth " + std::to_string(depths.receive) +
                                  ", initiator depth " + std::to_string(depths.initiator) + ", inline " +
                                  std::to_string(depths.inline_bytes) + " bytes)";
    reads_ = depths.reads;
    if (adapter_.api() == Api::nd1) {
        QueuePair made = make_endpoint(adapter_, connector_.nd1.get(), queue.nd1(), depths, context, attempted);
        endpoint_ = made.nd1();
        return made;
    }
    if (adapter_.api() == Api::ndk) {
        QueuePair made = make_ndk_queue_pair(*adapter_.ndk(), queue.ndk()->get(), depths, context, attempted);
        ndk_queue_pair_ = made.ndk();
        return made;
    }
    ComPtr<IND2QueuePair> made;
    check(adapter_.nd2()->CreateQueuePair(IID_IND2QueuePair, queue.nd2(), queue.nd2(), context, depths.receive,
                                          depths.initiator, 1, 1, depths.inline_bytes, made.put()),
          attempted, "IND2Adapter::CreateQueuePair");
    queue_pair_ = made.get();
    return QueuePair(std::move(made));
}

RemoteMemory Connection::grant(QueuePair& queue_pair, const MemoryBuffer& buffer, std::size_t offset,
                               std::size_t bytes) {
    if (adapter_.api() != Api::nd1)
        return {reinterpret_cast<std::uint64_t>(buffer.data() + offset), bytes, buffer.remote_token(), 0};
    ComPtr<INDMemoryWindow> window;
    ND_MW_DESCRIPTOR descriptor = {};
    check(adapter_.nd1()->CreateMemoryWindow(nullptr, window.put_typed()), "make a memory window",
          "INDAdapter::CreateMemoryWindow");
    check(queue_pair.bind(window.get(), buffer.part(offset, bytes), &descriptor),
          "grant the peer " + std::to_string(bytes) + " bytes of memory", "INDEndpoint::Bind");
    windows_.push_back(std::move(window));
    return remote_memory(descriptor);
}

// Only version 2 has Bind: Connect of version 1 takes the adapter's address, and NdkConnect is given it.
void Connection::bind_to_adapter(const std::string& attempted) {
    if (adapter_.api() != Api::nd2) return;
    const SocketAddress local = adapter_.address().with_port(0);
    check(connector_.nd2->Bind(local.data(), local.length()), attempted, "IND2Connector::Bind to " + local.host());
}

HRESULT Connection::begin_connect(const SocketAddress& server, const PrivateData& data) {
    if (adapter_.api() == Api::nd1)
        return connector_.nd1->Connect(endpoint_, server.data(), server.length(), kProtocol, 0, data.data(),
                                       data.size(), request_.overlapped());
    if (adapter_.api() == Api::ndk)
        return connector_.ndk->Connect(ndk_queue_pair_, adapter_.address().with_port(0), server, reads_, data.data(),
                                       data.size(), request_.overlapped());
    return connector_.nd2->Connect(queue_pair_, server.data(), server.length(), reads_, reads_, data.data(),
                                   data_size(data), request_.overlapped());
}

HRESULT Connection::begin_complete() {
    return connector_.call([this](auto& connector) { return connector.CompleteConnect(request_.overlapped()); });
}

HRESULT Connection::begin_accept(const PrivateData& data) {
    if (adapter_.api() == Api::nd1)
        return connector_.nd1->Accept(endpoint_, data.data(), data.size(), request_.overlapped());
    if (adapter_.api() == Api::ndk)
        return connector_.ndk->Accept(ndk_queue_pair_, reads_, data.data(), data.size(), request_.overlapped());
    return connector_.nd2->Accept(queue_pair_, reads_, reads_, data.data(), data_size(data), request_.overlapped());
}

PrivateData Connection::connect(const SocketAddress& server, const PrivateData& data) {
    ConnectWait wait;
    return connect(server, data, wait);
}

PrivateData Connection::connect(const SocketAddress& server, const PrivateData& data, ConnectWait& wait) {
    prepare();
    const std::string attempted = "connect to " + server.text();
    bind_to_adapter(attempted);
    const HRESULT status = request_.wait(connector_, begin_connect(server, data), [&] { wait.look_around(server); });
    if (status == ND_CONNECTION_REFUSED)
        if (const std::string why = words_of_refusal(); !why.empty()) throw Refused(attempted, why);
    check(status, attempted, adapter_.method("Connector::Connect", "NdkConnect"));
    PrivateData answer = private_data();
    check(request_.wait(connector_, begin_complete()), attempted,
          adapter_.method("Connector::CompleteConnect", "NdkCompleteConnect"));
    established();
    return answer;
}

HRESULT Connection::begin_to_take(Listener& listener) {
    OVERLAPPED* const request = listener.request_.overlapped();
    switch (adapter_.api()) {
        case Api::nd1: return listener.object_.nd1->GetConnectionRequest(connector_.nd1.get(), request);
        case Api::ndk: return listener.object_.ndk->GetConnectionRequest(*connector_.ndk, request);
        case Api::nd2: break;
    }
    return listener.object_.nd2->GetConnectionRequest(connector_.nd2.get(), request);
}

PrivateData Connection::take_request(Listener& listener, const Connection* companion) {
    const HRESULT status = listener.request_.wait(listener.object_, begin_to_take(listener), [companion] {
        if (interrupted()) throw Interrupted();
        if (companion != nullptr && companion->lost())
            throw std::runtime_error("the client went away while its data connections were expected");
    });
    check(status, "take a connection request",
          adapter_.api() == Api::nd1 ? "INDListen::GetConnectionRequest"
                                     : adapter_.method("Listener::GetConnectionRequest", "the connect event"));
    return private_data();
}

void Connection::accept(const PrivateData& data) {
    prepare();
    check(request_.wait(connector_, begin_accept(data)), "accept a connection",
          adapter_.method("Connector::Accept", "NdkAccept"));
    established();
}

void Connection::connect_both(Listener& listener, Connection& active, Connection& passive) {
    active.prepare();
    passive.prepare();
    const std::string attempted = "connect within the process, at " + listener.address().text();
    active.bind_to_adapter(attempted);
    const auto end = [&](Connection& side, HRESULT begun, const char* method, const char* ndk_function) {
        check(side.request_.sleep(side.connector_, begun), attempted, side.adapter_.method(method, ndk_function));
    };
    const HRESULT asked = passive.begin_to_take(listener);
    const HRESULT connected = active.begin_connect(listener.address(), {});
    check(listener.request_.sleep(listener.object_, asked), attempted, "GetConnectionRequest");
    const HRESULT accepted = passive.begin_accept({});
    end(active, connected, "Connector::Connect", "NdkConnect");
    end(active, active.begin_complete(), "Connector::CompleteConnect", "NdkCompleteConnect");
    end(passive, accepted, "Connector::Accept", "NdkAccept");
    active.established();
    passive.established();
}

void Connection::reject(const std::string& why) {
    const ULONG bytes = std::min<ULONG>(static_cast<ULONG>(why.size()), adapter_.limits().MaxCalleeData);
    // Fails only if the peer has given up, which is as good.
    connector_.call([&](auto& connector) { return connector.Reject(why.data(), bytes); });
    make_connector();
}

void Connection::disconnect() {
    // The peer may have been first, which is no failure (ND2-CON-DISC-03, ND1-CN-DISC-06).
    const auto end = [this](auto& connector) { return connector.Disconnect(request_.overlapped()); };
    check(request_.wait(connector_, connector_.call(end), [] {}), "disconnect",
          adapter_.method("Connector::Disconnect", "NdkDisconnect"));
}

void Connection::end() {
    if (lost())
        connector_.reset();
    else
        disconnect();
}

void Connection::wait_until_lost() {
    if (watched_) (void)lost_.wait(connector_, ND_PENDING);
}

void Connection::renew() {
    watched_ = prepared_ = false;
    windows_.clear();
    make_connector();
}

HRESULT Connection::get_private_data(void* data, SIZE_T& bytes) const {
    if (adapter_.api() == Api::nd1) return connector_.nd1->GetConnectionData(nullptr, nullptr, data, &bytes);
    if (adapter_.api() == Api::ndk) return connector_.ndk->GetPrivateData(data, bytes);
    auto length = static_cast<ULONG>(bytes);
    const HRESULT status = connector_.nd2->GetPrivateData(data, &length);
    bytes = length;
    return status;
}

// What the server said as it rejected; empty: nobody listens there, or it said nothing.
std::string Connection::words_of_refusal() const {
    char words[256] = "";
    SIZE_T bytes = sizeof words;
    if (get_private_data(words, bytes) != ND_SUCCESS) return {};
    return peer_text(words, std::min<std::size_t>(bytes, sizeof words));
}

PrivateData Connection::private_data() const {
    SIZE_T bytes = 0;
    HRESULT status = get_private_data(nullptr, bytes);
    if (status == ND_CONNECTION_ABORTED) return {};
    PrivateData data(bytes);
    if (status == ND_BUFFER_OVERFLOW) status = get_private_data(data.data(), bytes);
    check(status, "read the peer's private data",
          adapter_.api() == Api::nd1 ? "INDConnector::GetConnectionData"
                                     : adapter_.method("Connector::GetPrivateData", "NdkGetConnectionData"));
    return data;
}

void Connection::established() {
    const HRESULT status =
        connector_.call([this](auto& connector) { return connector.NotifyDisconnect(lost_.overlapped()); });
    if (status != ND_PENDING)
        check(status, "watch a connection", adapter_.method("Connector::NotifyDisconnect", "the disconnect event"));
    watched_ = true;

    char name[32] = "", path[64] = "";
    const HRESULT told = connector_.ndk
                             ? connector_.ndk->transport(name, sizeof name, path, sizeof path)
                             : opennd_connection_transport(
                                   connector_.nd1 ? static_cast<IUnknown*>(connector_.nd1.get()) : connector_.nd2.get(),
                                   name, sizeof name, path, sizeof path);
    check(told, "ask for the transport of a connection",
          connector_.ndk ? "opennd_ndk_connection_transport" : "opennd_connection_transport");
    transport_ = name;
    path_ = path;
}

}  // namespace nd
