// SPDX-License-Identifier: MIT
// What loopback and shm have in common as wires: peers are found by the name of a Unix socket.
#pragma once

#include "transport/local/connector.h"
#include "transport/soft/wire.h"

namespace opennd::local {

class LocalWire : public soft::Wire {
public:
    explicit LocalWire(WireTraits traits) : traits_(std::move(traits)) {}

    std::string_view name() const override { return traits_.name; }
    Result<Ref<TransportConnector>> dial(Ref<soft::SoftAdapter> adapter, const Address& remote) override;
    Result<Ref<TransportListener>> create_listener(Ref<soft::SoftAdapter> adapter, Ref<ListenerSink> sink) override;

protected:
    // Somebody on this wire could listen at `remote`: it is an address of this host.
    static bool is_local(const Address& remote);

    const WireTraits traits_;
};

}  // namespace opennd::local
