// SPDX-License-Identifier: MIT
#include "core/queue/queue_pair.h"

#include "core/connection/connector.h"
#include "support/requirement.h"
#include "unit/core/fake_adapter_fixture.h"

namespace opennd {
namespace {

using support::proves;

class QueuePairTest : public FakeAdapterTest {
protected:
    static Status post(QueuePair& queue_pair, Operation operation, std::size_t sges, std::uint32_t bytes_each,
                       RequestFlags flags = RequestFlags::none) {
        const std::vector<Sge> list(sges, Sge{nullptr, bytes_each, Token::none});
        WorkRequest request;
        request.operation = operation;
        request.flags = flags;
        request.sges = list;
        return queue_pair.post(request);
    }
};

TEST_F(QueuePairTest, RoundsEntryCountsUpToFour) {
    proves("ND2-ADP-QP-05");
    const Ref<QueuePair> queue_pair = make_queue_pair({8, 8, 1, 0, 0});
    EXPECT_EQ(transport_->queue_pair_limits.receive_sges, 4u);
    EXPECT_EQ(transport_->queue_pair_limits.initiator_sges, 4u);
    EXPECT_EQ(transport_->queue_pair_limits.receive_depth, 8u);
    EXPECT_EQ(post(*queue_pair, Operation::send, 4, 1), Status::success);
    EXPECT_EQ(post(*queue_pair, Operation::send, 5, 1), Status::too_many_sges);
    EXPECT_EQ(post(*queue_pair, Operation::receive, 5, 1), Status::too_many_sges);
}

TEST_F(QueuePairTest, LimitsReadsToTheSmallerOfBoth) {
    proves("ND2-QP-POST-04");
    const Ref<QueuePair> queue_pair = make_queue_pair();
    EXPECT_EQ(post(*queue_pair, Operation::read, 2, 1), Status::success);
    EXPECT_EQ(post(*queue_pair, Operation::read, 3, 1), Status::too_many_sges);
}

TEST_F(QueuePairTest, LimitsLengths) {
    proves("ND2-QP-POST-05", "ND2-QP-POST-01");
    const Ref<QueuePair> queue_pair = make_queue_pair();
    EXPECT_EQ(post(*queue_pair, Operation::write, 2, 500), Status::success);
    EXPECT_EQ(post(*queue_pair, Operation::write, 2, 501), Status::message_too_long);
    EXPECT_EQ(post(*queue_pair, Operation::send, 4, 0xFFFFFFFF), Status::message_too_long);
    EXPECT_EQ(post(*queue_pair, Operation::send, 1, 65, RequestFlags::inline_data), Status::message_too_long);
    EXPECT_EQ(transport_->queue_pair->posted.size(), 1u);
}

TEST_F(QueuePairTest, DoesNotLimitTheEntriesOfInlineRequests) {
    proves("ND2-QP-SEND-04");
    const Ref<QueuePair> queue_pair = make_queue_pair();
    EXPECT_EQ(post(*queue_pair, Operation::send, 64, 1, RequestFlags::inline_data), Status::success);
}

TEST_F(QueuePairTest, BelongsToOneConnectorAtATime) {
    proves("ND2-QP-REL-03", "ND2-CON-CONN-06");
    const Ref<QueuePair> queue_pair = make_queue_pair();
    const Ref<Connector> first = make_ref<Connector>(adapter_);
    const Ref<Connector> second = make_ref<Connector>(adapter_);
    EXPECT_EQ(queue_pair->claim(*first), Status::success);
    EXPECT_EQ(queue_pair->claim(*second), Status::connection_active);
    queue_pair->release(*second, QueuePair::Outcome::spent);  // has no claim: no effect
    EXPECT_EQ(queue_pair->claim(*second), Status::connection_active);
    queue_pair->release(*first, QueuePair::Outcome::reusable);
    EXPECT_EQ(queue_pair->claim(*second), Status::success);
    queue_pair->release(*second, QueuePair::Outcome::spent);
    EXPECT_EQ(queue_pair->claim(*first), Status::invalid_state);
}

}  // namespace
}  // namespace opennd
