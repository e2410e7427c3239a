// SPDX-License-Identifier: MIT
// See way.h.
#include "transport/iwarp/handshake/way.h"

#include "platform/host/interfaces.h"
#include "platform/host/routes.h"

namespace opennd::iwarp {
namespace {

// Within this host packets leave by no interface, and are taken for arrivals at the one that has the address. A listener that is
// kept to that one answers through it, and thereby reaches no address but those that it has itself.
Address address_towards_own(const Address& own, const Address& local) {
    if (own.is_loopback()) return local;  // no interface has a part of that network
    const bool kept = own.is_link_local() || !interfaces_in_subnet_of(own).others.empty();
    return kept && !local.same_host(own) ? own.with_port(local.port()) : local;
}

}  // namespace

Way way_to(const Address& remote, const Address& local, std::uint32_t interface) {
    if (is_of_this_host(remote)) return {address_towards_own(remote, local), 0};
    // Without a way through it, as for an address on lo or a bridge without ports, the administrator's tables say more than the
    // adapter.
    const bool leads = interface != 0 && leads_through(interface, local, remote);
    return {local, leads ? interface : 0};
}

}  // namespace opennd::iwarp
