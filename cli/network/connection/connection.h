// SPDX-License-Identifier: MIT
//
// Connection: a queue pair and its connector, from creation to disconnect. Listener: where passive ones come from.
#pragma once

#include "network/adapter.h"
#include "network/api/pending_request.h"
#include "network/connection/connect_wait.h"
#include "network/connection/queue_pair.h"
#include "network/memory/memory_buffer.h"
#include "network/ndk/connector.h"
#include "network/ndk/listener.h"

#include <cstddef>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace nd {

struct QueueDepths {
    // More than any adapter has; all interfaces take the adapter's own number then (ND2-CON-LIM-01, NDK-CON-CONN-03).
    static constexpr ULONG kAllReads = 0xFFFFFFFF;

    ULONG receive = 1, initiator = 1;
    ULONG inline_bytes = 0;
    ULONG reads = kAllReads;  // in progress at a time, in each direction
};

// The data of a connection request or its answer.
using PrivateData = std::vector<std::byte>;

class BusyDoor;
class CompletionQueue;
class Listener;

// The server rejected a connection.
class Refused : public std::runtime_error {
public:
    Refused(const std::string& attempted, const std::string& words)
        : std::runtime_error("cannot " + attempted + ": the server refused: " + words), words_(words) {}

    // The server's, made printable.
    const std::string& words() const { return words_; }

private:
    std::string words_;
};

class Connection {
public:
    // prepare() makes the queue pair and posts the first receives. It is called once for each connection, before connecting
    // or accepting at the latest.
    Connection(Adapter& adapter, std::function<void()> prepare);
    ~Connection();
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    // Prepares now, if that may be early: in version 1 the queue pair belongs to the connector, and is lost with it when a
    // request is rejected.
    void prepare_early();

    // For prepare(). One completion queue for both directions; context comes back with every result. The connection keeps
    // no reference.
    QueuePair make_queue_pair(const CompletionQueue& completion_queue, const QueueDepths& depths, void* context);

    // Lets the peer read and write part of a buffer, as long as the connection lasts; connected already. A message sent
    // afterwards may tell the peer.
    RemoteMemory grant(QueuePair& queue_pair, const MemoryBuffer& buffer, std::size_t offset, std::size_t bytes);

    // Active side: connects and completes. Returns the peer's private data. Throws Refused where the server said why.
    PrivateData connect(const SocketAddress& server, const PrivateData& data);
    // The same, for a user who waits for it.
    PrivateData connect(const SocketAddress& server, const PrivateData& data, ConnectWait& wait);

    // Passive side: waits for a request and returns its private data; then one of the other two. A request that its
    // sender abandoned gives no data. The wait fails when `companion` is lost, if there is one.
    PrivateData take_request(Listener& listener, const Connection* companion = nullptr);
    void accept(const PrivateData& data);
    // Afterwards another request can be taken.
    void reject(const std::string& why);

    // Connects two connections of one process, by one thread: a request of each side is begun before one of the other is waited for.
    static void connect_both(Listener& listener, Connection& active, Connection& passive);

    // Whether the peer has gone, or the connection has failed. A load; for the slow part of polling loops.
    bool lost() const { return watched_ && lost_.completed(); }

    // Ends the connection and waits until both sides know.
    void disconnect();
    // The same, or where the peer was first and may wait for an answer, as NDK does: lets the connector go.
    void end();
    // Waits until the peer has gone.
    void wait_until_lost();
    // Lets the connector go, in any state; another connection can be made in its place. The queue pair has gone before.
    void renew();

    // "shm (process_vm)"
    std::string transport() const { return path_.empty() ? transport_ : transport_ + " (" + path_ + ")"; }
    const std::string& transport_name() const { return transport_; }
    const std::string& transport_path() const { return path_; }

private:
    friend class BusyDoor;
    void prepare();
    void make_connector();
    void bind_to_adapter(const std::string& attempted);
    HRESULT begin_connect(const SocketAddress& server, const PrivateData& data);
    HRESULT begin_complete();
    HRESULT begin_accept(const PrivateData& data);
    HRESULT get_private_data(void* data, SIZE_T& bytes) const;
    HRESULT begin_to_take(Listener& listener);
    std::string words_of_refusal() const;
    PrivateData private_data() const;
    void established();

    Adapter& adapter_;
    PendingRequest request_, lost_;  // outlive the connector
    bool watched_ = false;           // a NotifyDisconnect was made on lost_
    const std::function<void()> prepare_;
    bool prepared_ = false;
    std::vector<ComPtr<INDMemoryWindow>> windows_;  // version 1: granted to the peer
    OfOneApi<INDConnector, IND2Connector, NdkConnector> connector_;
    // The result of make_queue_pair; not owned.
    INDEndpoint* endpoint_ = nullptr;
    IND2QueuePair* queue_pair_ = nullptr;
    NDK_QP* ndk_queue_pair_ = nullptr;
    ULONG reads_ = QueueDepths::kAllReads;  // of the queue pair
    std::string transport_, path_;
};

class Listener {
public:
    // Port 0 chooses a free one.
    Listener(Adapter& adapter, std::uint16_t port);

    const SocketAddress& address() const { return address_; }

private:
    friend class BusyDoor;
    friend class Connection;
    void listen_nd1(Adapter& adapter, const std::string& attempted);
    void listen_nd2(Adapter& adapter, const std::string& attempted);
    void listen_ndk(Adapter& adapter, const std::string& attempted);

    SocketAddress address_;
    PendingRequest request_;
    OfOneApi<INDListen, IND2Listener, NdkListener> object_;
};

// A struct of fixed-width members as private data. Both sides have the same byte order; magic numbers tell if not.
template <typename Message>
PrivateData to_private_data(const Message& message) {
    static_assert(std::is_trivially_copyable_v<Message>);
    PrivateData data(sizeof message);
    std::memcpy(data.data(), &message, sizeof message);
    return data;
}

// False if data are shorter than the struct. Longer is accepted: a transport may pad.
template <typename Message>
bool from_private_data(const PrivateData& data, Message& message) {
    static_assert(std::is_trivially_copyable_v<Message>);
    if (data.size() < sizeof message) return false;
    std::memcpy(&message, data.data(), sizeof message);
    return true;
}

}  // namespace nd
