// SPDX-License-Identifier: MIT
// The blocks of a capture file: their lengths, their alignment, their options.
#include "transport/capture/pcapng.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <string>

namespace opennd::capture {
namespace {

template <typename T = std::uint32_t>
T at(const Octets& octets, std::size_t place) {
    T value{};
    EXPECT_LE(place + sizeof value, octets.size());
    std::memcpy(&value, octets.data() + place, sizeof value);
    return value;
}

bool has(const Octets& octets, std::string_view text) {
    return std::string_view(reinterpret_cast<const char*>(octets.data()), octets.size()).find(text) !=
           std::string_view::npos;
}

void expect_whole(const Octets& block, std::uint32_t type) {
    EXPECT_EQ(at(block, 0), type);
    EXPECT_EQ(at(block, 4), block.size());
    EXPECT_EQ(at(block, block.size() - 4), block.size());
    EXPECT_EQ(block.size() % 4, 0u);
}

TEST(Pcapng, SectionTellsTheByteOrderAndItsAuthor) {
    Octets block;
    append(block, Section{"Linux 6", "OpenND 1", "made up"});
    expect_whole(block, 0x0A0D0D0A);
    EXPECT_EQ(at(block, 8), 0x1A2B3C4Du);
    EXPECT_EQ(at<std::uint16_t>(block, 12), 1);
    EXPECT_TRUE(has(block, "Linux 6") && has(block, "OpenND 1") && has(block, "made up"));
}

TEST(Pcapng, InterfaceHasRawIpPacketsInNanoseconds) {
    Octets block;
    append(block, InterfaceDescription{"shm", "memory", 100});
    expect_whole(block, 1);
    EXPECT_EQ(at<std::uint16_t>(block, 8), 101);
    EXPECT_EQ(at(block, 12), 100u);
    EXPECT_TRUE(has(block, std::string_view("\x09\x00\x01\x00\x09", 5))) << "if_tsresol";
}

TEST(Pcapng, PacketHasBothLengthsAndAFillToFour) {
    constexpr std::array<std::byte, 5> kOctets{std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4}, std::byte{5}};
    Octets block;
    append(block, PacketDescription{2, WallTime{0x0000000500000007}, 90, Direction::inbound, "a word"}, kOctets);
    expect_whole(block, 6);
    EXPECT_EQ(at(block, 8), 2u);
    EXPECT_EQ(at(block, 12), 5u) << "the upper half of the time";
    EXPECT_EQ(at(block, 16), 7u);
    EXPECT_EQ(at(block, 20), 5u);
    EXPECT_EQ(at(block, 24), 90u);
    EXPECT_EQ(std::memcmp(block.data() + 28, kOctets.data(), 5), 0);
    EXPECT_EQ(at<std::uint16_t>(block, 36), 1) << "the comment is the first option";
    EXPECT_TRUE(has(block, std::string_view("\x02\x00\x04\x00\x01\x00\x00\x00", 8))) << "inbound";
}

TEST(Pcapng, TextsOfOptionsAreBounded) {
    Octets block;
    append(block, Section{"", std::string(100'000, 'x'), ""});
    expect_whole(block, 0x0A0D0D0A);
    EXPECT_LT(block.size(), 2000u);
}

TEST(Pcapng, StatisticsHaveWhatWasSeenAndDropped) {
    Octets block;
    append(block, Statistics{1, WallTime{1}, WallTime{2}, 1000, 17});
    expect_whole(block, 5);
    EXPECT_EQ(at(block, 8), 1u);
    EXPECT_TRUE(has(block, std::string_view("\x04\x00\x08\x00\xE8\x03\x00\x00\x00\x00\x00\x00", 12)));
    EXPECT_TRUE(has(block, std::string_view("\x05\x00\x08\x00\x11\x00\x00\x00\x00\x00\x00\x00", 12)));
}

}  // namespace
}  // namespace opennd::capture
