// SPDX-License-Identifier: MIT
// The memory of a link for frames: slots of one side, the producer's. Each frame names the slot of the frame after the next, so that a lane has no more slots
// than it has frames on their way. The producer's end is frame_slots.h.
#pragma once

#include <cstdint>

#include "transport/local/link/segment.h"

namespace opennd::local {

// Slots that each connection has for itself; the first two have its first frames.
inline constexpr std::uint32_t kHomeSlots = 4;
// Slots beyond those, which connections have while they need them.
inline constexpr std::uint32_t kSharedSlots = 8192;
inline constexpr std::uint32_t kFirstShared = kConnections * kHomeSlots;
inline constexpr std::uint32_t kSlots = 16384;  // a power of two
static_assert(kFirstShared + kSharedSlots <= kSlots);

struct Frames {
    alignas(4096) Frame slots[kSlots];

    // Any number is one of a slot.
    Frame& at(std::uint32_t slot) { return slots[slot % kSlots]; }
    static constexpr std::uint32_t home(std::uint32_t connection) { return berth_of(connection) * kHomeSlots; }
};

}  // namespace opennd::local
