// SPDX-License-Identifier: MIT
// Faults of the wire: resets, ends, silence. And processes that are stopped for a while, which are none.
#pragma once

#include "simulation/world/network.h"
#include "simulation/world/world.h"

namespace opennd::simulation {

// Draws some, to come from now on.
void draw_nemeses(World& world, Machine& near, Machine& far);
// Silence, for longer than anybody waits.
void draw_loss(World& world, Machine& near, Machine& far);
// One of the two, for that long at least.
void draw_stop(World& world, Process& near, Process& far, Nanoseconds least);

}  // namespace opennd::simulation
