// SPDX-License-Identifier: MIT
// What loopback and shm have in common as wires: peers are on this host.
#pragma once

#include "transport/local/connector.h"
#include "transport/soft/wire.h"

namespace opennd::local {

class LocalWire : public soft::Wire {
public:
    explicit LocalWire(WireTraits traits) : traits_(std::move(traits)) {}

    std::string_view name() const override { return traits_.name; }

protected:
    // Somebody on this wire could listen at `remote`: it is an address of this host.
    static bool is_local(const Address& remote);

    const WireTraits traits_;
};

}  // namespace opennd::local
