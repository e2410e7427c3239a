// SPDX-License-Identifier: MIT
// LocalWire: see wire.h.
#include "transport/local/wire.h"

#include "platform/interfaces.h"
#include "transport/local/listener.h"

namespace opennd::local {

Result<Ref<TransportConnector>> LocalWire::dial(Ref<soft::SoftAdapter> adapter, const Address& remote) {
    auto socket = local::dial(traits_.scope, remote);
    if (!socket.ok() && socket.status() != Status::would_block) return socket.status();
    return Ref<TransportConnector>(
        LocalConnector::active(std::move(adapter), socket.ok() ? socket.take() : LocalSocket(), traits_));
}

Result<Ref<TransportListener>> LocalWire::create_listener(Ref<soft::SoftAdapter> adapter, Ref<ListenerSink> sink) {
    return Ref<TransportListener>(new LocalListener(std::move(adapter), std::move(sink), traits_));
}

bool LocalWire::is_local(const Address& remote) {
    if (remote.is_loopback()) return true;
    // What is sent to an address of this host comes from that address.
    const auto source = source_address_for(remote);
    return source.ok() && source.value().same_host(remote);
}

}  // namespace opennd::local
