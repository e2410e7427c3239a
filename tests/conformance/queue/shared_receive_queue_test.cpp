// SPDX-License-Identifier: MIT
//
// A shared receive queue by itself: valid receives, the message that gets each, when a slot is free again, how the
// queue changes. Requirements ND2-SRQ-01, ND2-SRQ-RECV-*, ND2-SRQ-MOD-01. Read shared_receiver.h first.
#include <array>

#include "conformance/vocabulary/fixture.h"
#include "conformance/vocabulary/shared_receiver.h"
#include "support/tested_device.h"

namespace opennd::conformance {
namespace {

class SharedReceives : public SharedReceiveTest {};

TEST_P(SharedReceives, AreThereIfTheAdapterSaysSo) {
    proves("ND2-SRQ-01", "ND2-ADP-SRQ-01", "ND2-ADP-LIM-02");
    auto adapter = driver().open_adapter();
    const Limits limits = adapter->limits();
    ASSERT_GT(limits.max_shared_receive_depth, 0u);
    ASSERT_LT(limits.max_shared_receive_depth, 0xFFFF'FFFFu);
    for (int several = 0; several < 4; ++several) {
        auto queue = adapter->create_shared_receive_queue({.depth = limits.max_shared_receive_depth,
                                                           .sge = limits.max_receive_sge,
                                                           .threshold = limits.max_shared_receive_depth});
        for (Tag tag = 0; tag < limits.max_shared_receive_depth; ++tag)
            ASSERT_EQ(queue->receive(tag, {}), Outcome::success);
        EXPECT_EQ(queue->receive(0, {}), Outcome::no_more_entries);
    }
}

TEST_P(SharedReceives, PostedBeforeAnyConnectionServeTheFirstMessages) {
    proves("ND2-SRQ-RECV-01", "ND2-SRQ-RECV-02", "ND2-ADP-QP-02");
    SharedReceiver receiver(driver());
    ASSERT_EQ(receiver.receive(1, 0, 100), Outcome::success);
    ASSERT_EQ(receiver.receive(2, 100, 100), Outcome::success);
    SharedConnection connection(driver(), receiver, 7);
    fill_pattern(connection.peer.bytes(0, 150), 3);
    ASSERT_EQ(connection.peer.send(3, 0, 90), Outcome::success);
    ASSERT_EQ(connection.peer.send(4, 90, 60), Outcome::success);
    EXPECT_EQ(next(*connection.received), (Completion{Outcome::success, 90, 7, 1, RequestKind::receive}));
    EXPECT_EQ(next(*connection.received), (Completion{Outcome::success, 60, 7, 2, RequestKind::receive}));
    EXPECT_TRUE(std::ranges::equal(receiver.bytes(0, 90), connection.peer.bytes(0, 90)));
    EXPECT_TRUE(std::ranges::equal(receiver.bytes(100, 60), connection.peer.bytes(90, 60)));
}

TEST_P(SharedReceives, KeepToTheLimitsOfTheirQueue) {
    proves("ND2-SRQ-RECV-01", "ND2-QP-POST-01");
    SharedReceiver receiver(driver(), {.depth = 3, .sge = 4});
    const Limits limits = receiver.adapter->limits();
    const Sge piece{receiver.memory.data(), 8, receiver.region->local_token()};
    EXPECT_EQ(receiver.queue->receive(1, std::vector<Sge>(5, piece)), Outcome::data_overrun);
    EXPECT_EQ(receiver.queue->receive(1, std::vector<Sge>(limits.max_receive_sge + 1, piece)), Outcome::data_overrun);
    const Sge half{receiver.memory.data(), limits.max_transfer_bytes / 2 + 1, receiver.region->local_token()};
    EXPECT_EQ(receiver.queue->receive(1, std::array{half, half}), Outcome::buffer_overflow);
    EXPECT_EQ(receiver.queue->receive(1, std::vector<Sge>(4, piece)), Outcome::success);
    EXPECT_EQ(receiver.receive(2), Outcome::success);
    EXPECT_EQ(receiver.receive(3), Outcome::success) << "those that were refused used no slot";
    EXPECT_EQ(receiver.receive(4), Outcome::no_more_entries);
}

TEST_P(SharedReceives, ScatterIntoSeveralBuffers) {
    proves("ND2-SRQ-RECV-01", "ND2-QP-POST-02");
    SharedReceiver receiver(driver());
    const auto piece = [&](std::size_t offset, std::uint32_t length) {
        return Sge{receiver.memory.data() + offset, length, receiver.region->local_token()};
    };
    std::array sges{piece(0, 100), piece(500, 1), piece(1000, 20'000)};
    ASSERT_EQ(receiver.queue->receive(1, sges), Outcome::success);
    sges.fill({});
    SharedConnection connection(driver(), receiver);
    fill_pattern(connection.peer.bytes(0, 20'101), 9);
    ASSERT_EQ(connection.peer.send(2, 0, 20'101), Outcome::success);
    EXPECT_TRUE(reports_received(*connection.received, 1, 20'101));
    EXPECT_TRUE(std::ranges::equal(receiver.bytes(0, 100), connection.peer.bytes(0, 100)));
    EXPECT_EQ(receiver.bytes(500, 1)[0], connection.peer.bytes(100, 1)[0]);
    EXPECT_TRUE(std::ranges::equal(receiver.bytes(1000, 20'000), connection.peer.bytes(101, 20'000)));
}

TEST_P(SharedReceives, AreTheOnlyOnesOfTheirQueuePairs) {
    proves("ND2-QP-RECV-01");
    SharedReceiver receiver(driver());
    SharedConnection connection(driver(), receiver);
    EXPECT_EQ(connection.queue_pair->receive(1, {}), Outcome::invalid_request);
    ASSERT_EQ(receiver.receive(2), Outcome::success);
    ASSERT_EQ(connection.peer.send(3), Outcome::success);
    EXPECT_TRUE(reports_received(*connection.received, 2, 0)) << "and the refused one left no trace";
}

TEST_P(SharedReceives, FreeTheirSlotWhenTheResultIsRetrieved) {
    proves("ND2-SRQ-RECV-04");
    SharedReceiver receiver(driver(), {.depth = 4});
    SharedConnection first(driver(), receiver, 1), second(driver(), receiver, 2);
    for (Tag tag = 0; tag < 4; ++tag) ASSERT_EQ(receiver.receive(tag), Outcome::success);
    for (SharedConnection* sender : {&first, &first, &second, &second}) {
        ASSERT_EQ(sender->peer.send(9), Outcome::success);
        // Arms and waits instead of polling: the results stay where they are.
        ASSERT_EQ(sender->received->notify(NotifyType::any).wait(), Outcome::success);
        ASSERT_TRUE(sender->sent(9));
    }
    EXPECT_EQ(receiver.receive(4), Outcome::no_more_entries) << "consumed, but not retrieved";
    EXPECT_TRUE(reports_received(*second.received, 2, 0));
    EXPECT_EQ(receiver.receive(4), Outcome::success) << "in whatever order they are retrieved";
    EXPECT_EQ(receiver.receive(5), Outcome::no_more_entries);
    EXPECT_TRUE(reports_received(*first.received, 0, 0));
    EXPECT_TRUE(reports_received(*first.received, 1, 0));
    EXPECT_EQ(receiver.receive(5), Outcome::success);
    EXPECT_EQ(receiver.receive(6), Outcome::success);
    EXPECT_EQ(receiver.receive(7), Outcome::no_more_entries);
}

TEST_P(SharedReceives, FreeTheirSlotAlthoughTheQueuePairIsGone) {
    proves("ND2-SRQ-RECV-04", "ND2-CQ-GET-05");
    SharedReceiver receiver(driver(), {.depth = 2});
    SharedConnection connection(driver(), receiver, 5);
    for (Tag tag = 0; tag < 2; ++tag) {
        ASSERT_EQ(receiver.receive(tag), Outcome::success);
        ASSERT_EQ(connection.peer.send(9), Outcome::success);
        ASSERT_EQ(connection.received->notify(NotifyType::any).wait(), Outcome::success);
        ASSERT_TRUE(connection.sent(9));
    }
    connection.queue_pair.reset();
    EXPECT_EQ(receiver.receive(2), Outcome::no_more_entries);
    EXPECT_EQ(next(*connection.received), (Completion{Outcome::success, 0, 5, 0, RequestKind::receive}));
    EXPECT_EQ(receiver.receive(2), Outcome::success);
    EXPECT_EQ(receiver.receive(3), Outcome::no_more_entries);
    connection.received.reset();
    EXPECT_EQ(receiver.receive(3), Outcome::success) << "nobody can retrieve the other one any more";
}

// The no-receive time of an ordinary queue pair is the clock: its message began to wait later and was given up.
TEST_P(SharedReceives, AreWaitedForWithoutLimit) {
    provokes("CHECK-NO-RECEIVE");
    if (const char* const why = support::lacks(support::Ability::late_receives)) GTEST_SKIP() << why;
    proves("ND2-SRQ-RECV-03");
    SharedReceiver receiver(driver());
    SharedConnection waiting(driver(), receiver);
    ConnectedPair clock(driver());
    const Operation lost = waiting.connector->notify_disconnect();
    fill_pattern(waiting.peer.bytes(0, 30'000), 4);
    ASSERT_EQ(waiting.peer.send(1, 0, 30'000), Outcome::success);
    ASSERT_EQ(waiting.peer.send(2, 0, 100), Outcome::success);
    EXPECT_TRUE(waiting.received->poll(1).empty()) << "the message is there, and waits from now on";
    ASSERT_EQ(clock.a.send(3), Outcome::success);
    ASSERT_TRUE(reports(*clock.a.initiated, RequestKind::send, 3, Outcome::io_timeout));
    EXPECT_EQ(lost.now(), Outcome::pending) << "the connection must not end";
    EXPECT_TRUE(waiting.peer.initiated->poll(1).empty());
    ASSERT_EQ(receiver.receive(4, 0, 30'000), Outcome::success);
    EXPECT_TRUE(reports_received(*waiting.received, 4, 30'000));
    EXPECT_TRUE(has_pattern(receiver.bytes(0, 30'000), 4));
    EXPECT_TRUE(waiting.sent(1));
    ASSERT_EQ(receiver.receive(5, 0, 100), Outcome::success);
    EXPECT_TRUE(reports_received(*waiting.received, 5, 100));
    EXPECT_TRUE(waiting.sent(2));
}

TEST_P(SharedReceives, ModifiedToZeroStayAsTheyAre) {
    proves("ND2-SRQ-MOD-01");
    SharedReceiver receiver(driver(), {.depth = 2, .threshold = 1});
    EXPECT_EQ(receiver.queue->modify(0, 0), Outcome::success);
    ASSERT_EQ(receiver.receive(1), Outcome::success);
    ASSERT_EQ(receiver.receive(2), Outcome::success);
    EXPECT_EQ(receiver.receive(3), Outcome::no_more_entries);
    EXPECT_EQ(receiver.queue->notify().now(), Outcome::pending) << "two are left, which is not below one";
    receiver.queue->cancel();
}

TEST_P(SharedReceives, GrowWithWhatIsInThem) {
    if (const char* const why = support::lacks(support::Ability::growing_shared_queues)) GTEST_SKIP() << why;
    proves("ND2-SRQ-MOD-01", "ND2-CQ-OVR-02");
    SharedReceiver receiver(driver(), {.depth = 3});
    SharedConnection connection(driver(), receiver, 0, receiver.completion_queue(1));
    // The ring inside has wrapped when it grows.
    for (Tag tag = 100; tag < 102; ++tag) {
        ASSERT_EQ(receiver.receive(tag), Outcome::success);
        ASSERT_EQ(connection.peer.send(9), Outcome::success);
        ASSERT_TRUE(reports_received(*connection.received, tag, 0));
        ASSERT_TRUE(connection.sent(9));
    }
    for (Tag tag = 0; tag < 3; ++tag) ASSERT_EQ(receiver.receive(tag, tag * 8, 8), Outcome::success);
    EXPECT_EQ(receiver.receive(3), Outcome::no_more_entries);
    ASSERT_EQ(receiver.queue->modify(200, 0), Outcome::success);
    for (Tag tag = 3; tag < 200; ++tag) ASSERT_EQ(receiver.receive(tag, tag * 8, 8), Outcome::success);
    EXPECT_EQ(receiver.receive(200), Outcome::no_more_entries);
    for (Tag tag = 0; tag < 200; ++tag) {
        fill_with(connection.peer.bytes(0, 8), static_cast<std::byte>(tag));
        ASSERT_EQ(connection.peer.send(9, 0, 8), Outcome::success);
        ASSERT_EQ(connection.received->notify(NotifyType::any).wait(), Outcome::success);
        ASSERT_TRUE(connection.sent(9)) << tag;
    }
    for (Tag tag = 0; tag < 200; ++tag) {
        ASSERT_TRUE(reports_received(*connection.received, tag, 8));
        ASSERT_TRUE(is_filled_with(receiver.bytes(tag * 8, 8), static_cast<std::byte>(tag)));
    }
}

TEST_P(SharedReceives, ShrinkDownToWhatIsOutstandingAndNoFurther) {
    proves("ND2-SRQ-MOD-01");
    SharedReceiver receiver(driver(), {.depth = 16});
    SharedConnection connection(driver(), receiver);
    for (Tag tag = 0; tag < 4; ++tag) ASSERT_EQ(receiver.receive(tag), Outcome::success);
    ASSERT_EQ(connection.peer.send(9), Outcome::success);
    ASSERT_EQ(connection.received->notify(NotifyType::any).wait(), Outcome::success);
    EXPECT_EQ(receiver.queue->modify(3, 2), Outcome::buffer_overflow) << "three wait, and one was not retrieved";
    EXPECT_EQ(receiver.queue->notify().now(), Outcome::pending) << "the threshold has not changed either";
    receiver.queue->cancel();
    ASSERT_EQ(receiver.queue->modify(4, 0), Outcome::success);
    EXPECT_EQ(receiver.receive(4), Outcome::no_more_entries);
    EXPECT_TRUE(reports_received(*connection.received, 0, 0));
    EXPECT_EQ(receiver.receive(4), Outcome::success);
    EXPECT_EQ(receiver.receive(5), Outcome::no_more_entries);
}

TEST_P(SharedReceives, RefuseImpossibleDepthsAndThresholds) {
    if (const char* const why = support::lacks(support::Ability::growing_shared_queues)) GTEST_SKIP() << why;
    proves("ND2-SRQ-MOD-01");
    SharedReceiver receiver(driver(), {.depth = 4, .threshold = 3});
    const std::uint32_t maximum = receiver.adapter->limits().max_shared_receive_depth;
    EXPECT_EQ(receiver.queue->modify(maximum + 1, 0), Outcome::invalid_parameter);
    EXPECT_EQ(receiver.queue->modify(0, 5), Outcome::invalid_parameter);
    EXPECT_EQ(receiver.queue->modify(8, 9), Outcome::invalid_parameter);
    EXPECT_EQ(receiver.queue->modify(2, 0), Outcome::invalid_parameter) << "the threshold would be above the depth";
    for (Tag tag = 0; tag < 4; ++tag) ASSERT_EQ(receiver.receive(tag), Outcome::success) << "nothing has changed";
    EXPECT_EQ(receiver.receive(4), Outcome::no_more_entries);
    EXPECT_EQ(receiver.queue->modify(maximum, maximum), Outcome::success);
    EXPECT_EQ(receiver.queue->modify(8, 8), Outcome::success);
}

INSTANTIATE_TEST_SUITE_P(, SharedReceives, testing::ValuesIn(variants_with_shared_receive_queues()), variant_name);

}  // namespace
}  // namespace opennd::conformance
