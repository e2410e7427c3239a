// SPDX-License-Identifier: MIT
// The RDMAP header of a Read Request (RFC 5040 section 4.4), which follows the untagged header in a ULPDU of 46 octets.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "transport/iwarp/wire/ddp_header.h"

namespace opennd::iwarp {

struct ReadRequest {
    static constexpr std::size_t kBytes = 28;
    static constexpr std::size_t kUlpduBytes = UntaggedHeader::kBytes + kBytes;
    using Ulpdu = std::array<std::byte, kUlpduBytes>;

    Stag sink{};                    // copied into the response, never interpreted (IW-RDMAP-06)
    std::uint64_t sink_offset = 0;  // likewise
    std::uint32_t size = 0;         // octets; 0: the source is not checked (IW-RDMAP-07)
    Stag source{};
    std::uint64_t source_offset = 0;

    static ReadRequest load(std::span<const std::byte, kBytes> from);
    void store(std::span<std::byte, kBytes> to) const;

    // The whole message: one segment (IW-RDMAP-05).
    Ulpdu message(std::uint32_t msn) const;

    // The rest of it once `sent` octets of the response are on their way (IW-RDMAP-10).
    ReadRequest after(std::uint32_t sent) const {
        return {sink, sink_offset + sent, size - sent, source, source_offset + sent};
    }
};

}  // namespace opennd::iwarp
