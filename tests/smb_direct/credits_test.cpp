// SPDX-License-Identifier: MIT
//
// The rules of credits in session.h, one by one, and the peers that are awkward without breaking any: of one credit at a time, of one that
// asks for no more than one, of one that spends a credit for each fragment that it gets, as the client of Linux does.
#include <gtest/gtest.h>

#include <tuple>
#include <utility>

#include "peer.h"

namespace smb_direct::test {
namespace {

constexpr std::size_t kLarge = 1 << 20;

TEST(Credits, WithoutAnyNothingIsSent) {
    Peer peer;
    peer.session.send(numbered(100));
    EXPECT_FALSE(peer.hear());
    peer.grant(1);
    ASSERT_TRUE(peer.hear());
    EXPECT_EQ(peer.heard, numbered(100));
}

// The peer has all that it wants, so the receive that is granted with the last credit is one more.
TEST(Credits, TheLastOneIsSpentOnAGrantAlone) {
    Peer peer;
    peer.session.send(numbered(3 * 1340));
    peer.grant(3);
    EXPECT_EQ(peer.hear()->credits_granted, 1) << "of the grant's own receive";
    EXPECT_EQ(peer.hear()->credits_granted, 0);
    EXPECT_EQ(peer.hear()->credits_granted, 1) << "one more than wanted";
    EXPECT_EQ(peer.credits, 256u);
}

TEST(Credits, TheLastOneWaitsForAReceive) {
    Limits limits;
    Session session(Role::responder, limits);
    NegotiateRequest request;
    request.credits_requested = 255;
    request.preferred_send_size = request.max_receive_size = 8192;
    request.max_fragmented_size = kLarge;
    session.take(octets_of(request));
    ASSERT_TRUE(next_of(session));  // 255 of 256 receives are granted, and one is not posted again
    session.send(numbered(10));
    session.take(message_of({}, 1, 0, 255));
    EXPECT_FALSE(next_of(session)) << "there is no receive to grant";
    session.receive_posted();
    const auto sent = next_of(session);
    ASSERT_TRUE(sent);
    EXPECT_EQ(parse<DataTransfer>(sent->octets).credits_granted, 1);
}

TEST(Credits, EachMessageGrantsTheReceivesPostedMeanwhile) {
    Peer peer;
    peer.grant(9);
    for (int i = 0; i < 5; ++i) peer.send(numbered(8));
    peer.session.send(numbered(8));
    EXPECT_EQ(peer.hear()->credits_granted, 6);
    EXPECT_EQ(peer.credits, 255u);
}

TEST(Credits, APeerThatIsShortGetsAMessageWithoutData) {
    Peer peer({}, {.credits = 10});
    peer.grant(5);
    for (int i = 0; i < 3; ++i) {
        peer.send(numbered(8));
        EXPECT_FALSE(peer.hear()) << "it has " << peer.credits;
    }
    peer.send(numbered(8));
    const auto grant = peer.hear();
    ASSERT_TRUE(grant) << "half of the ten are left";
    EXPECT_EQ(grant->data_length, 0u);
    EXPECT_EQ(grant->data_offset, 0u);
    EXPECT_EQ(grant->credits_granted, 5);
    EXPECT_FALSE(peer.hear());
}

// Otherwise two idle sides would thank each other for ever.
TEST(Credits, AGrantIsNotThankedFor) {
    Peer peer;
    for (int i = 0; i < 200; ++i) {
        peer.grant(1);
        EXPECT_FALSE(peer.hear());
    }
}

TEST(Credits, APeerThatSpentAllOnGrantsGetsSome) {
    Peer peer({}, {.credits = 2});
    peer.grant(1);
    EXPECT_FALSE(peer.hear());
    peer.grant(1);
    EXPECT_EQ(peer.credits, 0u);
    EXPECT_EQ(peer.hear()->credits_granted, 2);
}

TEST(Credits, AResponseThatIsRequestedComesAtOnce) {
    Peer peer;
    peer.grant(2, DataTransfer::kResponseRequested);
    const auto response = peer.hear();
    ASSERT_TRUE(response);
    EXPECT_EQ(response->data_length, 0u);
    EXPECT_EQ(response->flags, 0) << "a response asks for none";
    EXPECT_FALSE(peer.hear()) << "one is enough";
    // With the last credit, and all receives granted.
    peer.grant(0, DataTransfer::kResponseRequested);
    ASSERT_TRUE(peer.hear());
}

TEST(Credits, DataAnswerTheRequestForAResponse) {
    Peer peer;
    peer.session.send(numbered(8));
    peer.send(numbered(8), 5, 0, DataTransfer::kResponseRequested);
    EXPECT_EQ(peer.hear()->data_length, 8u);
    EXPECT_FALSE(peer.hear());
}

TEST(Credits, APeerMayWantFewerLater) {
    Peer peer({}, {.credits = 100});
    peer.wish.credits = 10;
    peer.grant(50);
    while (peer.credits > 5) {
        EXPECT_FALSE(peer.hear()) << "it has " << peer.credits;
        peer.send(numbered(1));
        ASSERT_TRUE(peer.session.received());
    }
    EXPECT_EQ(peer.hear()->credits_granted, 5) << "ten again, and not a hundred";
}

// Each fragment waits for the answer to the one before.
TEST(AwkwardPeer, GrantsOneCreditAtATime) {
    Peer peer;
    peer.session.send(numbered(kLarge));
    unsigned fragments = 0;
    while (peer.session.has_data_to_send()) {
        peer.grant(1);
        ASSERT_EQ(peer.hear_all(), 1u) << "after " << fragments;
        ++fragments;
    }
    EXPECT_EQ(fragments, (kLarge + 1339) / 1340);
    EXPECT_EQ(peer.heard, numbered(kLarge));
}

TEST(AwkwardPeer, WantsOneCreditAlone) {
    Peer peer({}, {.credits = 1});
    ASSERT_EQ(peer.credits, 1u);
    const Bytes all = numbered(100000);
    for (std::size_t at = 0; at < all.size(); at += 1000) {
        const Bytes part(all.begin() + static_cast<std::ptrdiff_t>(at),
                         all.begin() + static_cast<std::ptrdiff_t>(at) + 1000);
        peer.send(part, 1, static_cast<std::uint32_t>(all.size() - at - 1000));
        EXPECT_LE(peer.hear_all(), 1u);
        ASSERT_TRUE(peer.credits == 1 || peer.credits == 2) << peer.credits << " after " << at << " bytes";
    }
    EXPECT_EQ(peer.session.received(), all);
}

// The peer posts a receive again for each fragment, and says so by a message of its own. A session that granted nothing with its fragments
// would leave it without credits, and then itself.
TEST(AwkwardPeer, SpendsACreditForEachFragment) {
    Limits limits;
    limits.receive_credit_max = 10;
    Peer peer(limits, {.credits = 255});
    peer.session.send(numbered(kLarge));
    peer.grant(20);
    for (unsigned fragments = 0; peer.session.has_data_to_send(); ++fragments) {
        ASSERT_TRUE(peer.hear()) << "stopped after " << fragments << " fragments";
        peer.grant(1);
    }
    EXPECT_EQ(peer.heard, numbered(kLarge));
}

TEST(AwkwardPeer, SendsFragmentsOfOneByte) {
    Peer peer;
    peer.grant(10);
    const Bytes all = numbered(3000);
    for (std::size_t i = 0; i < all.size(); ++i) {
        peer.send({all[i]}, 1, static_cast<std::uint32_t>(all.size() - i - 1));
        peer.hear_all();
    }
    EXPECT_EQ(peer.session.received(), all);
}

TEST(AwkwardPeer, PutsItsDataFurtherBehind) {
    Peer peer;
    DataTransfer header;
    header.credits_requested = 10;
    header.data_offset = 64;
    header.data_length = 100;
    Bytes octets(64);
    write(header, octets);
    const Bytes data = numbered(100);
    octets.insert(octets.end(), data.begin(), data.end());
    peer.spend(octets);
    EXPECT_EQ(peer.session.received(), data);
}

TEST(Invalidation, GoesWithTheLastFragment) {
    Peer peer;
    peer.session.send(numbered(3000), 77);
    peer.session.send(numbered(10));
    peer.grant(10);
    std::vector<std::optional<std::uint32_t>> tokens;
    while (const auto sent = next_of(peer.session)) tokens.push_back(sent->invalidate);
    EXPECT_EQ(tokens, (std::vector<std::optional<std::uint32_t>>{{}, {}, 77, {}}));
}

// Credits of both sides, and the least message of both.
class TwoSessions : public testing::TestWithParam<std::tuple<int, int, std::pair<int, int>>> {
protected:
    static Limits limits(int credits, int bytes) {
        Limits limits;
        limits.receive_credit_max = limits.send_credit_target = static_cast<std::uint16_t>(credits);
        limits.max_send_size = limits.max_receive_size = static_cast<std::uint32_t>(bytes);
        return limits;
    }
    // A message of one side reaches the other, which posts its receive again. Whether there was one.
    static bool step(Session& from, Session& to) {
        const auto sent = next_of(from);
        if (!sent) return false;
        to.take(sent->octets);
        to.receive_posted();
        return true;
    }
};

TEST_P(TwoSessions, ExchangeAllBothWaysAndFallSilent) {
    const auto [one_credits, other_credits, bytes] = GetParam();
    const auto [one_bytes, other_bytes] = bytes;
    Session one(Role::initiator, limits(one_credits, one_bytes)),
        other(Role::responder, limits(other_credits, other_bytes));
    for (int i = 0; i < 2; ++i) step(one, other), step(other, one);
    ASSERT_TRUE(one.established() && other.established());
    const Bytes large = numbered(one_bytes == 128 ? 131072 : kLarge), small = numbered(512);
    for (const Bytes& each : {small, large, small}) one.send(each), other.send(each);
    unsigned messages = 0;
    for (bool moved = true; moved; ++messages) {
        const bool there = step(one, other), back = step(other, one);
        moved = there || back;
        ASSERT_LT(messages, 60000u) << "they do not fall silent";
    }
    for (Session* const side : {&one, &other}) {
        EXPECT_FALSE(side->has_data_to_send());
        EXPECT_EQ(side->received(), small);
        EXPECT_EQ(side->received(), large);
        EXPECT_EQ(side->received(), small);
        EXPECT_FALSE(side->received());
    }
}

INSTANTIATE_TEST_SUITE_P(Limits, TwoSessions,
                         testing::Combine(testing::Values(1, 2, 255), testing::Values(1, 3, 255),
                                          testing::Values(std::pair(128, 128), std::pair(1364, 8192))));

}  // namespace
}  // namespace smb_direct::test
