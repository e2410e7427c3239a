// SPDX-License-Identifier: MIT
// Report: the figures of a run, and the finding.
#pragma once

#include <cstdint>
#include <string>

#include "simulation/world/world.h"

namespace opennd::simulation {

struct Report {
    World::Outcome outcome = World::Outcome::done;
    std::string why;
    std::uint64_t hash = 0;
    std::uint64_t steps = 0;
    Nanoseconds time = 0;
    std::uint64_t connections = 0, requests = 0, bytes = 0, broken = 0;
    bool ok() const { return outcome == World::Outcome::done; }
};

}  // namespace opennd::simulation
