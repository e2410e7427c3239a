// SPDX-License-Identifier: MIT
//
// Connection: a queue pair and its connector, from creation to disconnect. Listener: where passive ones come from.
#pragma once

#include "network/adapter.h"
#include "network/pending_request.h"

#include <cstddef>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace nd {

struct QueueDepths {
    ULONG receive = 1, initiator = 1;
    ULONG inline_bytes = 0;
};

// What travels beside a connection request or its answer.
using PrivateData = std::vector<std::byte>;

class Listener;

class Connection {
public:
    explicit Connection(Adapter& adapter);
    ~Connection();
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    // One completion queue for both directions; context comes back with every result.
    void make_queue_pair(IND2CompletionQueue* completion_queue, const QueueDepths& depths, void* context);
    IND2QueuePair* queue_pair() const { return queue_pair_.get(); }

    // Active side: connects and completes. Returns the peer's private data.
    PrivateData connect(const SocketAddress& server, const PrivateData& data);

    // Passive side: waits for a request and returns its private data; then one of the other two. A request that its
    // sender abandoned gives no data. The wait fails when `companion` is lost, if there is one.
    PrivateData take_request(Listener& listener, const Connection* companion = nullptr);
    void accept(const PrivateData& data);
    // Afterwards another request can be taken.
    void reject(const std::string& why);

    // Whether the peer has gone, or the connection has failed. A load; for the slow part of polling loops.
    bool lost() const { return watched_ && lost_.completed(); }

    // Ends the connection and waits until both sides know.
    void disconnect();
    // Waits until the peer has gone.
    void wait_until_lost();
    // Lets queue pair and connector go, in any state; another connection can be made in their place.
    void renew();

    SocketAddress peer() const;
    // "shm (process_vm)"
    std::string transport() const { return path_.empty() ? transport_ : transport_ + " (" + path_ + ")"; }
    const std::string& transport_name() const { return transport_; }
    const std::string& transport_path() const { return path_; }

private:
    void make_connector();
    PrivateData private_data() const;
    void established();

    Adapter& adapter_;
    PendingRequest request_, lost_;  // outlive the connector
    bool watched_ = false;           // a NotifyDisconnect was made on lost_
    ComPtr<IND2QueuePair> queue_pair_;
    ComPtr<IND2Connector> connector_;
    std::string transport_, path_;
};

class Listener {
public:
    // Port 0 chooses a free one.
    Listener(Adapter& adapter, std::uint16_t port);

    SocketAddress address() const;

private:
    friend class Connection;
    PendingRequest request_;
    ComPtr<IND2Listener> listener_;
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
