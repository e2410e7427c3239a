// SPDX-License-Identifier: MIT
// Listening TCP sockets whose connections become passive IwarpConnectors: one, which answers as the routing tables have it. Where other
// interfaces are in the subnet of its address, one for the adapter's own interface and one for each of these: an answer leaves by the
// interface that the request came by, which is the adapter's unless the host answers for the address elsewhere (ARP).
#pragma once

#include <vector>

#include "base/lock.h"
#include "platform/descriptor/tcp_socket.h"
#include "platform/thread/event_loop.h"
#include "transport/iwarp/handshake/wire_context.h"
#include "transport/listener.h"
#include "transport/soft/adapter.h"

namespace opennd::iwarp {

class IwarpListener final : public TransportListener {
public:
    IwarpListener(Ref<soft::SoftAdapter> adapter, Ref<ListenerSink> sink, Ref<WireContext> context);

    Result<Address> bind(const Address& address) override;
    Status listen(std::uint32_t backlog) override;
    void close() override;

private:
    class Watch;
    void on_readable();
    void come_again();
    std::vector<TcpListener> beside() REQUIRES(mutex_);
    Status listen_on(TcpListener& socket) REQUIRES(mutex_);
    enum class Accepted : std::uint8_t { one, none, nothing_for_now };
    Accepted accept_one(TcpListener& socket, const Callers::Ceilings& ceilings) REQUIRES(mutex_);

    const Ref<soft::SoftAdapter> adapter_;
    const Ref<WireContext> context_;
    Mutex mutex_;
    Ref<ListenerSink> sink_ GUARDED_BY(mutex_);
    bool comes_again_ GUARDED_BY(mutex_) = false;
    Address address_ GUARDED_BY(mutex_);
    std::vector<TcpListener> sockets_
        GUARDED_BY(mutex_);  // the adapter's own interface first; none: not bound, or closed
};

}  // namespace opennd::iwarp
