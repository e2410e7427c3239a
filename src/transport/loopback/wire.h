// SPDX-License-Identifier: MIT
// Connections within one process: the same lanes as between processes, but each side reaches the other's memory as its
// own. Listeners stand in a table of this process, and the socket of the handshake is one of a pair without a name: no
// other process can be at the other end.
#pragma once

#include "transport/local/wire.h"
#include "transport/loopback/listener.h"

namespace opennd::loopback {

class LoopbackWire final : public local::LocalWire {
public:
    LoopbackWire();

    bool reaches(const Address& remote, std::string& reason) const override;
    bool would_take(const Address& remote, std::string& reason) const override;
    Result<Ref<soft::ActiveEnd>> dial(Ref<soft::SoftAdapter> adapter, const Address& remote) override;
    Result<Ref<TransportListener>> create_listener(Ref<soft::SoftAdapter> adapter, Ref<ListenerSink> sink) override;

private:
    const Ref<Listeners> listeners_ = make_ref<Listeners>();
};

}  // namespace opennd::loopback
