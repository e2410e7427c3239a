// SPDX-License-Identifier: MIT
//
// What `nd ping` can be asked for.
#pragma once

#include "usage/side_options.h"

#include <cstdint>

namespace CLI {
class App;
}

namespace nd {

struct PingOptions : SideOptions {
    static constexpr std::uint16_t kDefaultPort = 7174;

    bool rping = false;
    std::uint32_t count = 5;
    std::uint64_t size = 64;
};

void define_ping_options(CLI::App& command, PingOptions& options);

}  // namespace nd
