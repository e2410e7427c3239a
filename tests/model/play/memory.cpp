// SPDX-License-Identifier: MIT
//
// See memory.h.
#include "model/play/memory.h"

#include <algorithm>
#include <cstring>

#include "support/pattern.h"

namespace opennd::modeled {

bool is_filled(std::span<const std::byte> bytes, std::byte value) {
    return bytes.empty() || (bytes[0] == value && std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0);
}

Memory::Memory(MemoryKind kind, Writer& writer) : buffer_(kMemoryBytes, kind), writer_(writer) {
    support::fill_with(buffer_.bytes(), kReturned);
}

std::optional<Slot> Memory::lend(unsigned region, std::uint32_t operation) {
    for (std::size_t index = 0; index < kSlots; ++index) {
        if (lent_[region][index]) continue;
        const Slot free{region, index};
        check(slot(free), operation);
        lent_[region][index] = true;
        return free;
    }
    return std::nullopt;
}

void Memory::give_back(Slot given) {
    support::fill_with(slot(given), kReturned);
    lent_[given.region][given.index] = false;
}

void Memory::fill_area(unsigned filled, std::uint64_t seed, std::uint32_t operation) {
    check(area(filled), operation);
    support::fill_pattern(area(filled), seed);
    granted_[filled] = true;
}

void Memory::give_back_area(unsigned given) {
    support::fill_with(area(given), kReturned);
    granted_[given] = false;
}

void Memory::give_back_all() {
    for (unsigned region = 0; region < kRegions; ++region)
        for (std::size_t index = 0; index < kSlots; ++index) give_back({region, index});
    for (unsigned each = 0; each < kAreas; ++each) give_back_area(each);
}

void Memory::check(std::uint32_t operation) {
    for (unsigned region = 0; region < kRegions; ++region)
        for (std::size_t index = 0; index < kSlots; ++index)
            if (!lent_[region][index]) check(slot({region, index}), operation);
    for (unsigned each = 0; each < kAreas; ++each)
        if (!granted_[each]) check(area(each), operation);
}

void Memory::check(std::span<const std::byte> bytes, std::uint32_t operation) {
    if (is_filled(bytes, kReturned)) return;
    const auto at = std::find_if(bytes.begin(), bytes.end(), [](std::byte byte) { return byte != kReturned; });
    Event event{.kind = EventKind::damaged, .operation = operation};
    event.bytes = static_cast<std::uint32_t>(&*at - buffer_.data());
    writer_.add(event, bytes.subspan(static_cast<std::size_t>(at - bytes.begin()))
                           .first(std::min<std::size_t>(64, static_cast<std::size_t>(bytes.end() - at))));
}

}  // namespace opennd::modeled
