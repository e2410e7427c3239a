// SPDX-License-Identifier: MIT
// The base of the wires loopback and shm: their peers are on this host.
#pragma once

#include "transport/local/connector.h"
#include "transport/soft/wire.h"

namespace opennd::local {

class LocalWire : public soft::Wire {
public:
    explicit LocalWire(WireTraits traits) : traits_(std::move(traits)) {}

    std::string_view name() const override { return traits_.name; }

protected:
    const WireTraits traits_;
};

}  // namespace opennd::local
