// SPDX-License-Identifier: MIT
// The traffic of the connections of one address of this host (NDK-STAT-02).
#pragma once

#include <cstdint>

namespace opennd {

// Octets include the wire's framing; each wire defines its frame.
struct Traffic {
    std::uint64_t octets_in = 0;
    std::uint64_t octets_out = 0;
    std::uint64_t frames_in = 0;
    std::uint64_t frames_out = 0;

    Traffic& operator+=(const Traffic& more) {
        octets_in += more.octets_in;
        octets_out += more.octets_out;
        frames_in += more.frames_in;
        frames_out += more.frames_out;
        return *this;
    }
};

}  // namespace opennd
