// SPDX-License-Identifier: MIT
// The traffic of the connections of one interface of this host (NDK-STAT-02).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "model/face.h"

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

struct WireTraffic {
    std::string_view wire;  // "shm"; static text
    Traffic traffic;
    Face face = Face::nd2;  // of the programs that it is of
};

inline Traffic total(std::span<const WireTraffic> wires) {
    Traffic sum;
    for (const WireTraffic& each : wires) sum += each.traffic;
    return sum;
}

}  // namespace opennd
