// SPDX-License-Identifier: MIT
// The way of a connection out of this host: an adapter is its interface, and its traffic leaves by that one (ND2-PRV-RES-03,
// decisions/0076).
#pragma once

#include <cstdint>

#include "model/address.h"

namespace opennd::iwarp {

struct Way {
    Address from;                 // TCP's own address
    std::uint32_t interface = 0;  // the only one that it leaves and returns by; 0: whichever the routing tables name
};

// From `local`, an address of the adapter on the interface with this index (0: it has none), to `remote`. Any thread; asks the
// kernel and sends nothing.
Way way_to(const Address& remote, const Address& local, std::uint32_t interface);

}  // namespace opennd::iwarp
