// SPDX-License-Identifier: MIT
// A listening TCP socket whose connections become passive IwarpConnectors.
#pragma once

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
    Status accept_one() EXCLUDES(mutex_);

    const Ref<soft::SoftAdapter> adapter_;
    const Ref<WireContext> context_;
    Mutex mutex_;
    Ref<ListenerSink> sink_ GUARDED_BY(mutex_);
    TcpListener socket_ GUARDED_BY(mutex_);
};

}  // namespace opennd::iwarp
