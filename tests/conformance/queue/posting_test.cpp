// SPDX-License-Identifier: MIT
//
// Posting: the checks of every request in its posting call. Requirements ND2-QP-POST-*.
#include <algorithm>
#include <array>
#include <vector>

#include "conformance/vocabulary/fixture.h"
#include "support/tested_device.h"

namespace opennd::conformance {
namespace {

class Posting : public ConformanceTest {};

TEST_P(Posting, OnAnIdleQueuePairRefusesInitiatorRequests) {
    proves("ND2-QP-POST-07", "ND2-QP-POST-01", "IW-ERR-25");
    Endpoint idle(driver(), {});
    EXPECT_EQ(idle.send(1, 0, 8), Outcome::connection_invalid);
    EXPECT_EQ(idle.read(2, 0, 8, idle.remote()), Outcome::connection_invalid);
    EXPECT_EQ(idle.write(3, 0, 8, idle.remote()), Outcome::connection_invalid);
    EXPECT_TRUE(idle.initiated->poll(1).empty()) << "an inline failure gives no result";
}

TEST_P(Posting, WhileConnectIsPendingRefusesInitiatorRequests) {
    proves("ND2-QP-POST-07");
    Handshake handshake(driver());
    handshake.requested();
    EXPECT_EQ(handshake.active.send(1), Outcome::connection_invalid);
    EXPECT_EQ(handshake.passive.send(1), Outcome::connection_invalid);
}

TEST_P(Posting, FromTheMomentCompleteConnectWasAcceptedTakesInitiatorRequests) {
    proves("ND2-QP-POST-08", "ND2-CLI-83");
    Handshake handshake(driver());
    ASSERT_EQ(handshake.passive.receive(1, 0, 64), Outcome::success);
    handshake.replied();
    const Operation completed = handshake.active.connector->complete_connect();
    ASSERT_EQ(completed.begun(), Outcome::pending);
    ASSERT_EQ(handshake.active.send(2, 0, 10), Outcome::success);
    EXPECT_EQ(completed.wait(), Outcome::success);
    EXPECT_TRUE(reports_received(*handshake.passive.received, 1, 10));
}

TEST_P(Posting, FromTheMomentAcceptWasAcceptedTakesInitiatorRequests) {
    proves("ND2-QP-POST-08", "ND2-QP-SEND-08");
    Handshake handshake(driver());
    ASSERT_EQ(handshake.active.receive(1, 0, 64), Outcome::success);
    handshake.accepting();
    ASSERT_EQ(handshake.passive.send(2, 0, 10), Outcome::success);
    ASSERT_EQ(handshake.connect->wait(), Outcome::success);
    ASSERT_EQ(handshake.active.connector->complete_connect().wait(), Outcome::success);
    EXPECT_TRUE(reports_received(*handshake.active.received, 1, 10));
    EXPECT_TRUE(reports(*handshake.passive.initiated, RequestKind::send, 2, Outcome::success));
}

TEST_P(Posting, InErrorAcceptsAndFlushesEverything) {
    provokes("CHECK-BUFFER-IN-USE");
    proves("ND2-QP-POST-07", "IW-ERR-25");
    ConnectedPair pair(driver());
    ASSERT_EQ(pair.a.queue_pair->flush(), Outcome::success);
    EXPECT_EQ(pair.a.send(1, 0, 8), Outcome::success);
    EXPECT_EQ(pair.a.read(2, 0, 8, pair.b.remote()), Outcome::success);
    EXPECT_EQ(pair.a.write(3, 0, 8, pair.b.remote()), Outcome::success);
    EXPECT_EQ(pair.a.receive(4), Outcome::success);
    EXPECT_TRUE(reports_exactly(*pair.a.initiated, {1, 2, 3}, Outcome::canceled));
    EXPECT_TRUE(reports_exactly(*pair.a.received, {4}, Outcome::canceled));
}

TEST_P(Posting, InErrorKeepsToTheDepth) {
    proves("ND2-QP-POST-07");
    ConnectedPair pair(driver(), EndpointOptions{.queue_pair = {.receive_depth = 2, .initiator_depth = 2}});
    ASSERT_EQ(pair.a.queue_pair->flush(), Outcome::success);
    ASSERT_EQ(pair.a.send(1), Outcome::success);
    ASSERT_EQ(pair.a.send(2), Outcome::success);
    EXPECT_EQ(pair.a.send(3), Outcome::no_more_entries);
    ASSERT_TRUE(reports(*pair.a.initiated, RequestKind::send, 1, Outcome::canceled));
    EXPECT_EQ(pair.a.send(4), Outcome::success);
}

TEST_P(Posting, ReceivesFitExactlyToTheDepth) {
    proves("ND2-QP-POST-06", "ND2-AMB-45");
    Endpoint end(driver(), EndpointOptions{.queue_pair = {.receive_depth = 5}});
    for (Tag tag = 0; tag < 5; ++tag) ASSERT_EQ(end.receive(tag), Outcome::success);
    EXPECT_EQ(end.receive(5), Outcome::no_more_entries);
    ASSERT_EQ(end.queue_pair->flush(), Outcome::success);
    EXPECT_TRUE(reports_exactly(*end.received, {0, 1, 2, 3, 4}, Outcome::canceled)) << "the refused one left no trace";
}

TEST_P(Posting, InitiatorSlotsAreFreedByRetrievingResultsOnly) {
    proves("ND2-QP-POST-06", "ND2-CQ-GET-08");
    ConnectedPair pair(driver(), EndpointOptions{.queue_pair = {.initiator_depth = 3}});
    for (Tag tag = 0; tag < 3; ++tag) ASSERT_EQ(pair.a.write(tag, 0, 8, pair.b.remote()), Outcome::success);
    ASSERT_EQ(pair.a.initiated->notify(NotifyType::any).wait(), Outcome::success) << "the first one is done";
    EXPECT_EQ(pair.a.write(3, 0, 8, pair.b.remote()), Outcome::no_more_entries);
    ASSERT_TRUE(reports(*pair.a.initiated, RequestKind::write, 0, Outcome::success));
    EXPECT_EQ(pair.a.write(4, 0, 8, pair.b.remote()), Outcome::success);
    EXPECT_EQ(pair.a.write(5, 0, 8, pair.b.remote()), Outcome::no_more_entries);
    EXPECT_TRUE(reports_exactly(*pair.a.initiated, {1, 2, 4}, Outcome::success));
}

TEST_P(Posting, ReceiveSlotsAreFreedByRetrievingResultsOnly) {
    proves("ND2-QP-POST-06", "ND2-CQ-GET-08");
    ConnectedPair pair(driver(), EndpointOptions{.queue_pair = {.receive_depth = 1}});
    ASSERT_EQ(pair.b.receive(1, 0, 8), Outcome::success);
    ASSERT_EQ(pair.a.send(2, 0, 8), Outcome::success);
    ASSERT_TRUE(reports(*pair.a.initiated, RequestKind::send, 2, Outcome::success)) << "the receive is used up";
    EXPECT_EQ(pair.b.receive(3, 0, 8), Outcome::no_more_entries);
    ASSERT_TRUE(reports_received(*pair.b.received, 1, 8));
    EXPECT_EQ(pair.b.receive(4, 0, 8), Outcome::success);
}

TEST_P(Posting, ToQueuesOfDepthZeroFindsThemFull) {
    proves("ND2-ADP-QP-04");
    ConnectedPair pair(
        driver(), EndpointOptions{
                      .queue_pair = {.receive_depth = 0, .initiator_depth = 0, .receive_sge = 0, .initiator_sge = 0}});
    EXPECT_EQ(pair.a.receive(1), Outcome::no_more_entries);
    EXPECT_EQ(pair.a.send(2), Outcome::no_more_entries);
}

TEST_P(Posting, SilentSlotsAreFreedByALaterResult) {
    proves("ND2-CQ-GET-08", "ND2-QP-POST-13");
    ConnectedPair pair(driver(), EndpointOptions{.queue_pair = {.initiator_depth = 4}});
    for (Tag round = 0; round < 50; ++round) {
        for (Tag tag = 0; tag < 3; ++tag)
            ASSERT_EQ(pair.a.write(tag, 0, 8, pair.b.remote(), kSilent), Outcome::success);
        ASSERT_EQ(pair.a.write(round + 10, 0, 8, pair.b.remote()), Outcome::success);
        ASSERT_TRUE(reports_exactly(*pair.a.initiated, {round + 10}, Outcome::success));
    }
}

// A program that asks for no result at all gets its slots back too; over a socket a little later.
TEST_P(Posting, SilentSlotsAreFreedThoughNothingIsEverReported) {
    provokes("CHECK-BUFFER-IN-USE");
    proves("ND1-EP-GEN-03", "NDK-QP-POST-02");
    ConnectedPair pair(driver(), EndpointOptions{.queue_pair = {.receive_depth = 32, .initiator_depth = 4}});
    const Remote there = pair.b.remote();
    for (Tag tag = 0; tag < 24; ++tag) ASSERT_EQ(pair.b.receive(tag), Outcome::success);
    for (Tag tag = 0; tag < 72; ++tag) {
        Outcome posted = Outcome::no_more_entries;
        const bool had_room = wait_until([&] {
            if (tag % 3 == 0) posted = pair.a.write(tag, 0, 8, there, kSilent);
            if (tag % 3 == 1) posted = pair.a.read(tag, 0, 8, there, kSilent);
            if (tag % 3 == 2) posted = pair.a.send(tag, 0, 0, kSilent);
            return posted != Outcome::no_more_entries;
        });
        ASSERT_TRUE(had_room) << "request " << tag;
        ASSERT_EQ(posted, Outcome::success) << "request " << tag;
    }
    EXPECT_TRUE(pair.a.initiated->poll(1).empty());
}

// As above, where each request is done before the next one is posted.
TEST_P(Posting, SilentSlotsOfOneKindAreFreedThoughNothingIsEverReported) {
    proves("ND1-EP-GEN-03", "NDK-QP-POST-02");
    ConnectedPair pair(driver(), EndpointOptions{.queue_pair = {.initiator_depth = 4}});
    const Remote there = pair.b.remote();
    for (const bool write : {true, false}) {
        for (Tag tag = 0; tag < 20; ++tag) {
            Outcome posted = Outcome::no_more_entries;
            const bool had_room = wait_until([&] {
                posted = write ? pair.a.write(tag, 0, 8, there, kSilent) : pair.a.read(tag, 0, 8, there, kSilent);
                return posted != Outcome::no_more_entries;
            });
            ASSERT_TRUE(had_room) << (write ? "Write " : "Read ") << tag;
            ASSERT_EQ(posted, Outcome::success) << (write ? "Write " : "Read ") << tag;
        }
    }
    EXPECT_TRUE(pair.a.initiated->poll(1).empty());
}

TEST_P(Posting, MoreSgesThanTheQueuePairTakesIsADataOverrun) {
    proves("ND2-QP-POST-04");
    ConnectedPair pair(driver());
    const Limits limits = pair.a.adapter->limits();
    const std::vector<Sge> initiator(limits.max_initiator_sge + 1, pair.a.piece(0, 1));
    const std::vector<Sge> receive(limits.max_receive_sge + 1, pair.a.piece(0, 1));
    EXPECT_EQ(pair.a.queue_pair->send(1, initiator, kNoFlags), Outcome::data_overrun);
    EXPECT_EQ(pair.a.queue_pair->write(2, initiator, pair.b.remote(), kNoFlags), Outcome::data_overrun);
    EXPECT_EQ(pair.a.queue_pair->read(3, initiator, pair.b.remote(), kNoFlags), Outcome::data_overrun);
    EXPECT_EQ(pair.a.queue_pair->receive(4, receive), Outcome::data_overrun);
    EXPECT_TRUE(pair.a.initiated->poll(1).empty());
}

TEST_P(Posting, MoreReadSgesThanTheAdapterAllowsIsADataOverrun) {
    proves("ND2-QP-POST-04");
    Endpoint probe(driver(), {});
    const Limits limits = probe.adapter->limits();
    ConnectedPair pair(driver(), EndpointOptions{.queue_pair = {.initiator_sge = limits.max_initiator_sge}});
    const std::vector<Sge> sges(limits.max_read_sge + 1, pair.a.piece(0, 1));
    EXPECT_EQ(pair.a.queue_pair->read(1, sges, pair.b.remote(), kNoFlags), Outcome::data_overrun);
}

TEST_P(Posting, TwoSgesFitAQueuePairCreatedForOne) {
    proves("ND2-ADP-QP-05", "ND2-AMB-44", "ND2-CLI-42");
    ConnectedPair pair(driver(), EndpointOptions{.queue_pair = {.receive_sge = 1, .initiator_sge = 1}});
    const std::array from{pair.a.piece(0, 10), pair.a.piece(100, 10)};
    const std::array into{pair.b.piece(0, 10), pair.b.piece(100, 10)};
    ASSERT_EQ(pair.b.queue_pair->receive(1, into), Outcome::success);
    ASSERT_EQ(pair.a.queue_pair->send(2, from, kNoFlags), Outcome::success);
    EXPECT_TRUE(reports_received(*pair.b.received, 1, 20));
}

TEST_P(Posting, EverySgeOfTheAdaptersMaximumIsUsed) {
    proves("ND2-QP-POST-04", "ND2-ADP-LIM-02");
    Endpoint probe(driver(), {});
    const std::uint32_t most =
        std::min(probe.adapter->limits().max_initiator_sge, probe.adapter->limits().max_receive_sge);
    ConnectedPair pair(driver(), EndpointOptions{.queue_pair = {.receive_sge = most, .initiator_sge = most}});
    fill_pattern(pair.a.bytes(0, most * 100), 5);
    std::vector<Sge> from, into;
    for (std::uint32_t i = 0; i < most; ++i) {
        from.push_back(pair.a.piece(i * 100, 100));
        into.push_back(pair.b.piece(i * 300, 100));
    }
    ASSERT_EQ(pair.b.queue_pair->receive(1, into), Outcome::success);
    ASSERT_EQ(pair.a.queue_pair->send(2, from, kNoFlags), Outcome::success);
    ASSERT_TRUE(reports_received(*pair.b.received, 1, most * 100));
    for (std::uint32_t i = 0; i < most; ++i) EXPECT_TRUE(has_pattern(pair.b.bytes(i * 300, 100), 5, i * 100));
}

TEST_P(Posting, MoreThanTheTransferLimitIsABufferOverflow) {
    proves("ND2-QP-POST-05", "ND2-QP-POST-01", "IW-RDMAP-04");
    ConnectedPair pair(driver());
    if (pair.a.adapter->limits().max_initiator_sge < 2) GTEST_SKIP() << "a request has one entry here (MaxOutboundSge)";
    const std::uint32_t half = pair.a.adapter->limits().max_transfer_bytes / 2 + 1;
    const std::array sges{pair.a.piece(0, half), pair.a.piece(0, half)};
    EXPECT_EQ(pair.a.queue_pair->send(1, sges, kNoFlags), Outcome::buffer_overflow);
    EXPECT_EQ(pair.a.queue_pair->write(2, sges, pair.b.remote(), kNoFlags), Outcome::buffer_overflow);
    if (pair.a.adapter->limits().max_read_sge >= sges.size()) {
        EXPECT_EQ(pair.a.queue_pair->read(3, sges, pair.b.remote(), kNoFlags), Outcome::buffer_overflow);
    }
    EXPECT_EQ(pair.a.queue_pair->receive(4, sges), Outcome::buffer_overflow);
    ASSERT_EQ(pair.a.write(5, 0, 8, pair.b.remote()), Outcome::success);
    EXPECT_TRUE(reports_exactly(*pair.a.initiated, {5}, Outcome::success)) << "the queue pair stays usable";
}

TEST_P(Posting, InlineBeyondTheInlineSizeIsABufferOverflow) {
    proves("ND2-QP-POST-05", "ND2-AMB-55");
    ConnectedPair pair(driver(), EndpointOptions{.queue_pair = {.inline_bytes = 32}});
    EXPECT_EQ(pair.a.send(1, 0, 33, kInline), Outcome::buffer_overflow);
    EXPECT_EQ(pair.a.write(2, 0, 33, pair.b.remote(), kInline), Outcome::buffer_overflow);
    ASSERT_EQ(pair.a.write(3, 0, 32, pair.b.remote(), kInline), Outcome::success);
    EXPECT_TRUE(reports_exactly(*pair.a.initiated, {3}, Outcome::success));
}

TEST_P(Posting, InlineSendCopiesInTheCallFromUnregisteredMemory) {
    if (const char* const why = support::lacks(support::Ability::late_receives)) GTEST_SKIP() << why;
    provokes("CHECK-NO-RECEIVE", "CHECK-RECEIVE-LATE");
    proves("ND2-QP-SEND-04", "ND2-QP-POST-02", "ND2-QP-POST-10");
    Endpoint probe(driver(), {});
    const std::uint32_t size = probe.adapter->limits().max_inline_bytes;
    ConnectedPair pair(driver(), EndpointOptions{.queue_pair = {.inline_bytes = size}});
    std::vector<std::byte> local(size);
    for (std::uint64_t round = 0; round < 5; ++round) {
        fill_pattern(local, round);
        const std::array sge{Sge{local.data(), size, 0xBAD}};
        ASSERT_EQ(pair.a.queue_pair->send(1, sge, kInline), Outcome::success);
        fill_with(local, std::byte{0});
        ASSERT_EQ(pair.b.receive(2, 0, size), Outcome::success);
        ASSERT_TRUE(reports_received(*pair.b.received, 2, size));
        EXPECT_TRUE(has_pattern(pair.b.bytes(0, size), round));
        ASSERT_TRUE(reports(*pair.a.initiated, RequestKind::send, 1, Outcome::success));
    }
}

TEST_P(Posting, InlineCountsBytesAndNotSges) {
    proves("ND2-QP-SEND-04");
    Endpoint probe(driver(), {});
    const std::uint32_t count = probe.adapter->limits().max_initiator_sge + 5;
    ConnectedPair pair(driver(), EndpointOptions{.queue_pair = {.initiator_sge = 1, .inline_bytes = count}});
    fill_pattern(pair.a.bytes(0, count), 4);
    std::vector<Sge> sges;
    for (std::uint32_t i = 0; i < count; ++i) sges.push_back(pair.a.piece(i, 1));
    ASSERT_EQ(pair.b.receive(1, 0, count), Outcome::success);
    ASSERT_EQ(pair.a.queue_pair->send(2, sges, kInline), Outcome::success);
    ASSERT_TRUE(reports_received(*pair.b.received, 1, count));
    EXPECT_TRUE(has_pattern(pair.b.bytes(0, count), 4));
}

TEST_P(Posting, SilentSuccessGivesNoResult) {
    proves("ND2-QP-POST-13");
    ConnectedPair pair(driver());
    for (Tag tag = 0; tag < 4; ++tag) ASSERT_EQ(pair.b.receive(tag), Outcome::success);
    ASSERT_EQ(pair.a.send(1, 0, 0, kSilent), Outcome::success);
    ASSERT_EQ(pair.a.write(2, 0, 8, pair.b.remote(), kSilent), Outcome::success);
    ASSERT_EQ(pair.a.read(3, 0, 8, pair.b.remote(), kSilent), Outcome::success);
    ASSERT_EQ(pair.a.send(4), Outcome::success);
    EXPECT_TRUE(reports_exactly(*pair.a.initiated, {4}, Outcome::success));
    EXPECT_TRUE(reports_received(*pair.b.received, 0, 0)) << "the receiver does get its result";
}

TEST_P(Posting, SilentRequestsThatFailOrFlushReport) {
    if (const char* const why = support::lacks(support::Ability::tells_refusals)) GTEST_SKIP() << why;
    proves("ND2-QP-POST-13");
    ConnectedPair pair(driver());
    ASSERT_EQ(pair.a.write(1, 0, 8, pair.b.remote(), kSilent), Outcome::success);
    ASSERT_EQ(pair.a.write(2, 0, 8, {pair.b.remote().address, 0}, kSilent), Outcome::success);
    ASSERT_EQ(pair.a.write(3, 0, 8, pair.b.remote(), kSilent), Outcome::success);
    EXPECT_TRUE(reports(*pair.a.initiated, RequestKind::write, 2, Outcome::access_violation));
    EXPECT_TRUE(reports_exactly(*pair.a.initiated, {3}, Outcome::canceled));
}

TEST_P(Posting, DoesNotValidateAnEmptySge) {
    proves("ND2-QP-POST-10");
    ConnectedPair pair(driver());
    const std::array sges{Sge{nullptr, 0, 0xBAD}, pair.a.piece(0, 8)};
    ASSERT_EQ(pair.a.queue_pair->write(1, sges, pair.b.remote(), kNoFlags), Outcome::success);
    EXPECT_TRUE(reports(*pair.a.initiated, RequestKind::write, 1, Outcome::success));
}

TEST_P(Posting, ARefusedPostLeavesLaterRequestsAlone) {
    proves("ND2-QP-POST-01");
    ConnectedPair pair(driver(), EndpointOptions{.queue_pair = {.initiator_depth = 1}});
    for (Tag round = 0; round < 100; ++round) {
        ASSERT_EQ(pair.a.write(round, 0, 8, pair.b.remote()), Outcome::success);
        ASSERT_EQ(pair.a.write(1000, 0, 8, pair.b.remote()), Outcome::no_more_entries);
        ASSERT_TRUE(reports_exactly(*pair.a.initiated, {round}, Outcome::success));
    }
}

INSTANTIATE_TEST_SUITE_P(, Posting, testing::ValuesIn(every_variant()), variant_name);

}  // namespace
}  // namespace opennd::conformance
