// SPDX-License-Identifier: MIT
//
// Ordering: the peer's view over time, the order of results, and the read fence. Requirements ND2-QP-POST-11, -12, -15,
// ND2-CQ-GET-04.
#include <thread>
#include <vector>

#include "conformance/vocabulary/fixture.h"
#include "conformance/vocabulary/sizes.h"
#include "support/tested_device.h"

namespace opennd::conformance {
namespace {

class OrderingData : public DataTest {};
class Ordering : public ConformanceTest {};

TEST_P(OrderingData, AWriteIsVisibleBeforeTheReceiveOfALaterSend) {
    proves("ND2-QP-POST-11", "ND2-QP-POST-15");
    for (std::size_t size : {std::size_t{1}, std::size_t{100}, std::size_t{20'000}, kMiB}) {
        auto pair = connected(kMiB + 64);
        const std::uint64_t rounds = size == kMiB ? 10 : 200;
        for (std::uint64_t round = 0; round < rounds; ++round) {
            SCOPED_TRACE(testing::Message() << size << " bytes, round " << round);
            fill_pattern(pair.a.bytes(0, size), round);
            ASSERT_EQ(pair.b.receive(1), Outcome::success);
            ASSERT_EQ(pair.a.write(2, 0, size, pair.b.remote(), kSilent), Outcome::success);
            ASSERT_EQ(pair.a.send(3), Outcome::success);
            ASSERT_TRUE(reports_received(*pair.b.received, 1, 0));
            ASSERT_TRUE(has_pattern(pair.b.bytes(0, size), round));
            ASSERT_TRUE(reports(*pair.a.initiated, RequestKind::send, 3, Outcome::success));
        }
    }
}

TEST_P(OrderingData, AWriteIsNotPlacedBeforeAMessageThatStillWaits) {
    if (const char* const why = support::lacks(support::Ability::late_receives)) GTEST_SKIP() << why;
    provokes("CHECK-NO-RECEIVE", "CHECK-RECEIVE-LATE");
    proves("ND2-QP-POST-11");
    for (const std::size_t size : {std::size_t{8}, std::size_t{20'000}}) {
        SCOPED_TRACE(size);
        auto pair = connected(kMiB);
        fill_pattern(pair.a.bytes(0, size), 5);
        fill_with(pair.b.bytes(0, size), std::byte{0xEE});
        const Remote there = pair.b.remote();
        ASSERT_EQ(pair.a.send(1, kMiB / 2, 64), Outcome::success);  // there is no receive
        ASSERT_EQ(pair.a.write(2, 0, size, there), Outcome::success);
        const ConnectedPair others(driver());  // takes longer than a Write
        ASSERT_TRUE(pair.b.received->poll(1).empty());
        EXPECT_TRUE(is_filled_with(pair.b.bytes(0, size), std::byte{0xEE}));
        ASSERT_EQ(pair.b.receive(3, kMiB / 2, 64), Outcome::success);
        EXPECT_TRUE(reports_received(*pair.b.received, 3, 64));
        EXPECT_TRUE(reports_exactly(*pair.a.initiated, {1, 2}, Outcome::success));
        EXPECT_TRUE(has_pattern(pair.b.bytes(0, size), 5));
    }
}

TEST_P(OrderingData, LaterWritesOverwriteEarlierOnes) {
    proves("ND2-QP-POST-11");
    constexpr std::size_t kWritten = 128 * 1024;
    auto pair = connected(kWritten + 64);
    for (std::uint64_t i = 0; i < 8; ++i) fill_pattern(pair.a.bytes(i * 16'384, 16'384), i);
    for (std::size_t round = 0; round < 50; ++round) {
        for (Tag i = 0; i < 8; ++i) {
            const std::size_t size = 16'384 >> ((i + round) % 4);
            ASSERT_EQ(pair.a.write(i, i * 16'384, size, pair.b.remote()), Outcome::success);
        }
        ASSERT_EQ(pair.a.write(8, 7 * 16'384, 16'384, pair.b.remote()), Outcome::success);
        ASSERT_TRUE(reports_exactly(*pair.a.initiated, {0, 1, 2, 3, 4, 5, 6, 7, 8}, Outcome::success));
        if (support::lacks(support::Ability::tells_refusals)) {  // nor that a Write was placed: a Read behind it does
            ASSERT_EQ(pair.a.read(9, kWritten, 64, pair.b.remote(kWritten)), Outcome::success);
            ASSERT_TRUE(reports_exactly(*pair.a.initiated, {9}, Outcome::success));
        }
        ASSERT_TRUE(has_pattern(pair.b.bytes(0, 16'384), 7));
    }
}

TEST_P(OrderingData, AFencedWriteWaitsForTheReadsBeforeIt) {
    proves("ND2-QP-POST-12", "NDK-QP-FLAG-02");
    auto pair = connected(4 * kMiB);
    constexpr std::size_t kSize = 2 * kMiB;
    fill_pattern(pair.a.bytes(kSize, kSize), 99);
    for (std::uint64_t round = 0; round < 8; ++round) {
        fill_pattern(pair.b.bytes(0, kSize), round);
        ASSERT_EQ(pair.a.read(1, 0, kSize, pair.b.remote()), Outcome::success);
        ASSERT_EQ(pair.a.write(2, kSize, kSize, pair.b.remote(), kReadFence), Outcome::success);
        ASSERT_TRUE(reports_exactly(*pair.a.initiated, {1, 2}, Outcome::success));
        ASSERT_TRUE(has_pattern(pair.a.bytes(0, kSize), round)) << "the Read saw data of the fenced Write";
        ASSERT_TRUE(has_pattern(pair.b.bytes(0, kSize), 99));
    }
}

TEST_P(OrderingData, AFencedSendWaitsForTheReadsBeforeIt) {
    proves("ND2-QP-POST-12", "ND2-CLI-68");
    auto pair = connected(2 * kMiB);
    for (std::uint64_t round = 0; round < 8; ++round) {
        fill_pattern(pair.b.memory.bytes(), round);
        ASSERT_EQ(pair.b.receive(1), Outcome::success);
        ASSERT_EQ(pair.a.read(2, 0, 2 * kMiB, pair.b.remote()), Outcome::success);
        ASSERT_EQ(pair.a.send(3, 0, 0, kReadFence), Outcome::success);
        ASSERT_TRUE(reports_received(*pair.b.received, 1, 0));
        fill_with(pair.b.memory.bytes(), std::byte{0});  // the peer reuses its buffer, as such a message allows
        ASSERT_TRUE(reports_exactly(*pair.a.initiated, {2, 3}, Outcome::success));
        ASSERT_TRUE(has_pattern(pair.a.memory.bytes(), round));
    }
}

TEST_P(OrderingData, AReadSeesTheWritesBeforeIt) {
    proves("ND2-QP-POST-11");
    auto pair = connected(kMiB);
    for (std::uint64_t round = 0; round < 50; ++round) {
        fill_pattern(pair.a.bytes(0, 5000), round);
        ASSERT_EQ(pair.a.write(1, 0, 5000, pair.b.remote(), kSilent), Outcome::success);
        ASSERT_EQ(pair.a.read(2, 8192, 5000, pair.b.remote()), Outcome::success);
        ASSERT_TRUE(reports_exactly(*pair.a.initiated, {2}, Outcome::success));
        ASSERT_TRUE(has_pattern(pair.a.bytes(8192, 5000), round));
    }
}

TEST_P(Ordering, ResultsOfMixedRequestsComeInPostingOrder) {
    provokes("CHECK-BUFFER-IN-USE");
    proves("ND2-CQ-GET-04");
    ConnectedPair pair(driver());
    for (Tag round = 0; round < 100; ++round) {
        ASSERT_EQ(pair.b.receive(0, 0, 64), Outcome::success);
        ASSERT_EQ(pair.b.receive(1, 0, 64), Outcome::success);
        ASSERT_EQ(pair.a.read(0, 0, 30'000, pair.b.remote()), Outcome::success);
        ASSERT_EQ(pair.a.send(1, 0, 64), Outcome::success);
        ASSERT_EQ(pair.a.write(2, 40'000, 8, pair.b.remote(40'000)), Outcome::success);
        ASSERT_EQ(pair.a.read(3, 30'000, 8, pair.b.remote()), Outcome::success);
        ASSERT_EQ(pair.a.send(4), Outcome::success);
        ASSERT_TRUE(reports_exactly(*pair.a.initiated, {0, 1, 2, 3, 4}, Outcome::success));
        ASSERT_TRUE(reports_received(*pair.b.received, 0, 64));
        ASSERT_TRUE(reports_received(*pair.b.received, 1, 0));
    }
}

TEST_P(Ordering, ConcurrentPostersEachKeepTheirOrderAndLoseNothing) {
    proves("ND2-QP-POST-11", "ND2-CQ-GET-04");
    constexpr std::uint32_t kThreads = 3, kEach = 200, kAll = kThreads * kEach;
    ConnectedPair pair(driver(), EndpointOptions{.queue_pair = {.receive_depth = kAll, .initiator_depth = kAll},
                                                 .completion_depth = kAll});
    for (Tag tag = 0; tag < kAll; ++tag) ASSERT_EQ(pair.b.receive(tag), Outcome::success);
    std::vector<std::thread> posters;
    for (Tag thread = 0; thread < kThreads; ++thread) {
        posters.emplace_back([&pair, thread] {
            for (Tag i = 0; i < kEach; ++i) EXPECT_EQ(pair.a.send(thread * 1000 + i), Outcome::success);
        });
    }
    for (auto& poster : posters) poster.join();
    std::vector<Tag> expected(kThreads, 0);
    for (const Completion& sent : next(*pair.a.initiated, kAll)) {
        ASSERT_EQ(sent.outcome, Outcome::success);
        const Tag thread = sent.request / 1000;
        ASSERT_LT(thread, kThreads);
        ASSERT_EQ(sent.request % 1000, expected[thread]++);
    }
    EXPECT_EQ(next(*pair.b.received, kAll).size(), kAll);
}

// All three lie at the peer when it posts the receive that the first one waits for.
TEST_P(Ordering, ABadRequestLeavesTheGoodOnesBeforeItAlone) {
    if (const char* const why = support::lacks(support::Ability::late_receives)) GTEST_SKIP() << why;
    provokes("CHECK-NO-RECEIVE", "CHECK-RECEIVE-LATE");
    proves("IW-ERR-19", "IW-ERR-20", "ND2-QP-ERR-01", "ND2-QP-ERR-02");
    ConnectedPair pair(driver());
    fill_pattern(pair.b.bytes(1024, 512), 7);
    Remote stray = pair.b.remote();
    stray.token += 1;
    ASSERT_EQ(pair.a.send(1, 0, 64), Outcome::success);
    ASSERT_EQ(pair.a.read(2, 1024, 512, pair.b.remote(1024)), Outcome::success);
    ASSERT_EQ(pair.a.write(3, 0, 64, stray), Outcome::success);
    ASSERT_TRUE(pair.a.initiated->poll(1).empty());
    let_news_arrive();
    ASSERT_EQ(pair.b.receive(4, 0, 64), Outcome::success);
    EXPECT_TRUE(reports(*pair.a.initiated, RequestKind::send, 1, Outcome::success));
    EXPECT_TRUE(reports(*pair.a.initiated, RequestKind::read, 2, Outcome::success));
    EXPECT_TRUE(reports(*pair.a.initiated, RequestKind::write, 3, Outcome::access_violation));
    EXPECT_TRUE(has_pattern(pair.a.bytes(1024, 512), 7));
    EXPECT_TRUE(reports_received(*pair.b.received, 4, 64));
}

INSTANTIATE_TEST_SUITE_P(, OrderingData, every_data_variant(), data_variant_name);
INSTANTIATE_TEST_SUITE_P(, Ordering, testing::ValuesIn(every_variant()), variant_name);

}  // namespace
}  // namespace opennd::conformance
