// SPDX-License-Identifier: MIT
// ControlSocket: see control_socket.h.
#include "transport/local/control_socket.h"

#include "transport/local/control_message.h"

namespace opennd::local {

// A full socket wakes the peer by its unread messages.
bool ControlSocket::wake() {
    const Status status = socket_.send(kWakeUp);
    return ok(status) || status == Status::would_block;
}

bool ControlSocket::wake_again() { return socket_.has_unread() || wake(); }

}  // namespace opennd::local
