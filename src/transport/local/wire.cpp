// SPDX-License-Identifier: MIT
// LocalWire: see wire.h.
#include "transport/local/wire.h"

#include "platform/host/interfaces.h"

namespace opennd::local {

bool LocalWire::is_local(const Address& remote) {
    if (remote.is_loopback()) return true;
    // Messages to an address of this host come from that address.
    const auto source = source_address_for(remote);
    return source.ok() && source.value().same_host(remote);
}

}  // namespace opennd::local
