// SPDX-License-Identifier: MIT
// The length of private data in messages that the kernel fills up with zeros.
#include "transport/verbs/connection/private_data_mark.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/requirement.h"

namespace opennd::verbs {
namespace {

using support::proves;

std::vector<std::byte> octets(std::size_t count, std::byte value = std::byte{9}) {
    return std::vector<std::byte>(count, value);
}

// The message as the kernel hands it up: as long as every message of its kind.
std::vector<std::byte> carried(std::vector<std::byte> sent, CmMessage message) {
    sent.resize(static_cast<std::size_t>(message));
    return sent;
}

std::vector<std::byte> heard(std::span<const std::byte> message) {
    const HeardPrivateData all = without_mark(message);
    return {all.data.begin(), all.data.end()};
}

TEST(PrivateDataMark, TellsTheLengthOfWhatTheProgramGave) {
    proves("ND2-CON-PD-02", "ND2-AMB-28");
    for (const CmMessage message : {CmMessage::request, CmMessage::refusal, CmMessage::reply}) {
        const std::size_t most = static_cast<std::size_t>(message) - 6;
        for (const std::size_t length : {std::size_t{0}, std::size_t{1}, std::size_t{32}, most - 1, most}) {
            const auto message_octets = carried(with_mark(octets(length), message, {}), message);
            EXPECT_EQ(heard(message_octets), octets(length)) << length;
            EXPECT_TRUE(without_mark(message_octets).is_marked);
            EXPECT_FALSE(without_mark(message_octets).mark.waits_for_receives);
        }
    }
}

TEST(PrivateDataMark, TellsZerosThatAreTheProgramsOwn) {
    const auto message = with_mark(octets(20, std::byte{0}), CmMessage::request, {.waits_for_receives = true});
    EXPECT_EQ(heard(message), octets(20, std::byte{0}));
    EXPECT_TRUE(without_mark(message).mark.waits_for_receives);
}

TEST(PrivateDataMark, StandsBehindTheProgramsOctetsWhereOtherPeersSeeZeros) {
    const auto message = with_mark(octets(50), CmMessage::request, {});
    ASSERT_EQ(message.size(), 56u);
    EXPECT_TRUE(std::equal(message.begin(), message.begin() + 50, octets(50).begin()));
    const auto reply = with_mark(octets(148), CmMessage::reply, {});
    ASSERT_EQ(reply.size(), 196u);
    EXPECT_TRUE(std::all_of(reply.begin() + 148, reply.begin() + 190, [](std::byte each) {
        return each == std::byte{};
    })) << "an earlier release hands the first 148 up";
}

TEST(PrivateDataMark, IsLeftOutWhereTheProgramsOctetsTakeItsPlace) {
    const auto message = with_mark(octets(51), CmMessage::request, {});
    EXPECT_EQ(message, octets(51));
    EXPECT_FALSE(without_mark(carried(message, CmMessage::request)).is_marked);
    EXPECT_EQ(heard(carried(message, CmMessage::request)).size(), 56u);
}

// Peers that are not OpenND, and earlier releases.
TEST(PrivateDataMark, IsNoneInOtherData) {
    EXPECT_FALSE(without_mark({}).is_marked);
    EXPECT_FALSE(without_mark(octets(5)).is_marked);
    for (const int value : {0, 1, 7, 0xFF}) {
        const auto other = octets(56, static_cast<std::byte>(value));
        EXPECT_FALSE(without_mark(other).is_marked) << value;
        EXPECT_EQ(heard(other), other);
    }
}

TEST(PrivateDataMark, IsNoneWhereAnyOctetDiffers) {
    const auto message = with_mark(octets(20), CmMessage::request, {});
    for (std::size_t place = 0; place < message.size(); ++place) {
        auto broken = message;
        broken[place] ^= std::byte{0x10};
        EXPECT_FALSE(without_mark(broken).is_marked) << place;
    }
    // A length that reaches into the mark, though the check is right.
    auto message_of_other_kind = with_mark(octets(100), CmMessage::reply, {});
    message_of_other_kind.erase(message_of_other_kind.begin(), message_of_other_kind.begin() + 140);
    EXPECT_FALSE(without_mark(message_of_other_kind).is_marked);
}

}  // namespace
}  // namespace opennd::verbs
