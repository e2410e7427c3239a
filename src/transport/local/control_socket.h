// SPDX-License-Identifier: MIT
// The socket of one connection on this host, shared by its connector, which speaks and hears, and its channel, which wakes.
#pragma once

#include "base/ref.h"
#include "platform/local_socket.h"

namespace opennd::local {

class ControlSocket final : public RefCounted {
public:
    explicit ControlSocket(LocalSocket socket) : socket_(std::move(socket)) {}

    // For control_message.h, under the connector's lock.
    LocalSocket& socket() { return socket_; }
    int descriptor() const { return socket_.descriptor(); }

    // Tells the peer's service thread that there is news in the segment. Any thread. Never blocks, whatever the peer has done
    // to the socket: each call says for itself that it does not wait. False: the peer cannot be told now. Whatever the peer
    // hears wakes it, and wake_again() sends nothing while it has not heard all, so that wake-ups fill no socket.
    bool wake();
    bool wake_again();

    // Nothing is said or heard any more. The peer sees the end after what was said before.
    void hang_up() { socket_.shut_down(); }

private:
    LocalSocket socket_;
};

}  // namespace opennd::local
