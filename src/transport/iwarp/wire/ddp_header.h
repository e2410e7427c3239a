// SPDX-License-Identifier: MIT
// The headers of a DDP segment, tagged and untagged (RFC 5041 section 4), with the RDMAP control octet that stands in
// the second octet of both (RFC 5040 section 4.1). Read these sections beside it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "transport/iwarp/wire/opcode.h"

namespace opennd::iwarp {

// The handle of a peer's memory as the number that stands in the frame. A Network Direct token has the same four octets
// in memory, unchanged (IW-ND-05).
enum class Stag : std::uint32_t { none = 0 };
constexpr std::uint32_t value(Stag stag) { return static_cast<std::uint32_t>(stag); }
constexpr std::uint32_t value(Queue queue) { return static_cast<std::uint32_t>(queue); }

inline constexpr std::uint8_t kDdpVersion = 1;
inline constexpr std::uint8_t kRdmapVersion = 1;

// The first two octets of every ULPDU. Reserved bits are never checked (IW-RDMAP-33); one marks a Receipt.
struct SegmentControl {
    static constexpr std::size_t kBytes = 2;

    Model model;
    bool last;  // of its message
    std::uint8_t ddp_version = kDdpVersion;
    std::uint8_t rdmap_version = kRdmapVersion;
    Opcode opcode;
    bool receipt = false;  // has a meaning only where both ends agreed on receipts

    static SegmentControl load(std::span<const std::byte, kBytes> from);
};

struct TaggedHeader {
    static constexpr std::size_t kBytes = 14;

    Stag stag{};
    std::uint64_t offset = 0;  // TO

    static TaggedHeader load(std::span<const std::byte, kBytes> from);
    void store(std::span<std::byte, kBytes> to, Opcode opcode, bool last) const;
};

struct UntaggedHeader {
    static constexpr std::size_t kBytes = 18;

    // Of the opcodes that invalidate. With other Sends a Receipt where both ends agreed on them, else sent as 0 and
    // ignored.
    Stag invalidate{};
    Queue queue{};
    std::uint32_t msn = 0;     // message sequence number, per queue; the first is 1, and 0 follows 0xFFFFFFFF
    std::uint32_t offset = 0;  // MO: octets of the message before this segment

    static UntaggedHeader load(std::span<const std::byte, kBytes> from);
    void store(std::span<std::byte, kBytes> to, Opcode opcode, bool last) const;
};

// How far a side has placed its peer's stream: the octets through the end of the newest Send or Write that is placed, counted
// from the first one behind the handshake. Two OpenND ends that agreed on it tell each other (docs/decisions/0040).
struct Receipt {
    std::uint64_t placed = 0;

    // A receipt by itself: a Write of no octets, which any iWARP takes and none acts on.
    std::array<std::byte, TaggedHeader::kBytes> message() const;
    // Its lower 32 bits into the first segment of a Send that invalidates nothing.
    void stamp(std::span<std::byte, UntaggedHeader::kBytes> header) const;
};

constexpr std::size_t header_bytes(Model model) {
    return model == Model::tagged ? TaggedHeader::kBytes : UntaggedHeader::kBytes;
}

}  // namespace opennd::iwarp
