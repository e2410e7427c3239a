// SPDX-License-Identifier: MIT
// The cause in a Terminate: layer, error type, error code (RFC 5040 section 4.8, RFC 5041 section 8.2, RFC 5044 section 8,
// RFC 6581 section 7). Read these sections beside the table of names in terminate_cause.cpp.
#pragma once

#include <cstdint>
#include <string_view>

namespace opennd::iwarp {

enum class Layer : std::uint8_t { rdmap = 0, ddp = 1, mpa = 2 };

struct TerminateCause {
    Layer layer;
    std::uint8_t type;  // four bits; their meaning depends on the layer
    std::uint8_t code;  // its meaning depends on layer and type

    friend bool operator==(const TerminateCause&, const TerminateCause&) = default;
};

// The 16 bits as they stand in a Terminate.
constexpr std::uint16_t number(const TerminateCause& cause) {
    return static_cast<std::uint16_t>(static_cast<unsigned>(cause.layer) << 12 | cause.type << 8 | cause.code);
}

// The error types.
inline constexpr std::uint8_t kLocalCatastrophic = 0;  // RDMAP, DDP
inline constexpr std::uint8_t kRemoteProtection = 1;   // RDMAP
inline constexpr std::uint8_t kRemoteOperation = 2;    // RDMAP
inline constexpr std::uint8_t kTaggedBuffer = 1;       // DDP
inline constexpr std::uint8_t kUntaggedBuffer = 2;     // DDP
inline constexpr std::uint8_t kMpaError = 0;           // MPA

// A Send that its receive cannot take. Of the two causes that fit, the one that can quote the message.
inline constexpr TerminateCause kUnplaceable{Layer::rdmap, kRemoteOperation, 0x07};

// "CRC error"; empty if no registry defines the three (IW-RDMAP-47). Static storage.
std::string_view name(const TerminateCause& cause);
inline bool is_registered(const TerminateCause& cause) { return !name(cause).empty(); }

}  // namespace opennd::iwarp
