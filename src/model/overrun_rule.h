// SPDX-License-Identifier: MIT
// How much room a completion queue has.
#pragma once

#include <cstdint>

namespace opennd {

enum class OverrunRule : std::uint8_t {
    forgiving,  // for all that the attached queue pairs can have outstanding: it never overruns (ND2-CQ-OVR-02)
    strict,     // for the requested depth, as on hardware: one completion more and the queue is dead (ND2-CQ-OVR-03)
};

}  // namespace opennd
