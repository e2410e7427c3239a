// SPDX-License-Identifier: MIT
// Events and overruns of completion queues: events that the fake device makes, and those that OpenND makes where the device makes
// none.
#include <future>

#include "unit/transport/verbs/data_path_test.h"

namespace opennd::verbs {
namespace {

using QueueEventTest = DataPathTest;

// ND2-CQ-NTF-02, -08: a result that is there already is an event, as one that comes.
TEST_F(QueueEventTest, AnArmedQueueTellsOfWhatWaitsAndOfWhatComes) {
    connect_both();
    ASSERT_EQ(post(here_, Operation::write, {}), Status::success);
    here_.queue->arm(NotifyKind::any);
    EXPECT_EQ(here_.sink.events, 1);
    EXPECT_EQ(here_.poll().size(), 1u);
    here_.queue->arm(NotifyKind::any);
    EXPECT_EQ(here_.sink.events, 1);
    ASSERT_EQ(post(here_, Operation::write, {}), Status::success);
    turn();
    EXPECT_EQ(here_.sink.events, 2);
    EXPECT_EQ(here_.poll().size(), 1u);
}

// A poller takes the result before the service thread hears of it: the event is due all the same (ND2-CQ-NTF-09).
TEST_F(QueueEventTest, APollDoesNotTakeAnEventAway) {
    connect_both();
    here_.queue->arm(NotifyKind::any);
    ASSERT_EQ(post(here_, Operation::write, {}), Status::success);
    EXPECT_EQ(here_.poll().size(), 1u);
    EXPECT_EQ(here_.sink.events, 1);
    turn();
    EXPECT_EQ(here_.sink.events, 1);
}

// ND2-CQ-NTF-03, ND2-QP-SEND-03: the hardware knows which receives are solicited.
TEST_F(QueueEventTest, SolicitedEventsAreTheHardwares) {
    connect_both();
    for (int i = 0; i < 2; ++i) ASSERT_EQ(post(there_, Operation::receive, {there_.entry(0, 8)}), Status::success);
    there_.queue->arm(NotifyKind::solicited);
    EXPECT_TRUE(fake_.counts().solicited_only);
    ASSERT_EQ(post(here_, Operation::send, {}), Status::success);
    turn();
    EXPECT_EQ(there_.poll().size(), 1u);
    EXPECT_EQ(there_.sink.events, 0);
    ASSERT_EQ(post(here_, Operation::send, {}, RequestFlags::solicit), Status::success);
    turn();
    EXPECT_EQ(there_.sink.events, 1);
}

TEST_F(QueueEventTest, AFailureSatisfiesErrorsWhereTheRuleSaysSo) {  // ND1-CQ-NTF-04
    make(here_, NotifyRule::events);
    make(there_);
    join();
    fake_.hold();
    here_.queue->arm(NotifyKind::errors);
    ASSERT_EQ(post(here_, Operation::send, {}), Status::success);
    EXPECT_EQ(here_.sink.events, 0);
    fake_.fail_oldest_request(here_.pair->number(), IBV_WC_RETRY_EXC_ERR);
    turn();
    EXPECT_EQ(here_.sink.events, 1);
}

TEST_F(QueueEventTest, ErrorsArmNothingWithTheLevelRule) {
    connect_both();
    const int before = fake_.counts().event_requests;
    here_.queue->arm(NotifyKind::errors);
    EXPECT_EQ(fake_.counts().event_requests, before);
    here_.queue->disarm();
    ASSERT_EQ(post(here_, Operation::write, {}), Status::success);
    turn();
    EXPECT_EQ(here_.sink.events, 0);
}

// NDK-CQ-ARM-05: NDKPI counts under a lock that its sink takes.
TEST_F(QueueEventTest, CountingTellsNobodyBeforeItReturns) {
    connect_both();
    here_.queue->arm(NotifyKind::any);
    std::promise<void> stands;
    std::promise<void> counted;
    loop_.post([&stands, until = counted.get_future().share()] {
        stands.set_value();
        until.wait();
    });
    stands.get_future().wait();
    EXPECT_EQ(post(here_, Operation::write, {}), Status::success);
    EXPECT_EQ(here_.queue->count_waiting().all, 1u);
    EXPECT_EQ(here_.sink.events, 0);
    counted.set_value();
    turn();
    EXPECT_EQ(here_.sink.events, 1);
}

// ND2-CQ-OVR-01, -03, -04.
TEST_F(QueueEventTest, AStrictQueueDiesOfOneResultTooMany) {
    rule_ = OverrunRule::strict;
    make(here_, NotifyRule::level, 2);
    make(there_);
    join();
    for (int i = 0; i < 3; ++i) ASSERT_EQ(post(here_, Operation::write, {}), Status::success);
    EXPECT_EQ(here_.poll(1).size(), 1u);
    turn();  // the service thread may have found the overrun first
    EXPECT_EQ(here_.sink.overruns, 1);
    EXPECT_EQ(here_.pair->state(), QueuePairState::error);
}

// Nobody polls.
TEST_F(QueueEventTest, AStrictQueueDiesThoughNobodyPolls) {  // ND2-CQ-OVR-01
    rule_ = OverrunRule::strict;
    make(here_, NotifyRule::level, 2);
    make(there_);
    join();
    here_.queue->arm(NotifyKind::errors);
    for (int i = 0; i < 3; ++i) {
        ASSERT_EQ(post(here_, Operation::write, {}), Status::success);
        turn();
    }
    EXPECT_EQ(here_.sink.overruns, 1);
    EXPECT_EQ(here_.pair->state(), QueuePairState::error);
}

// ND2-CQ-OVR-02, ND2-CQ-OVR-03: told as over the other transports.
TEST_F(QueueEventTest, AForgivingQueueHasRoomForAll) {
    make(here_, NotifyRule::level, 1);
    make(there_);
    join();
    std::vector<std::string> rules;
    set_failure_sink(
        [](void* seen, const Failure& failure) {
            static_cast<std::vector<std::string>*>(seen)->emplace_back(std::string_view(failure.requirement));
        },
        &rules);
    for (std::uint32_t i = 0; i < kDepth; ++i) ASSERT_EQ(post(here_, Operation::write, {}), Status::success);
    EXPECT_EQ(here_.queue->count_waiting().all, kDepth);
    turn();
    set_failure_sink(nullptr, nullptr);
    EXPECT_EQ(rules, std::vector<std::string>{"ND2-CQ-OVR-03"});
    EXPECT_EQ(here_.queue->resize(kDepth - 1), Status::overrun);  // ND2-CQ-RSZ-01
    EXPECT_EQ(here_.queue->resize(kDepth), Status::success);
    EXPECT_EQ(here_.poll().size(), kDepth);
    EXPECT_EQ(here_.sink.overruns, 0);
}

// The hardware tells of each lost result; the program hears it once.
TEST_F(QueueEventTest, AnOverrunOfTheHardwareIsToldOnce) {
    connect_both();
    for (int i = 0; i < 3; ++i) fake_.overrun_queue_of(here_.pair->number());
    turn();
    EXPECT_EQ(here_.sink.overruns, 1);
    EXPECT_EQ(here_.pair->state(), QueuePairState::error);
    EXPECT_EQ(there_.pair->state(), QueuePairState::attached);
}

// ---- a device that makes no event of failures -------------------------------------------------------------------------

class SilentFailureTest : public DataPathTest {
protected:
    SilentFailureTest() : DataPathTest({.failures_make_no_event = true}) { fake_.failures_make_events = false; }
};

TEST_F(SilentFailureTest, AFailureEndsTheConnectionThoughNobodyPolls) {  // ND2-QP-ERR-01
    connect_both();
    for (int round = 0; round < 2; ++round) {  // a success in between takes the hardware's event
        ASSERT_EQ(post(here_, Operation::write, {}), Status::success);
        turn();
    }
    fake_.hold();
    ASSERT_EQ(post(here_, Operation::write, {}), Status::success);
    fake_.fail_oldest_request(here_.pair->number(), IBV_WC_RETRY_EXC_ERR);
    turn();
    EXPECT_TRUE(here_.end->comes_to_fail());
    EXPECT_EQ(here_.sink.events, 0);
    EXPECT_EQ(here_.poll().size(), 3u);
}

TEST_F(SilentFailureTest, SolicitedCompletesForAFailedRequestAndForNoOther) {  // ND2-CQ-NTF-03
    connect_both();
    here_.queue->arm(NotifyKind::solicited);
    ASSERT_EQ(post(here_, Operation::write, {}), Status::success);
    turn();
    EXPECT_EQ(here_.sink.events, 0);
    for (int i = 0; i < 2; ++i) ASSERT_EQ(post(here_, Operation::receive, {here_.entry(0, 8)}), Status::success);
    ASSERT_EQ(post(there_, Operation::send, {}), Status::success);
    turn();
    EXPECT_EQ(here_.sink.events, 0) << "the hardware still knows which receives are solicited";
    fake_.hold();
    ASSERT_EQ(post(here_, Operation::write, {}), Status::success);
    fake_.fail_oldest_request(here_.pair->number(), IBV_WC_REM_ACCESS_ERR);
    turn();
    EXPECT_EQ(here_.sink.events, 1);
}

}  // namespace
}  // namespace opennd::verbs
