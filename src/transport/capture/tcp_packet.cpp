// SPDX-License-Identifier: MIT
// See tcp_packet.h.
#include "transport/capture/tcp_packet.h"

#include <array>
#include <cstring>

#include "transport/iwarp/wire/big_endian.h"

namespace opennd::capture {
namespace {

using iwarp::load_big_endian;
using iwarp::store_big_endian;

constexpr std::size_t kIpv4Bytes = 20, kIpv6Bytes = 40, kTcpBytes = 20;
constexpr std::uint8_t kTcp = 6, kHops = 64;
constexpr std::uint16_t kDoNotFragment = 0x4000;
// The options of a segment with SYN: the largest segment, and a window of 65,535 * 2^14 octets, which no capture fills.
constexpr std::array<std::uint8_t, 8> kSynOptions{2, 4, kMostTcpPayload >> 8, kMostTcpPayload & 0xff, 1, 3, 3, 14};
constexpr std::uint16_t kWindow = 0xffff;

std::size_t option_bytes(const TcpSegment& segment) {
    return has(segment.flags, TcpFlags::syn) ? kSynOptions.size() : 0;
}

std::size_t ip_bytes(const TcpSegment& segment) { return segment.from.is_ipv6() ? kIpv6Bytes : kIpv4Bytes; }

// The address alone, in network order.
struct HostOctets {
    std::array<std::byte, 16> octets;
    std::size_t bytes;
    std::span<const std::byte> view() const { return std::span(octets).first(bytes); }
};
HostOctets host_octets(const Address& address) {
    const sockaddr_storage raw = address.to_sockaddr();
    HostOctets host{{}, address.is_ipv6() ? std::size_t{16} : std::size_t{4}};
    if (address.is_ipv6())
        std::memcpy(host.octets.data(), &reinterpret_cast<const sockaddr_in6&>(raw).sin6_addr, host.bytes);
    else
        std::memcpy(host.octets.data(), &reinterpret_cast<const sockaddr_in&>(raw).sin_addr, host.bytes);
    return host;
}

// The Internet checksum (RFC 1071) of several parts, each but the last of an even number of octets.
class InternetSum {
public:
    void add(std::span<const std::byte> octets) {
        std::size_t at = 0;
        for (; at + 2 <= octets.size(); at += 2) sum_ += load_big_endian<std::uint16_t>(octets.data() + at);
        if (at < octets.size()) sum_ += std::to_integer<std::uint64_t>(octets[at]) << 8;
    }
    void add(std::uint64_t number) { sum_ += number; }
    std::uint16_t value() const {
        std::uint64_t sum = sum_;
        while (sum >> 16 != 0) sum = (sum & 0xffff) + (sum >> 16);
        return static_cast<std::uint16_t>(~sum);
    }

private:
    std::uint64_t sum_ = 0;
};

void store_ipv4(std::byte* to, const TcpSegment& segment, std::size_t payload_bytes) {
    to[0] = std::byte{0x45};
    store_big_endian(to + 2, static_cast<std::uint16_t>(header_bytes(segment) + payload_bytes));
    store_big_endian(to + 6, kDoNotFragment);
    to[8] = std::byte{kHops};
    to[9] = std::byte{kTcp};
    std::memcpy(to + 12, host_octets(segment.from).octets.data(), 4);
    std::memcpy(to + 16, host_octets(segment.to).octets.data(), 4);
    InternetSum header;
    header.add({to, kIpv4Bytes});
    store_big_endian(to + 10, header.value());
}

void store_ipv6(std::byte* to, const TcpSegment& segment, std::size_t payload_bytes) {
    to[0] = std::byte{0x60};
    store_big_endian(to + 4, static_cast<std::uint16_t>(header_bytes(segment) - kIpv6Bytes + payload_bytes));
    to[6] = std::byte{kTcp};
    to[7] = std::byte{kHops};
    std::memcpy(to + 8, host_octets(segment.from).octets.data(), 16);
    std::memcpy(to + 24, host_octets(segment.to).octets.data(), 16);
}

void store_tcp(std::byte* to, const TcpSegment& segment) {
    store_big_endian(to, segment.from.port());
    store_big_endian(to + 2, segment.to.port());
    store_big_endian(to + 4, segment.sequence);
    store_big_endian(to + 8, has(segment.flags, TcpFlags::ack) ? segment.acknowledged : 0);
    to[12] = static_cast<std::byte>((kTcpBytes + option_bytes(segment)) / 4 << 4);
    to[13] = static_cast<std::byte>(segment.flags);
    store_big_endian(to + 14, kWindow);
    std::memcpy(to + kTcpBytes, kSynOptions.data(), option_bytes(segment));
}

}  // namespace

std::size_t header_bytes(const TcpSegment& segment) { return ip_bytes(segment) + kTcpBytes + option_bytes(segment); }

void append_headers(Octets& to, const TcpSegment& segment, std::size_t payload_bytes) {
    const std::size_t at = to.size();
    to.resize(at + header_bytes(segment));
    std::byte* const ip = to.data() + at;
    if (segment.from.is_ipv6())
        store_ipv6(ip, segment, payload_bytes);
    else
        store_ipv4(ip, segment, payload_bytes);
    store_tcp(ip + ip_bytes(segment), segment);
}

void set_tcp_checksum(std::span<std::byte> packet, const TcpSegment& segment) {
    const std::size_t ip = ip_bytes(segment);
    InternetSum tcp;
    tcp.add(host_octets(segment.from).view());
    tcp.add(host_octets(segment.to).view());
    tcp.add(std::uint64_t{kTcp});
    tcp.add(packet.size() - ip);
    tcp.add(packet.subspan(ip));
    store_big_endian(packet.data() + ip + 16, tcp.value());
}

}  // namespace opennd::capture
