// SPDX-License-Identifier: MIT
// The blocks of a pcapng file (draft-ietf-opsawg-pcapng): each is made of plain values and stands behind others in a buffer. In the
// byte order of this machine, which the section tells its reader.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace opennd::capture {

using Octets = std::vector<std::byte>;

// LINKTYPE_RAW: a packet begins with its IPv4 or IPv6 header.
inline constexpr std::uint16_t kRawIp = 101;

struct Section {
    std::string_view system;       // "Linux 6.1.0"
    std::string_view application;  // "OpenND 1.0"
    std::string_view comment;      // empty: none
};

struct InterfaceDescription {
    std::string_view name;
    std::string_view description;
    std::uint32_t snap_bytes;  // 0: no limit
};

enum class Direction : std::uint32_t { unknown = 0, inbound = 1, outbound = 2 };

// Nanoseconds since 1970.
enum class WallTime : std::uint64_t {};
constexpr std::uint64_t value(WallTime time) { return static_cast<std::uint64_t>(time); }

struct PacketDescription {
    std::uint32_t interface;  // by the order of the descriptions in the section
    WallTime at;
    std::size_t whole_bytes;  // of the packet on the wire; the buffer may have fewer
    Direction direction;
    std::string_view comment;  // empty: none
};

struct Statistics {
    std::uint32_t interface;
    WallTime begin, end;
    std::uint64_t seen;     // packets
    std::uint64_t dropped;  // of these: not written
};

// Each appends one block. Throws std::bad_alloc.
void append(Octets& to, const Section& section);
void append(Octets& to, const InterfaceDescription& interface);
void append(Octets& to, const PacketDescription& packet, std::span<const std::byte> octets);
void append(Octets& to, const Statistics& statistics);

inline WallTime wall_time() {
    const auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
    return static_cast<WallTime>(std::chrono::duration_cast<std::chrono::nanoseconds>(since_1970).count());
}

}  // namespace opennd::capture
