// SPDX-License-Identifier: MIT
// Listening TCP sockets whose connections become passive IwarpConnectors: one, which answers as the routing tables have it. Where other
// interfaces are in the subnet of its address, one for the adapter's own interface and one for each of these: an answer leaves by the
// interface that the request came by, which is the adapter's unless the host answers for the address elsewhere (ARP).
#pragma once

#include <cstddef>
#include <vector>

#include "base/lock.h"
#include "platform/descriptor/tcp_socket.h"
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
    std::vector<TcpListener> beside() REQUIRES(mutex_);
    Status listen_on(std::size_t socket) REQUIRES(mutex_);
    Status accept_one(std::size_t socket) EXCLUDES(mutex_);

    const Ref<soft::SoftAdapter> adapter_;
    const Ref<WireContext> context_;
    Mutex mutex_;
    Ref<ListenerSink> sink_ GUARDED_BY(mutex_);
    Address address_ GUARDED_BY(mutex_);
    // The adapter's own interface first. None: not bound, or closed. The same from the first listen() to close().
    std::vector<TcpListener> sockets_ GUARDED_BY(mutex_);
};

}  // namespace opennd::iwarp
