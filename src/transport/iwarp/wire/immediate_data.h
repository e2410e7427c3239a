// SPDX-License-Identifier: MIT
// Immediate data on the wire, in its two forms. Read ddp_header.h first.
//
// Behind a Write: the message Immediate Data of RFC 7306 section 6, eight octets that take a receive. The 32 bits are the first four of
// them, most significant octet first, as Chelsio's NICs have them; the others are sent as zero and not read.
// In a Send, which RFC 7306 has nothing for: the last segment has a mark in its RDMAP octet, and the 32 bits in the field of the
// Invalidate STag. That segment has no Receipt.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "transport/iwarp/wire/ddp_header.h"

namespace opennd::iwarp {

struct ImmediateData {
    static constexpr std::size_t kBytes = 8;
    static constexpr std::size_t kUlpduBytes = UntaggedHeader::kBytes + kBytes;
    using Ulpdu = std::array<std::byte, kUlpduBytes>;

    std::uint32_t data = 0;

    static ImmediateData load(std::span<const std::byte, kBytes> from);
    // The whole message: one segment (IW-IMM-02).
    Ulpdu message(std::uint32_t msn, bool solicited) const;
    // Puts it into the last segment of a Send that invalidates nothing (IW-IMM-03).
    void stamp(std::span<std::byte, UntaggedHeader::kBytes> header) const;
};

}  // namespace opennd::iwarp
