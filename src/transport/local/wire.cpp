// SPDX-License-Identifier: MIT
// LocalWire: see wire.h.
#include "transport/local/wire.h"

#include "platform/interfaces.h"

namespace opennd::local {

bool LocalWire::is_local(const Address& remote) {
    if (remote.is_loopback()) return true;
    // What is sent to an address of this host comes from that address.
    const auto source = source_address_for(remote);
    return source.ok() && source.value().same_host(remote);
}

}  // namespace opennd::local
