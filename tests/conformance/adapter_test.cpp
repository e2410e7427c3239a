// SPDX-License-Identifier: MIT
//
// Adapters: the limits they declare, and that the limits can be used. Requirements ND2-ADP-LIM-*.
#include <algorithm>
#include <string>
#include "conformance/vocabulary/fixture.h"
#include "support/tested_device.h"
#include "support/transports.h"

namespace opennd::conformance {
namespace {

class Adapters : public ConformanceTest {};

TEST_P(Adapters, DeclareLimitsThatClientsCanLiveWith) {
    proves("ND2-ADP-LIM-01", "ND2-CLI-60", "ND2-CLI-96");
    const Limits limits = driver().open_adapter()->limits();
    EXPECT_GE(limits.max_registration_bytes, 64u << 20);
    // Version 1 has one limit for Reads and for the others.
    EXPECT_GE(limits.max_initiator_sge, std::string(GetParam().face) == "Nd1" ? std::min(limits.max_read_sge, 3u) : 3u);
    EXPECT_GE(limits.max_receive_sge, 3u);
    EXPECT_GE(limits.max_read_sge, 1u);
    EXPECT_LE(limits.max_read_sge, limits.max_initiator_sge);
    if (!support::lacks(support::Ability::long_messages) && !support::is_joint(GetParam().transport)) {
        EXPECT_GE(limits.max_transfer_bytes, 64u << 20);
    }
    EXPECT_LT(limits.max_transfer_bytes, 0xFFFF'FFFFu);
    EXPECT_LE(limits.inline_threshold_bytes, limits.max_inline_bytes);
    EXPECT_GE(limits.large_threshold_bytes, 1u);
    EXPECT_GE(limits.max_inbound_reads, 1u);
    EXPECT_LE(limits.max_inbound_reads, 255u);
    EXPECT_GE(limits.max_outbound_reads, 1u);
    EXPECT_LE(limits.max_outbound_reads, 255u);
    EXPECT_GE(limits.max_receive_depth, 384u);
    EXPECT_LT(limits.max_receive_depth, 0xFFFF'FFFFu);
    EXPECT_GE(limits.max_initiator_depth, limits.max_receive_depth);
    EXPECT_GE(limits.max_completion_depth, limits.max_receive_depth + limits.max_initiator_depth);
    EXPECT_LT(limits.max_completion_depth, 0xFFFF'FFFFu);
    EXPECT_GE(limits.max_caller_data_bytes, 56u);
    EXPECT_GE(limits.max_callee_data_bytes, 148u);
}

TEST_P(Adapters, GiveAllMaximaTogetherAndSeveralTimes) {
    proves("ND2-ADP-LIM-02", "ND2-CLI-17", "ND2-CLI-112");
    auto adapter = driver().open_adapter();
    const Limits limits = adapter->limits();
    const QueuePairOptions most{.receive_depth = limits.max_receive_depth,
                                .initiator_depth = limits.max_initiator_depth,
                                .receive_sge = limits.max_receive_sge,
                                .initiator_sge = limits.max_initiator_sge,
                                .inline_bytes = limits.max_inline_bytes};
    std::vector<std::unique_ptr<CompletionQueue>> queues;
    std::vector<std::unique_ptr<QueuePair>> pairs;
    for (int i = 0; i < 4; ++i) {
        queues.push_back(adapter->create_completion_queue(limits.max_completion_depth));
        queues.push_back(adapter->create_completion_queue(limits.max_completion_depth));
        pairs.push_back(adapter->create_queue_pair(*queues[queues.size() - 2], *queues.back(), most));
        EXPECT_EQ(pairs.back()->receive(1, {}), Outcome::success);
    }
}

TEST_P(Adapters, TakeEveryReceiveOfTheMaximumDepth) {
    provokes("CHECK-DEPTH");
    proves("ND2-ADP-LIM-02", "ND2-QP-POST-06");
    Endpoint probe(driver(), {});
    const std::uint32_t depth = probe.adapter->limits().max_receive_depth;
    Endpoint end(driver(), EndpointOptions{.queue_pair = {.receive_depth = depth}, .completion_depth = depth});
    for (Tag tag = 0; tag < depth; ++tag) ASSERT_EQ(end.receive(tag), Outcome::success);
    EXPECT_EQ(end.receive(depth), Outcome::no_more_entries);
    ASSERT_EQ(end.queue_pair->flush(), Outcome::success);
    EXPECT_EQ(next(*end.received, depth).size(), depth);
}

TEST_P(Adapters, ReleasedFirstLeaveTheirObjectsWorking) {
    proves("ND2-ADP-REL-01", "ND2-COM-08");
    ConnectedPair pair(driver());
    pair.a.adapter.reset();
    pair.b.adapter.reset();
    ASSERT_EQ(pair.b.receive(1, 0, 64), Outcome::success);
    ASSERT_EQ(pair.a.send(2, 0, 64), Outcome::success);
    EXPECT_TRUE(reports_received(*pair.b.received, 1, 64));
}

INSTANTIATE_TEST_SUITE_P(, Adapters, testing::ValuesIn(every_variant()), variant_name);

}  // namespace
}  // namespace opennd::conformance
