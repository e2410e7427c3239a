// SPDX-License-Identifier: MIT
// The headers of IP (RFC 791, RFC 8200) and TCP (RFC 9293) in front of octets that no network carried, so that a reader of captures
// finds a stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "model/address.h"
#include "transport/capture/pcapng.h"

namespace opennd::capture {

enum class TcpFlags : std::uint8_t { none = 0, fin = 0x01, syn = 0x02, push = 0x08, ack = 0x10 };
constexpr TcpFlags operator|(TcpFlags a, TcpFlags b) {
    return static_cast<TcpFlags>(static_cast<std::uint8_t>(a) | static_cast<std::uint8_t>(b));
}
constexpr bool has(TcpFlags flags, TcpFlags one) {
    return (static_cast<std::uint8_t>(flags) & static_cast<std::uint8_t>(one)) != 0;
}

struct TcpSegment {
    const Address& from;
    const Address& to;  // of the same family
    std::uint32_t sequence;
    std::uint32_t acknowledged;  // with TcpFlags::ack
    TcpFlags flags;
};

// The most octets behind the headers: the length fields of IPv4 and IPv6 have 16 bits.
inline constexpr std::size_t kMostTcpPayload = 65'000;
// Octets of the headers of such a segment.
std::size_t header_bytes(const TcpSegment& segment);
// Appends the headers of a segment with `payload_bytes` octets behind them. The checksum of TCP is not set.
void append_headers(Octets& to, const TcpSegment& segment, std::size_t payload_bytes);
// `packet`: headers and the whole payload.
void set_tcp_checksum(std::span<std::byte> packet, const TcpSegment& segment);

}  // namespace opennd::capture
