// SPDX-License-Identifier: MIT
//
// Completion queues without notification: the results of GetResults. Requirements ND2-CQ-GET-*, ND2-CQ-OVR-02,
// ND2-ADP-QP-03.
#include <atomic>
#include <thread>
#include <vector>

#include "conformance/vocabulary/fixture.h"

namespace opennd::conformance {
namespace {

class CompletionQueues : public ConformanceTest {};

TEST_P(CompletionQueues, GiveTheOldestResultsAndNoMoreThanAskedFor) {
    proves("ND2-CQ-GET-01");
    Endpoint end(driver(), {});
    for (Tag tag = 0; tag < 7; ++tag) ASSERT_EQ(end.receive(tag), Outcome::success);
    ASSERT_EQ(end.queue_pair->flush(), Outcome::success);
    const auto first = end.received->poll(3);
    ASSERT_EQ(first.size(), 3u);
    for (Tag tag = 0; tag < 3; ++tag) EXPECT_EQ(first[tag].request, tag);
    const auto rest = end.received->poll(100);
    ASSERT_EQ(rest.size(), 4u) << "less than asked for only if the queue is then empty";
    for (Tag tag = 0; tag < 4; ++tag) EXPECT_EQ(rest[tag].request, tag + 3);
    EXPECT_TRUE(end.received->poll(1).empty());
}

TEST_P(CompletionQueues, NameTheKindOfEachRequest) {
    provokes("CHECK-BUFFER-IN-USE");
    proves("ND2-CQ-GET-03");
    ConnectedPair pair(driver(), EndpointOptions{.queue_pair = {.context = 77}});
    ASSERT_EQ(pair.b.receive(1, 0, 8), Outcome::success);
    ASSERT_EQ(pair.a.send(2, 0, 8), Outcome::success);
    ASSERT_EQ(pair.a.read(3, 0, 8, pair.b.remote()), Outcome::success);
    ASSERT_EQ(pair.a.write(4, 0, 8, pair.b.remote()), Outcome::success);
    EXPECT_EQ(next(*pair.b.received), (Completion{Outcome::success, 8, 77, 1, RequestKind::receive}));
    EXPECT_EQ(next(*pair.a.initiated), (Completion{Outcome::success, 0, 77, 2, RequestKind::send}));
    EXPECT_EQ(next(*pair.a.initiated), (Completion{Outcome::success, 0, 77, 3, RequestKind::read}));
    EXPECT_EQ(next(*pair.a.initiated), (Completion{Outcome::success, 0, 77, 4, RequestKind::write}));
}

TEST_P(CompletionQueues, ReportNoBytesForAFlushedReceive) {
    proves("ND2-CQ-GET-03");
    Endpoint end(driver(), {});
    ASSERT_EQ(end.receive(1, 0, 64), Outcome::success);
    ASSERT_EQ(end.queue_pair->flush(), Outcome::success);
    EXPECT_EQ(next(*end.received), (Completion{Outcome::canceled, 0, 0, 1, RequestKind::receive}));
}

TEST_P(CompletionQueues, ServeBothQueuesOfManyQueuePairs) {
    proves("ND2-ADP-QP-03", "ND2-ADP-QP-07");
    auto adapter = driver().open_adapter();
    auto queue = adapter->create_completion_queue(64);
    std::vector<std::unique_ptr<QueuePair>> pairs;
    for (Tag context = 1; context <= 5; ++context) {
        pairs.push_back(adapter->create_queue_pair(*queue, *queue, {.context = context}));
        ASSERT_EQ(pairs.back()->receive(context * 10, {}), Outcome::success);
    }
    for (auto& pair : pairs) ASSERT_EQ(pair->flush(), Outcome::success);
    for (Tag context = 1; context <= 5; ++context) {
        EXPECT_EQ(next(*queue), (Completion{Outcome::canceled, 0, context, context * 10, RequestKind::receive}));
    }
}

TEST_P(CompletionQueues, KeepResultsOfAReleasedQueuePair) {
    proves("ND2-CQ-GET-05", "ND2-AMB-37");
    Endpoint end(driver(), EndpointOptions{.queue_pair = {.context = 55}});
    ASSERT_EQ(end.receive(1), Outcome::success);
    ASSERT_EQ(end.receive(2), Outcome::success);
    ASSERT_EQ(end.queue_pair->flush(), Outcome::success);
    end.queue_pair.reset();
    EXPECT_EQ(next(*end.received), (Completion{Outcome::canceled, 0, 55, 1, RequestKind::receive}));
    EXPECT_EQ(next(*end.received), (Completion{Outcome::canceled, 0, 55, 2, RequestKind::receive}));
}

TEST_P(CompletionQueues, ShallowerThanTheirQueuePairsLoseNothing) {
    provokes("CHECK-DEPTH");
    proves("ND2-CQ-OVR-02", "ND2-ADP-QP-06", "ND2-AMB-15", "ND2-CLI-01");
    ConnectedPair pair(
        driver(), EndpointOptions{.queue_pair = {.receive_depth = 64, .initiator_depth = 64}, .completion_depth = 2});
    for (Tag tag = 0; tag < 64; ++tag) ASSERT_EQ(pair.b.receive(tag), Outcome::success);
    for (Tag tag = 0; tag < 64; ++tag) ASSERT_EQ(pair.a.send(tag), Outcome::success);
    EXPECT_EQ(next(*pair.a.initiated, 64).size(), 64u);
    const auto received = next(*pair.b.received, 64);
    for (Tag tag = 0; tag < received.size(); ++tag) {
        EXPECT_EQ(received[tag].request, tag);
        EXPECT_EQ(received[tag].outcome, Outcome::success);
    }
}

TEST_P(CompletionQueues, GiveFlushedResultsBeyondTheirDepth) {
    provokes("CHECK-DEPTH");
    proves("ND2-CQ-OVR-04");
    Endpoint end(driver(), EndpointOptions{.queue_pair = {.receive_depth = 100}, .completion_depth = 1});
    for (Tag tag = 0; tag < 100; ++tag) ASSERT_EQ(end.receive(tag), Outcome::success);
    ASSERT_EQ(end.queue_pair->flush(), Outcome::success);
    EXPECT_EQ(end.received->poll(200).size(), 100u);
}

TEST_P(CompletionQueues, GiveEachResultToOneOfTheirCallers) {
    proves("ND2-CQ-GET-07");
    constexpr std::uint32_t kCount = 2000;
    Endpoint end(driver(), EndpointOptions{.queue_pair = {.receive_depth = kCount}, .completion_depth = kCount});
    for (Tag tag = 0; tag < kCount; ++tag) ASSERT_EQ(end.receive(tag), Outcome::success);
    ASSERT_EQ(end.queue_pair->flush(), Outcome::success);
    std::vector<std::atomic<int>> seen(kCount);
    std::atomic<bool> in_order = true;
    std::vector<std::thread> callers;
    for (int caller = 0; caller < 3; ++caller) {
        callers.emplace_back([&] {
            Tag last = 0;
            for (auto results = end.received->poll(7); !results.empty(); results = end.received->poll(7)) {
                for (const Completion& result : results) {
                    if (result.request < last) in_order = false;
                    last = result.request;
                    ++seen[result.request];
                }
            }
        });
    }
    for (auto& caller : callers) caller.join();
    EXPECT_TRUE(in_order) << "one caller sees results in order";
    for (Tag tag = 0; tag < kCount; ++tag) ASSERT_EQ(seen[tag], 1) << "result " << tag;
}

TEST_P(CompletionQueues, ReleasedFirstLeaveTheirQueuePairsWorking) {
    proves("ND2-CQ-REL-01", "ND2-COM-08");
    ConnectedPair pair(driver());
    pair.a.initiated.reset();
    pair.a.received.reset();
    fill_pattern(pair.a.bytes(0, 100), 5);
    ASSERT_EQ(pair.b.receive(1, 0, 100), Outcome::success);
    ASSERT_EQ(pair.a.send(2, 0, 100), Outcome::success);
    EXPECT_TRUE(reports_received(*pair.b.received, 1, 100));
    EXPECT_TRUE(has_pattern(pair.b.bytes(0, 100), 5));
}

INSTANTIATE_TEST_SUITE_P(, CompletionQueues, testing::ValuesIn(every_variant()), variant_name);

}  // namespace
}  // namespace opennd::conformance
