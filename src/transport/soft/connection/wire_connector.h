// SPDX-License-Identifier: MIT
// How one end of a connection comes up, as every wire has it: the program's answers, and what the sink and the listener are told of the
// handshake. A wire derives from it and supplies the handshake, the channel and the words of farewell. Read connection.h first.
#pragma once

#include <span>
#include <vector>

#include "transport/soft/connection/connection.h"

namespace opennd::soft {

class WireConnector : public Connection {
public:
    void complete() final EXCLUDES(mutex_);
    void accept(Ref<TransportQueuePair> queue_pair, const ReadLimits& limits,
                std::span<const std::byte> private_data) final EXCLUDES(mutex_);
    void reject(std::span<const std::byte> private_data) final EXCLUDES(mutex_);

protected:
    using Connection::Connection;

    // ---- supplied by the wire

    // The descriptor of watch() is ready. On the service thread.
    virtual void on_ready(std::uint32_t epoll_events) EXCLUDES(mutex_) = 0;

    // Returns true if the peer's last word has arrived and waits for on_ready(). Active, replied.
    virtual bool has_last_word() REQUIRES(mutex_) = 0;
    // Active, replied: makes the channel ready, calls attach(), moves to established, and then tells the peer, unless its first
    // message does. canceled: attach() returned false. connection_aborted: there is no memory. std::bad_alloc is thrown behind
    // the move alone.
    virtual Status begin_channel() REQUIRES(mutex_) = 0;
    // Active, after on_established: takes the messages that came before.
    virtual void take_first_arrivals(SoftQueuePair& queue_pair) EXCLUDES(mutex_) = 0;
    // Passive, requested: sends the reply, makes the channel, calls attach(), and moves to accepting or beyond. `queue_pair_` is
    // set. Otherwise the status says why not.
    virtual Status accept_request(const ReadLimits& limits, std::span<const std::byte> private_data)
        REQUIRES(mutex_) = 0;

    // ---- used by the wire

    // Watches a descriptor: from here on the event loop keeps this object alive, until let_go() removes the descriptor.
    Status watch(int descriptor, std::uint32_t epoll_events) REQUIRES(mutex_);
    // Active, idle: takes what the program asks for.
    void begin(const Address& local, const Address& remote, const ReadLimits& offer,
               std::span<const std::byte> private_data, const Ref<TransportQueuePair>& queue_pair) REQUIRES(mutex_);
    // Active: there is no connection. Ends, unless the wire has, and tells the program, with the peer's words.
    Call connect_failed(Status status, std::vector<std::byte> private_data = {}) REQUIRES(mutex_);
    // Active, requesting: the peer accepts, and `limits_` are in force. std::bad_alloc: nothing has changed.
    Call replied(std::vector<std::byte> private_data) REQUIRES(mutex_);
    // Passive, awaiting: the request is here. Hands this end to the listener, once.
    Call requested(ConnectionRequest request) REQUIRES(mutex_);
    // Passive, accepting: the peer has completed, or owes no word of that.
    Call opened() REQUIRES(mutex_);

private:
    // The receiver of calls of the event loop. It keeps this object alive until conclude().
    class Watch;
};

}  // namespace opennd::soft
