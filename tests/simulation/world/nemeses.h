// SPDX-License-Identifier: MIT
// Faults of the wire: resets, ends, silence.
#pragma once

#include "simulation/world/network.h"
#include "simulation/world/world.h"

namespace opennd::simulation {

// Draws some, to come from now on.
void draw_nemeses(World& world, Machine& near, Machine& far);

}  // namespace opennd::simulation
