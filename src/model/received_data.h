// SPDX-License-Identifier: MIT
// The private data of a peer, and the part of them that a program's buffer gets. Connection managers of InfiniBand and RoCE fill
// their messages up with zeros: a program whose buffer is as long as its own structure has all that its peer gave.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace opennd {

constexpr std::size_t length_without_zeros(std::span<const std::byte> octets) {
    while (!octets.empty() && octets.back() == std::byte{}) octets = octets.first(octets.size() - 1);
    return octets.size();
}

struct ReceivedData {
    std::vector<std::byte> octets;
    std::size_t least = 0;  // of them that a buffer must have room for; those behind are zeros, and may be padding

    struct Part {
        std::size_t copied;
        std::size_t told;  // the length that the program is told
        bool is_whole;
    };
    // The part that a buffer with `room` octets gets; 0: there is no buffer.
    constexpr Part part_for(std::size_t room) const {
        const std::size_t size = octets.size();
        if (room >= size) return {size, size, true};
        if (room != 0 && room >= least) return {room, room, true};
        return {room, size, false};
    }
};

}  // namespace opennd
