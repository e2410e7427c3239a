// SPDX-License-Identifier: MIT
#include "core/queue/shared_receive_queue.h"

#include "support/requirement.h"
#include "unit/core/fake_adapter_fixture.h"

namespace opennd {
namespace {

using support::proves;

class SharedReceiveQueueTest : public FakeAdapterTest {
protected:
    ~SharedReceiveQueueTest() override { queue_->close(); }

    fake::FakeSharedReceiveQueue& transport() { return *transport_->shared_receive_queue; }
    Ref<SharedReceiveQueue> queue_ =
        SharedReceiveQueue::create(adapter_, {.depth = 16, .sges = 1, .threshold = 4}).take();
    RequestRecord first_, second_;
};

TEST_F(SharedReceiveQueueTest, RoundsEntriesUpAndRefusesMore) {
    proves("ND2-SRQ-RECV-01", "ND2-ADP-QP-05");
    EXPECT_EQ(transport().limits.sges, 4u);
    EXPECT_EQ(queue_->post(nullptr, std::vector<Sge>(5)), Status::too_many_sges);
    EXPECT_EQ(queue_->post(nullptr, std::vector<Sge>(2, Sge{.length = 501})), Status::message_too_long);
    EXPECT_EQ(transport().posted, 0);
    EXPECT_EQ(queue_->post(nullptr, std::vector<Sge>(4, Sge{.length = 250})), Status::success);
    EXPECT_EQ(transport().last_sges.size(), 4u);
}

TEST_F(SharedReceiveQueueTest, GivesItsQueuePairsNoQueueOfTheirOwn) {
    proves("ND2-ADP-QP-02");
    const auto queue_pair =
        QueuePair::create(adapter_, {8, 8, 16, 4, 64}, {}, completion_queue_, completion_queue_, nullptr, queue_)
            .take();
    EXPECT_EQ(transport_->queue_pair_shares, Ref<TransportSharedReceiveQueue>(transport_->shared_receive_queue));
    EXPECT_EQ(transport_->queue_pair_limits.receive_depth, 0u);
    EXPECT_EQ(transport_->queue_pair_limits.receive_sges, 4u);
    queue_pair->close();
    make_queue_pair();
    EXPECT_FALSE(transport_->queue_pair_shares);
}

TEST_F(SharedReceiveQueueTest, OneEventCompletesAllRequests) {
    proves("ND2-SRQ-NTF-02");
    transport().waiting = 4;
    ASSERT_EQ(queue_->notify(recording(first_)), Status::success);
    ASSERT_EQ(queue_->notify(recording(second_)), Status::success);
    EXPECT_TRUE(first_.pending());
    transport().sink->on_low();
    EXPECT_EQ(first_.outcome(), Status::success);
    EXPECT_EQ(second_.outcome(), Status::success);
}

TEST_F(SharedReceiveQueueTest, CompletesAtOnceIfFewAreLeft) {
    proves("ND2-SRQ-NTF-01", "ND2-SRQ-NTF-03");
    transport().waiting = 3;
    ASSERT_EQ(queue_->notify(recording(first_)), Status::success);
    EXPECT_EQ(first_.outcome(), Status::success);
    ASSERT_EQ(queue_->notify(recording(second_)), Status::success);
    EXPECT_EQ(second_.outcome(), Status::success);
}

TEST_F(SharedReceiveQueueTest, FailsForGood) {
    proves("ND2-SRQ-NTF-02", "ND2-AMB-29");
    transport().waiting = 4;
    ASSERT_EQ(queue_->notify(recording(first_)), Status::success);
    transport().sink->on_failed();
    EXPECT_EQ(first_.outcome(), Status::internal_error);
    EXPECT_EQ(queue_->notify(recording(second_)), Status::internal_error);
    EXPECT_TRUE(second_.untouched());
}

TEST_F(SharedReceiveQueueTest, EndsPendingRequestsWithCancel) {
    proves("ND2-SRQ-NTF-02", "ND2-OVL-12");
    transport().waiting = 4;
    for (int round = 0; round < 1000; ++round) {
        RequestRecord record;
        ASSERT_EQ(queue_->notify(recording(record)), Status::success);
        queue_->cancel();
        ASSERT_EQ(record.outcome(), Status::canceled);
    }
}

TEST_F(SharedReceiveQueueTest, ChangesBothLimitsOrNone) {
    proves("ND2-SRQ-MOD-01");
    EXPECT_EQ(queue_->modify(33, 0), Status::invalid_parameter);
    EXPECT_EQ(queue_->modify(3, 0), Status::invalid_parameter) << "the threshold is 4";
    EXPECT_EQ(queue_->modify(8, 9), Status::invalid_parameter);
    transport().refusal = Status::overrun;
    EXPECT_EQ(queue_->modify(4, 4), Status::overrun);
    transport().refusal = Status::success;
    EXPECT_EQ(queue_->modify(0, 16), Status::success) << "the depth is still 16";
    EXPECT_EQ(queue_->modify(32, 0), Status::success);
    EXPECT_EQ(transport().limits.depth, 32u);
    EXPECT_EQ(transport().limits.threshold, 16u);
}

TEST_F(SharedReceiveQueueTest, AHigherThresholdReachesThoseThatWait) {
    proves("ND2-SRQ-MOD-01", "ND2-SRQ-NTF-01");
    transport().waiting = 4;
    ASSERT_EQ(queue_->modify(0, 3), Status::success);
    EXPECT_EQ(transport().armed, 0) << "nobody waits";
    ASSERT_EQ(queue_->notify(recording(first_)), Status::success);
    EXPECT_TRUE(first_.pending());
    ASSERT_EQ(queue_->modify(0, 5), Status::success);
    EXPECT_EQ(first_.outcome(), Status::success);
}

}  // namespace
}  // namespace opennd
