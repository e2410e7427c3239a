// SPDX-License-Identifier: MIT
// The socket of one connection on this host, shared by its connector, which sends and receives records, and its channel, which
// wakes the peer.
#pragma once

#include "base/ref.h"
#include "platform/descriptor/local_socket.h"

namespace opennd::local {

class ControlSocket final : public RefCounted {
public:
    explicit ControlSocket(LocalSocket socket) : socket_(std::move(socket)) {}

    // For control_message.h, under the connector's lock.
    LocalSocket& socket() { return socket_; }
    int descriptor() const { return socket_.descriptor(); }

    // Wakes the peer's service thread for news in the segment. Any thread. Never blocks, in any state of the socket: each
    // call is non-blocking by itself. False: the wake-up failed; any later message wakes the peer. wake_again() sends
    // nothing while the peer has unread messages, so that wake-ups never fill the socket.
    bool wake();
    bool wake_again();

    // Ends both directions. The peer sees the end after all earlier messages.
    void hang_up() { socket_.shut_down(); }

private:
    LocalSocket socket_;
};

}  // namespace opennd::local
