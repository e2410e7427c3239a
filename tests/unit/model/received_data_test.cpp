// SPDX-License-Identifier: MIT
// The part of a peer's private data that a buffer gets.
#include "model/received_data.h"

#include <gtest/gtest.h>

#include "support/requirement.h"

namespace opennd {
namespace {

using support::proves;

ReceivedData padded(std::size_t given, std::size_t all) {
    ReceivedData data{std::vector<std::byte>(all), 0};
    for (std::size_t i = 0; i < given; ++i) data.octets[i] = std::byte{7};
    data.least = length_without_zeros(data.octets);
    return data;
}

testing::AssertionResult gives(const ReceivedData& data, std::size_t room, std::size_t copied, std::size_t told,
                               bool is_whole) {
    const ReceivedData::Part part = data.part_for(room);
    if (part.copied == copied && part.told == told && part.is_whole == is_whole) return testing::AssertionSuccess();
    return testing::AssertionFailure() << part.copied << " copied, " << part.told << " told, whole: " << part.is_whole;
}

TEST(ReceivedData, FillsABufferOfItsLengthAndTellsIt) {
    proves("ND2-CON-PD-01");
    const ReceivedData exact{std::vector<std::byte>(8), 8};
    EXPECT_TRUE(gives(exact, 100, 8, 8, true));
    EXPECT_TRUE(gives(exact, 8, 8, 8, true));
    EXPECT_TRUE(gives(exact, 7, 7, 8, false));
    EXPECT_TRUE(gives(exact, 0, 0, 8, false));
    EXPECT_TRUE(gives(ReceivedData{}, 0, 0, 0, true));
}

// A reply of Linux's NVMe target is 32 octets long, and comes as 148 or 196.
TEST(ReceivedData, FitsABufferThatLacksRoomForPaddingAlone) {
    proves("ND2-AMB-28");
    const ReceivedData reply = padded(30, 148);
    EXPECT_TRUE(gives(reply, 148, 148, 148, true));
    EXPECT_TRUE(gives(reply, 32, 32, 32, true));
    EXPECT_TRUE(gives(reply, 30, 30, 30, true));
    EXPECT_TRUE(gives(reply, 29, 29, 148, false));
    EXPECT_TRUE(gives(reply, 0, 0, 148, false)) << "no buffer";
}

TEST(ReceivedData, IsPaddingAloneWhereThePeerGaveNothing) {
    EXPECT_TRUE(gives(padded(0, 56), 8, 8, 8, true));
    EXPECT_TRUE(gives(padded(0, 56), 0, 0, 56, false));
}

}  // namespace
}  // namespace opennd
