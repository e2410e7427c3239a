// SPDX-License-Identifier: MIT
// The end that both sides of a connection want, over each wire; and messages that wait for a receive as long as it
// takes.
#include <chrono>
#include <cstdlib>
#include <future>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "connected_pair.h"
#include "support/requirement.h"

namespace opennd::test {
namespace {

using std::chrono::milliseconds;
using support::proves;

constexpr milliseconds kLong{10'000};

class GracefulEnd : public testing::TestWithParam<WireKind> {
protected:
    GracefulEnd() {
        pair.active.sink->outlives_notice = true;
        pair.passive.sink->outlives_notice = true;
    }

    static void post(Side& side, Operation operation) {
        ASSERT_EQ(side.queue_pair->post({operation, RequestFlags::none, nullptr, {}}), Status::success);
    }
    // Returns when the loop has come past `later`.
    void let_pass(milliseconds later) {
        const auto passed = std::make_shared<std::promise<void>>();
        pair.loop.schedule(now() + later, [passed] { passed->set_value(); });
        passed->get_future().wait();
    }

    ConnectedPair pair{GetParam()};
};

TEST_P(GracefulEnd, TakesBothSides) {
    proves("NDK-CON-DISC-02", "NDK-CON-DISC-04");
    post(pair.active, Operation::receive);
    pair.active.connector->finish(kLong);
    ASSERT_EQ(pair.passive.sink->peer_finished.wait(), Status::success);
    EXPECT_EQ(pair.passive.queue_pair->state(), QueuePairState::attached);
    pair.passive.connector->finish(kLong);
    EXPECT_EQ(pair.passive.sink->ended.wait(), Status::success);
    EXPECT_EQ(pair.active.sink->ended.wait(), Status::success);
    Completion flushed;
    ASSERT_EQ(pair.active.completions->poll({&flushed, 1}), 1u) << "before the end was told";
    EXPECT_EQ(flushed.status, Status::canceled);
}

TEST_P(GracefulEnd, ANoticeLeavesTheOtherDirectionOpen) {
    proves("NDK-CON-EVT-03", "NDK-QP-STATE-03");
    post(pair.active, Operation::receive);
    pair.active.connector->finish(kLong);
    ASSERT_EQ(pair.passive.sink->peer_finished.wait(), Status::success);
    post(pair.passive, Operation::send);
    EXPECT_EQ(pair.active.next().status, Status::success);
    EXPECT_EQ(pair.passive.next().status, Status::success);
    pair.passive.connector->finish(kLong);
    EXPECT_EQ(pair.passive.sink->ended.wait(), Status::success);
    EXPECT_EQ(pair.active.sink->ended.wait(), Status::success);
}

TEST_P(GracefulEnd, MayBeginOnBothSidesAtOnce) {
    proves("NDK-CON-DISC-03");
    pair.active.connector->finish(kLong);
    pair.passive.connector->finish(kLong);
    EXPECT_EQ(pair.active.sink->ended.wait(), Status::success);
    EXPECT_EQ(pair.passive.sink->ended.wait(), Status::success);
}

TEST_P(GracefulEnd, ComesAfterWhatWasPosted) {
    proves("NDK-CON-DISC-01");
    for (int i = 0; i < 3; ++i) post(pair.active, Operation::send);
    pair.active.connector->finish(kLong);
    for (int i = 0; i < 3; ++i) {
        post(pair.passive, Operation::receive);
        EXPECT_EQ(pair.passive.next().status, Status::success);
        EXPECT_EQ(pair.active.next().status, Status::success);
    }
    ASSERT_EQ(pair.passive.sink->peer_finished.wait(), Status::success);
    pair.passive.connector->finish(kLong);
    EXPECT_EQ(pair.active.sink->ended.wait(), Status::success);
}

// The peer relies on a thread that polled, and the program has it finish instead.
TEST_P(GracefulEnd, ComesAfterWhatWasPostedThoughNobodyPollsAnyMore) {
    proves("NDK-CON-DISC-01");
    constexpr int kPollsUntilReliedOn = 100;
    Completion none;
    for (int polls = 0; polls < kPollsUntilReliedOn; ++polls) EXPECT_EQ(pair.active.completions->poll({&none, 1}), 0u);
    for (int i = 0; i < 3; ++i) post(pair.passive, Operation::receive);
    for (int i = 0; i < 3; ++i) post(pair.active, Operation::send);
    pair.active.connector->finish(kLong);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(pair.passive.next().status, Status::success);
    ASSERT_EQ(pair.passive.sink->peer_finished.wait(), Status::success);
    pair.passive.connector->finish(kLong);
    EXPECT_EQ(pair.active.sink->ended.wait(), Status::success);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(pair.active.next().status, Status::success);
}

TEST_P(GracefulEnd, IsAnEndInOrderForWhoKnowsNoOther) {
    proves("NDK-CON-DISC-04");
    pair.passive.sink->outlives_notice = false;
    post(pair.passive, Operation::receive);
    pair.active.connector->finish(kLong);
    EXPECT_EQ(pair.passive.sink->disconnected.wait(), Status::disconnected);
    pair.passive.queue_pair->end(Status::canceled);  // core's part
    EXPECT_EQ(pair.passive.next().status, Status::canceled);
    EXPECT_EQ(pair.active.sink->ended.wait(), Status::success);
}

TEST_P(GracefulEnd, IsAnsweredByADisconnect) {
    proves("NDK-CON-DISC-04");
    pair.active.connector->finish(kLong);
    ASSERT_EQ(pair.passive.sink->peer_finished.wait(), Status::success);
    pair.passive.connector->end(Ending::disconnect);
    EXPECT_EQ(pair.active.sink->ended.wait(), Status::success);
}

TEST_P(GracefulEnd, IsOverWhereThePeerHasDisconnected) {
    proves("NDK-CON-DISC-04");
    pair.active.sink->outlives_notice = false;
    pair.passive.connector->end(Ending::disconnect);
    ASSERT_EQ(pair.active.sink->disconnected.wait(), Status::disconnected);
    pair.active.connector->finish(kLong);
    EXPECT_EQ(pair.active.sink->ended.wait(), Status::success);
}

TEST_P(GracefulEnd, IsNotWaitedForWithoutEnd) {
    proves("NDK-CON-DISC-04");
    post(pair.active, Operation::receive);
    pair.active.connector->finish(milliseconds(20));
    EXPECT_EQ(pair.active.sink->ended.wait(), Status::timed_out);
    EXPECT_EQ(pair.active.next().status, Status::canceled);
}

TEST_P(GracefulEnd, FailsWithTheConnection) {
    proves("NDK-CON-DISC-01");
    pair.active.connector->finish(kLong);
    ASSERT_EQ(pair.passive.sink->peer_finished.wait(), Status::success);
    WorkRequest invalidate{Operation::invalidate, RequestFlags::none, nullptr, {}};
    ASSERT_EQ(pair.passive.queue_pair->post(invalidate), Status::success);
    EXPECT_EQ(pair.passive.next().status, Status::malformed_request);
    EXPECT_EQ(pair.active.sink->ended.wait(), Status::connection_aborted);
}

INSTANTIATE_TEST_SUITE_P(Wires, GracefulEnd, testing::Values(WireKind::loopback, WireKind::shm, WireKind::iwarp),
                         [](const auto& each) { return name(each.param); });

class PatientPair : public testing::TestWithParam<WireKind> {
protected:
    // The shortest timeout that can be set: the first limit is reached at once.
    ConnectedPair pair{GetParam(),
                       {64, 64, 4, 4, 256},
                       std::nullopt,
                       {.waits_for_receives = true, .settings = {.no_receive_time = milliseconds(0)}}};
};

TEST_P(PatientPair, AMessageWaitsForAReceiveWithoutLimit) {
    proves("NDK-QP-SEND-04");
    ASSERT_EQ(pair.active.queue_pair->post({Operation::send, RequestFlags::none, nullptr, {}}), Status::success);
    pair.passive.completions->arm(NotifyKind::any);  // somebody looks, and finds nothing to take it
    const auto passed = std::make_shared<std::promise<void>>();
    pair.loop.schedule(now() + milliseconds(50), [passed] { passed->set_value(); });
    passed->get_future().wait();
    ASSERT_EQ(pair.passive.queue_pair->post({Operation::receive, RequestFlags::none, nullptr, {}}), Status::success);
    EXPECT_EQ(pair.passive.next().status, Status::success);
    EXPECT_EQ(pair.active.next().status, Status::success);
}

INSTANTIATE_TEST_SUITE_P(Wires, PatientPair, testing::Values(WireKind::loopback, WireKind::shm, WireKind::iwarp),
                         [](const auto& each) { return name(each.param); });

}  // namespace
}  // namespace opennd::test
