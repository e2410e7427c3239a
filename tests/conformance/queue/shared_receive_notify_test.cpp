// SPDX-License-Identifier: MIT
//
// Notify of a shared receive queue: fewer receives left than the threshold. Requirements ND2-SRQ-NTF-*. Read
// shared_receiver.h first.
#include <vector>

#include "conformance/vocabulary/fixture.h"
#include "conformance/vocabulary/shared_receiver.h"
#include "support/tested_device.h"

namespace opennd::conformance {
namespace {

class SharedReceiveNotify : public SharedReceiveTest {
protected:
    // One message takes one receive; its result is retrieved.
    static void take_one(SharedConnection& connection) {
        ASSERT_EQ(connection.peer.send(99), Outcome::success);
        ASSERT_EQ(next(*connection.received).outcome, Outcome::success);
        ASSERT_TRUE(connection.sent(99));
    }
};

TEST_P(SharedReceiveNotify, CompletesWhenFewerThanTheThresholdAreLeft) {
    proves("ND2-SRQ-NTF-01");
    SharedReceiver receiver(driver(), {.threshold = 2});
    SharedConnection first(driver(), receiver), second(driver(), receiver);
    for (Tag tag = 0; tag < 4; ++tag) ASSERT_EQ(receiver.receive(tag), Outcome::success);
    const Operation low = receiver.queue->notify();
    take_one(first);
    EXPECT_EQ(low.now(), Outcome::pending) << "three are left";
    take_one(second);
    EXPECT_EQ(low.now(), Outcome::pending) << "two are left, which is not fewer";
    take_one(first);
    EXPECT_EQ(low.wait(), Outcome::success);
}

TEST_P(SharedReceiveNotify, CountsAReceiveUntilAMessageTakesIt) {
    proves("ND2-SRQ-RECV-04", "ND2-SRQ-NTF-01");
    SharedReceiver receiver(driver(), {.threshold = 1});
    SharedConnection connection(driver(), receiver);
    ASSERT_EQ(receiver.receive(1), Outcome::success);
    const Operation low = receiver.queue->notify();
    EXPECT_EQ(low.now(), Outcome::pending);
    const Operation arrived = connection.received->notify(NotifyType::any);
    ASSERT_EQ(connection.peer.send(2), Outcome::success);
    EXPECT_EQ(low.wait(), Outcome::success) << "though nobody retrieved the result";
    EXPECT_EQ(arrived.wait(), Outcome::success);
    EXPECT_TRUE(reports_received(*connection.received, 1, 0));
}

TEST_P(SharedReceiveNotify, CompletesAtOnceIfFewAreLeftAlready) {
    proves("ND2-SRQ-NTF-01", "ND2-OVL-01");
    SharedReceiver receiver(driver(), {.threshold = 2});
    EXPECT_EQ(receiver.queue->notify().wait(), Outcome::success) << "none";
    ASSERT_EQ(receiver.receive(1), Outcome::success);
    EXPECT_EQ(receiver.queue->notify().wait(), Outcome::success) << "one";
    ASSERT_EQ(receiver.receive(2), Outcome::success);
    const Operation enough = receiver.queue->notify();
    EXPECT_EQ(enough.now(), Outcome::pending) << "two";
}

TEST_P(SharedReceiveNotify, PendsForeverWithThresholdZero) {
    proves("ND2-SRQ-NTF-01", "ND2-ADP-SRQ-01");
    SharedReceiver receiver(driver(), {.threshold = 0});
    SharedConnection connection(driver(), receiver);
    const Operation never = receiver.queue->notify();
    EXPECT_EQ(never.now(), Outcome::pending) << "though the queue is empty";
    ASSERT_EQ(receiver.receive(1), Outcome::success);
    take_one(connection);
    EXPECT_EQ(never.now(), Outcome::pending);
    receiver.queue->cancel();
    EXPECT_EQ(never.now(), Outcome::canceled);
}

TEST_P(SharedReceiveNotify, OneEventCompletesAllThatWait) {
    proves("ND2-SRQ-NTF-02");
    SharedReceiver receiver(driver(), {.threshold = 1});
    SharedConnection connection(driver(), receiver);
    ASSERT_EQ(receiver.receive(1), Outcome::success);
    std::vector<Operation> waiting;
    for (int i = 0; i < 10; ++i) waiting.push_back(receiver.queue->notify());
    for (const Operation& low : waiting) EXPECT_EQ(low.now(), Outcome::pending);
    take_one(connection);
    for (const Operation& low : waiting) EXPECT_EQ(low.wait(), Outcome::success);
}

TEST_P(SharedReceiveNotify, EndsWithCancelAndTheQueueGoesOn) {
    proves("ND2-SRQ-NTF-02", "ND2-OVL-12", "ND2-OVL-14");
    SharedReceiver receiver(driver(), {.threshold = 1});
    SharedConnection connection(driver(), receiver);
    ASSERT_EQ(receiver.receive(1), Outcome::success);
    for (int round = 0; round < 1000; ++round) {
        const Operation first = receiver.queue->notify(), second = receiver.queue->notify();
        receiver.queue->cancel();
        ASSERT_EQ(first.now(), Outcome::canceled) << "complete when cancel returns; round " << round;
        ASSERT_EQ(second.now(), Outcome::canceled);
    }
    const Operation low = receiver.queue->notify();
    EXPECT_EQ(low.now(), Outcome::pending);
    take_one(connection);
    EXPECT_EQ(low.wait(), Outcome::success);
}

TEST_P(SharedReceiveNotify, EndsWithTheReleaseOfTheQueue) {
    proves("ND2-SRQ-NTF-02", "ND2-OVL-13", "ND2-COM-10");
    SharedReceiver receiver(driver(), {.threshold = 1});
    SharedConnection connection(driver(), receiver);
    ASSERT_EQ(receiver.receive(1), Outcome::success);
    const Operation low = receiver.queue->notify();
    receiver.queue.reset();
    EXPECT_EQ(low.now(), Outcome::canceled) << "complete when Release returns, though a queue pair uses it";
}

TEST_P(SharedReceiveNotify, CompletesAgainAtOnceAsLongAsFewAreLeft) {
    proves("ND2-SRQ-NTF-03");
    SharedReceiver receiver(driver(), {.threshold = 2});
    SharedConnection connection(driver(), receiver);
    for (Tag tag = 0; tag < 2; ++tag) ASSERT_EQ(receiver.receive(tag), Outcome::success);
    const Operation low = receiver.queue->notify();
    take_one(connection);
    ASSERT_EQ(low.wait(), Outcome::success);
    EXPECT_EQ(receiver.queue->notify().wait(), Outcome::success) << "still one";
    ASSERT_EQ(receiver.receive(2), Outcome::success);
    const Operation again = receiver.queue->notify();
    EXPECT_EQ(again.now(), Outcome::pending) << "two again";
    take_one(connection);
    EXPECT_EQ(again.wait(), Outcome::success);
}

TEST_P(SharedReceiveNotify, GoesByTheThresholdInForce) {
    proves("ND2-SRQ-MOD-01", "ND2-SRQ-NTF-01");
    SharedReceiver receiver(driver(), {.threshold = 1});
    ASSERT_EQ(receiver.receive(1), Outcome::success);
    const Operation low = receiver.queue->notify();
    EXPECT_EQ(low.now(), Outcome::pending);
    ASSERT_EQ(receiver.queue->modify(0, 2), Outcome::success);
    EXPECT_EQ(low.wait(), Outcome::success) << "one is fewer than two";
}

// A receive per message, posted only when the queue says that it is empty; nobody polls for the messages that wait.
TEST_P(SharedReceiveNotify, LosesNoEventBetweenTheLastReceiveAndArming) {
    if (const char* const why = support::lacks(support::Ability::late_receives)) GTEST_SKIP() << why;
    provokes("CHECK-NO-RECEIVE");
    proves("ND2-SRQ-NTF-01", "ND2-SRQ-NTF-03", "ND2-SRQ-RECV-03");
    SharedReceiver receiver(driver(), {.depth = 4, .threshold = 1});
    SharedConnection connection(driver(), receiver);
    const int messages = support::lacks(support::Ability::quick_retries) ? 30 : 500;
    int received = 0;
    for (int sent = 0; sent < 4; ++sent) ASSERT_EQ(connection.peer.send(2), Outcome::success);
    while (received < messages) {
        ASSERT_EQ(receiver.queue->notify().wait(), Outcome::success) << "after " << received;
        ASSERT_EQ(receiver.receive(1), Outcome::success);
        ASSERT_EQ(connection.received->notify(NotifyType::any).wait(), Outcome::success) << "after " << received;
        ASSERT_TRUE(reports_received(*connection.received, 1, 0));
        ASSERT_TRUE(connection.sent(2));
        ++received;
        ASSERT_EQ(connection.peer.send(2), Outcome::success);
    }
}

INSTANTIATE_TEST_SUITE_P(, SharedReceiveNotify, testing::ValuesIn(variants_with_shared_receive_queues()), variant_name);

}  // namespace
}  // namespace opennd::conformance
