// SPDX-License-Identifier: MIT
//
// Memory: a side's memory (program.h), with its slots. What the side has back is poisoned, and must stay so until it is lent again.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "model/play/board.h"
#include "model/program/program.h"
#include "support/buffer.h"

namespace opennd::modeled {

struct Slot {
    unsigned region;
    std::size_t index;
};

class Memory {
public:
    Memory(MemoryKind kind, Writer& writer);

    std::byte* data() const { return buffer_.data(); }
    std::span<std::byte> slot(Slot slot) const { return buffer_.bytes(slot_at(slot.region, slot.index), kSlotBytes); }
    std::span<std::byte> area(unsigned area) const { return buffer_.bytes(area_at(area), kAreaBytes); }

    std::optional<Slot> lend(unsigned region, std::uint32_t operation);
    void give_back(Slot slot);
    void fill_area(unsigned area, std::uint64_t seed, std::uint32_t operation);
    void give_back_area(unsigned area);
    void give_back_all();
    // All that was given back is as it was.
    void check(std::uint32_t operation);

private:
    void check(std::span<const std::byte> bytes, std::uint32_t operation);

    support::Buffer buffer_;
    Writer& writer_;
    bool lent_[kRegions][kSlots] = {};
    bool granted_[kAreas] = {};
};

bool is_filled(std::span<const std::byte> bytes, std::byte value);

}  // namespace opennd::modeled
