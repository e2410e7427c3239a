// SPDX-License-Identifier: MIT
//
// A hand-written peer's received octets, as it reads them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include <gtest/gtest.h>

#include "hostile/raw_peer.h"

namespace opennd::hostile {

inline std::uint32_t number_at(const Octets& octets, std::size_t at) {
    return std::uint32_t{octets[at]} << 24 | std::uint32_t{octets[at + 1]} << 16 | std::uint32_t{octets[at + 2]} << 8 |
           octets[at + 3];
}

// A ULPDU of this side's as a peer reads it.
struct Heard {
    Octets ulpdu;

    unsigned opcode() const { return ulpdu[1] & 0xfu; }
    bool last() const { return (ulpdu[0] & 0x40) != 0; }
    // Untagged ones.
    std::uint32_t msn() const { return number_at(ulpdu, 10); }
    std::uint32_t offset() const { return number_at(ulpdu, 14); }
    std::size_t payload_bytes() const { return ulpdu.size() - 18; }
    // Read Requests.
    std::uint32_t sink() const { return number_at(ulpdu, 18); }
    std::uint32_t size() const { return number_at(ulpdu, 30); }
};

inline constexpr unsigned kWrite = 0, kRead = 1, kResponse = 2, kSend = 3, kSolicitedSend = 5, kTerminate = 7;

inline Heard next_of(RawPeer& peer) {
    auto ulpdu = peer.hear_ulpdu();
    EXPECT_TRUE(ulpdu) << "nothing came";
    return {ulpdu ? *ulpdu : Octets(46)};
}

// The next one that is no fence.
inline Heard next_message(RawPeer& peer) {
    for (;;) {
        Heard heard = next_of(peer);
        if (heard.opcode() != kRead || heard.size() != 0) return heard;
    }
}

}  // namespace opennd::hostile
