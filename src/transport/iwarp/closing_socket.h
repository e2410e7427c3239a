// SPDX-License-Identifier: MIT
// The end of a TCP connection in order: the unsent octets go out, then the end of sending; then the peer's octets are read and
// dropped until the peer ends too. A socket closed with unread octets would reset the connection, and the
// peer might never see the Terminate or the Reply that was on its way (IW-CM-14, IW-ERR-02, -07, -08).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "platform/descriptor/tcp_socket.h"
#include "platform/thread/event_loop.h"

namespace opennd::iwarp {

class ClosingSocket final : public EventLoop::Watcher {
public:
    // Takes the socket, which the loop has left and nobody uses any more, and keeps itself alive until it is closed: at once if
    // no octet is left and the peer has ended, after T_term and T_close at the latest. Any thread.
    static void close(EventLoop& loop, TcpSocket socket, std::span<const std::byte> unsent);

private:
    ClosingSocket(EventLoop& loop, TcpSocket socket, std::span<const std::byte> unsent);

    void on_ready(std::uint32_t epoll_events) override;
    void set_deadline();
    bool advance();
    void expire();
    void finish();
    void leave();

    EventLoop& loop_;
    // Owned by the callbacks of the loop, of which one runs at a time, once close() has added it.
    TcpSocket socket_;
    std::vector<std::byte> unsent_;
    std::size_t sent_ = 0;
    bool ended_ = false;  // this side's sending
    TimerId timer_{};
};

}  // namespace opennd::iwarp
