// SPDX-License-Identifier: MIT
// The headers that a capture puts in front of messages, octet by octet, over IPv4 and IPv6.
#include "transport/capture/tcp_packet.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "transport/iwarp/wire/big_endian.h"

namespace opennd::capture {
namespace {

using iwarp::load_big_endian;

Address endpoint(const char* text, std::uint16_t port) { return Address::parse(text)->with_port(port); }

std::uint32_t sum(std::span<const std::byte> octets) {
    std::uint32_t total = 0;
    for (std::size_t i = 0; i < octets.size(); ++i)
        total += std::to_integer<std::uint32_t>(octets[i]) << (i % 2 == 0 ? 8 : 0);
    return total;
}
// The Internet checksum of octets with a right checksum among them.
std::uint16_t folded(std::uint32_t total) {
    while (total >> 16 != 0) total = (total & 0xffff) + (total >> 16);
    return static_cast<std::uint16_t>(total);
}

class TcpPacketTest : public testing::TestWithParam<bool> {
protected:
    bool v6() const { return GetParam(); }
    std::size_t ip_bytes() const { return v6() ? 40 : 20; }

    Octets packet(TcpFlags flags, std::string_view payload) {
        const TcpSegment segment{from_, to_, 0x01020304, 0x05060708, flags};
        Octets made;
        append_headers(made, segment, payload.size());
        EXPECT_EQ(made.size(), header_bytes(segment));
        const auto octets = std::as_bytes(std::span(payload));
        made.insert(made.end(), octets.begin(), octets.end());
        set_tcp_checksum(made, segment);
        return made;
    }

    const Address from_ = endpoint(v6() ? "2001:db8::1" : "192.0.2.1", 4567);
    const Address to_ = endpoint(v6() ? "2001:db8::2" : "192.0.2.2", 40'000);
};

TEST_P(TcpPacketTest, HasAddressesPortsAndNumbers) {
    const Octets made = packet(TcpFlags::push | TcpFlags::ack, "message");
    const std::byte* const tcp = made.data() + ip_bytes();
    EXPECT_EQ(std::to_integer<int>(made[0]), v6() ? 0x60 : 0x45);
    if (v6()) {
        EXPECT_EQ(load_big_endian<std::uint16_t>(made.data() + 4), 20 + 7);
        EXPECT_EQ(load_big_endian<std::uint32_t>(made.data() + 8), 0x20010db8u);
        EXPECT_EQ(std::to_integer<int>(made[23]), 1);
        EXPECT_EQ(std::to_integer<int>(made[39]), 2);
    } else {
        EXPECT_EQ(load_big_endian<std::uint16_t>(made.data() + 2), 20 + 20 + 7);
        EXPECT_EQ(load_big_endian<std::uint32_t>(made.data() + 12), 0xC0000201u);
        EXPECT_EQ(load_big_endian<std::uint32_t>(made.data() + 16), 0xC0000202u);
    }
    EXPECT_EQ(load_big_endian<std::uint16_t>(tcp), 4567);
    EXPECT_EQ(load_big_endian<std::uint16_t>(tcp + 2), 40'000);
    EXPECT_EQ(load_big_endian<std::uint32_t>(tcp + 4), 0x01020304u);
    EXPECT_EQ(load_big_endian<std::uint32_t>(tcp + 8), 0x05060708u);
    EXPECT_EQ(load_big_endian<std::uint16_t>(tcp + 12), 0x5018) << "five words, PSH and ACK";
    EXPECT_EQ(std::memcmp(tcp + 20, "message", 7), 0);
}

TEST_P(TcpPacketTest, HasRightChecksumsForAnEvenAndAnOddNumberOfOctets) {
    for (const std::string_view payload : {"", "message", "messages"}) {
        const Octets made = packet(TcpFlags::push | TcpFlags::ack, payload);
        if (!v6()) {
            EXPECT_EQ(folded(sum(std::span(made).first(20))), 0xffff);
        }
        const std::size_t addresses = v6() ? 8 : 12, bytes = v6() ? 32 : 8;
        const auto tcp_bytes = static_cast<std::uint32_t>(made.size() - ip_bytes());
        EXPECT_EQ(folded(sum(std::span(made).subspan(addresses, bytes)) + 6 + tcp_bytes +
                         sum(std::span(made).subspan(ip_bytes()))),
                  0xffff)
            << payload;
    }
}

// RFC 9293 section 3.2, RFC 7323 section 2.2.
TEST_P(TcpPacketTest, OffersTheLargestWindowWithSyn) {
    const Octets made = packet(TcpFlags::syn, "");
    const std::byte* const tcp = made.data() + ip_bytes();
    ASSERT_EQ(made.size(), ip_bytes() + 28);
    EXPECT_EQ(std::to_integer<int>(tcp[12]), 0x70);
    EXPECT_EQ(load_big_endian<std::uint32_t>(tcp + 8), 0u) << "nothing is acknowledged";
    EXPECT_EQ(load_big_endian<std::uint16_t>(tcp + 20), 0x0204) << "the maximum segment size";
    EXPECT_EQ(load_big_endian<std::uint32_t>(tcp + 24), 0x0103030Eu) << "a scale of 14";
}

INSTANTIATE_TEST_SUITE_P(, TcpPacketTest, testing::Bool(),
                         [](const auto& each) { return each.param ? "OverIpv6" : "OverIpv4"; });

}  // namespace
}  // namespace opennd::capture
