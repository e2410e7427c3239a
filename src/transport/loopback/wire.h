// SPDX-License-Identifier: MIT
// Connections within one process: the same lanes as between processes, but each side reaches the other's memory as its
// own. The names carry a number of this process, so that no other process is found.
#pragma once

#include "transport/local/wire.h"

namespace opennd::loopback {

class LoopbackWire final : public local::LocalWire {
public:
    LoopbackWire();

    bool reaches(const Address& remote, std::string& reason) const override;
    bool would_take(const Address& remote, std::string& reason) const override;
};

}  // namespace opennd::loopback
