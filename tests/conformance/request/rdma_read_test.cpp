// SPDX-License-Identifier: MIT
//
// RDMA Read: sources, sinks, and the number in flight. Requirements ND2-QP-RDMA-* and ND2-QP-READ-*; refusals are in
// protection_test.cpp.
#include <array>
#include <vector>

#include "conformance/vocabulary/fixture.h"
#include "conformance/vocabulary/sizes.h"

namespace opennd::conformance {
namespace {

class RdmaRead : public ConformanceTest {};
class RdmaReadData : public DataTest {};

TEST_P(RdmaReadData, FetchesEveryByteOfEverySizeAndNoOther) {
    proves("ND2-QP-RDMA-01", "ND2-QP-READ-04", "ND2-QP-POST-15");
    constexpr std::size_t kMargin = 32;
    auto pair = connected(kLargestMessage + 2 * kMargin);
    for (std::size_t size : kMessageSizes) {
        SCOPED_TRACE(size);
        fill_pattern(pair.b.bytes(3, size), size);
        fill_with(pair.a.bytes(0, size + 2 * kMargin), std::byte{0xEE});
        ASSERT_EQ(pair.a.read(size + 1, kMargin, size, pair.b.remote(3)), Outcome::success);
        ASSERT_TRUE(reports(*pair.a.initiated, RequestKind::read, size + 1, Outcome::success));
        ASSERT_TRUE(is_filled_with(pair.a.bytes(0, kMargin), std::byte{0xEE})) << "before the sink";
        ASSERT_TRUE(has_pattern(pair.a.bytes(kMargin, size), size));
        ASSERT_TRUE(is_filled_with(pair.a.bytes(kMargin + size, kMargin), std::byte{0xEE})) << "after the sink";
    }
}

TEST_P(RdmaReadData, MovesManyMegabytesInOneRequest) {
    proves("ND2-QP-RDMA-01", "ND2-CLI-42");
    const std::size_t bytes =
        std::min<std::size_t>(kLargeTransfer, driver().open_adapter()->limits().max_transfer_bytes);
    auto pair = connected(bytes);
    fill_pattern(pair.b.memory.bytes(), 12);
    ASSERT_EQ(pair.a.read(1, 0, bytes, pair.b.remote()), Outcome::success);
    ASSERT_TRUE(reports(*pair.a.initiated, RequestKind::read, 1, Outcome::success));
    EXPECT_TRUE(has_pattern(pair.a.memory.bytes(), 12));
}

// Each side's answers lie behind its own question, and both are longer than a connection holds.
TEST_P(RdmaReadData, OfBothSidesAtOnceAreAnswered) {
    proves("ND2-QP-RDMA-01", "ND2-QP-POST-11");
    constexpr std::size_t kBytes = 4 * kMiB;
    auto pair = connected(2 * kBytes);
    fill_pattern(pair.a.bytes(kBytes, kBytes), 1);
    fill_pattern(pair.b.bytes(kBytes, kBytes), 2);
    ASSERT_EQ(pair.a.read(1, 0, kBytes, pair.b.remote(kBytes)), Outcome::success);
    ASSERT_EQ(pair.b.read(2, 0, kBytes, pair.a.remote(kBytes)), Outcome::success);
    std::vector<Completion> of_a, of_b;
    const auto take = [](std::vector<Completion>& all, Endpoint& side) {
        for (const Completion& each : side.initiated->poll(1)) all.push_back(each);
    };
    EXPECT_TRUE(wait_until([&] {
        take(of_a, pair.a);
        take(of_b, pair.b);
        return !of_a.empty() && !of_b.empty();
    }));
    ASSERT_EQ(of_a.size(), 1u);
    ASSERT_EQ(of_b.size(), 1u);
    EXPECT_EQ(of_a[0].outcome, Outcome::success);
    EXPECT_EQ(of_b[0].outcome, Outcome::success);
    EXPECT_TRUE(has_pattern(pair.a.bytes(0, kBytes), 2));
    EXPECT_TRUE(has_pattern(pair.b.bytes(0, kBytes), 1));
}

// More messages behind each question than a connection holds.
TEST_P(RdmaReadData, OfBothSidesInFrontOfManySendsAreAnswered) {
    proves("ND2-QP-RDMA-01", "ND2-QP-POST-11");
    constexpr Tag kSends = 100;
    EndpointOptions options;
    options.queue_pair.receive_depth = options.queue_pair.initiator_depth = kSends + 1;
    options.completion_depth = 2 * kSends + 2;
    auto pair = connected(64 * 1024, options);
    for (Endpoint* side : {&pair.a, &pair.b})
        for (Tag tag = 0; tag < kSends; ++tag) ASSERT_EQ(side->receive(tag, 0, 0), Outcome::success);
    ASSERT_EQ(pair.a.read(kSends, 0, 32 * 1024, pair.b.remote(32 * 1024)), Outcome::success);
    ASSERT_EQ(pair.b.read(kSends, 0, 32 * 1024, pair.a.remote(32 * 1024)), Outcome::success);
    // A face may take fewer requests than it was asked for.
    const auto send_many = [](Endpoint& side) {
        Tag sent = 0;
        while (sent < kSends && side.send(sent) == Outcome::success) ++sent;
        return sent;
    };
    const Tag sent_by_a = send_many(pair.a), sent_by_b = send_many(pair.b);
    std::size_t of_a = 0, of_b = 0;
    EXPECT_TRUE(wait_until([&] {
        of_a += pair.a.initiated->poll(16).size();
        of_b += pair.b.initiated->poll(16).size();
        (void)pair.a.received->poll(16);
        (void)pair.b.received->poll(16);
        return of_a == sent_by_a + 1 && of_b == sent_by_b + 1;
    })) << of_a
        << " of " << sent_by_a + 1 << " and " << of_b << " of " << sent_by_b + 1;
}

TEST_P(RdmaReadData, ScattersIntoSeveralPieces) {
    proves("ND2-QP-READ-01");
    if (driver().open_adapter()->limits().max_read_sge < 4)
        GTEST_SKIP() << "a Read has fewer entries here (MaxReadSge)";
    auto pair = connected(kMiB);
    fill_pattern(pair.b.bytes(0, 300'000), 4);
    const std::array into{pair.a.piece(500'000, 17), pair.a.piece(17, 0), pair.a.piece(0, 200'000),
                          pair.a.piece(300'000, 99'983)};
    ASSERT_EQ(pair.a.queue_pair->read(1, into, pair.b.remote(), kNoFlags), Outcome::success);
    ASSERT_TRUE(reports(*pair.a.initiated, RequestKind::read, 1, Outcome::success));
    EXPECT_TRUE(has_pattern(pair.a.bytes(500'000, 17), 4, 0));
    EXPECT_TRUE(has_pattern(pair.a.bytes(0, 200'000), 4, 17));
    EXPECT_TRUE(has_pattern(pair.a.bytes(300'000, 99'983), 4, 200'017));
}

TEST_P(RdmaRead, CompletesWithoutAnyCallOfTheTarget) {
    proves("ND2-QP-RDMA-01", "ND2-QP-WRITE-03");
    ConnectedPair pair(driver());
    const Operation notified = pair.b.received->notify(NotifyType::any);
    for (Tag tag = 0; tag < 100; ++tag) {
        ASSERT_EQ(pair.a.read(tag, 0, 64, pair.b.remote(tag * 64)), Outcome::success);
        ASSERT_TRUE(reports(*pair.a.initiated, RequestKind::read, tag, Outcome::success));
    }
    EXPECT_TRUE(pair.b.received->poll(1).empty()) << "a Read gives the target no result";
    EXPECT_TRUE(pair.b.initiated->poll(1).empty()) << "a Read gives the target no result";
    EXPECT_EQ(notified.now(), Outcome::pending) << "a Read gives the target no notification";
}

TEST_P(RdmaRead, OfNoBytesSucceedsWithAnyAddressAndToken) {
    proves("ND2-QP-RDMA-02");
    ConnectedPair pair(driver());
    ASSERT_EQ(pair.a.queue_pair->read(1, {}, {0xDEAD'BEEF'0000, 0xFFFF'FFFF}, kNoFlags), Outcome::success);
    EXPECT_TRUE(reports(*pair.a.initiated, RequestKind::read, 1, Outcome::success));
}

TEST_P(RdmaRead, PlacesIntoARegionThatIsAReadSinkAlone) {
    proves("ND2-MR-REG-03");
    ConnectedPair pair(driver());
    fill_pattern(pair.b.bytes(0, 4096), 6);
    auto sink = registered(*pair.a.adapter, pair.a.memory.data(), 4096, kReadSink);
    const std::array into{Sge{pair.a.memory.data(), 4096, sink->local_token()}};
    ASSERT_EQ(pair.a.queue_pair->read(1, into, pair.b.remote(), kNoFlags), Outcome::success);
    ASSERT_TRUE(reports(*pair.a.initiated, RequestKind::read, 1, Outcome::success));
    EXPECT_TRUE(has_pattern(pair.a.bytes(0, 4096), 6));
}

TEST_P(RdmaRead, PlacesIntoARegionWithLocalWriteAlone) {
    proves("ND2-MR-REG-03", "ND2-QP-READ-01", "ND2-AMB-32");
    ConnectedPair pair(driver());
    fill_pattern(pair.b.bytes(0, 4096), 6);
    auto plain = registered(*pair.a.adapter, pair.a.memory.data(), 4096, kLocalWrite);
    const std::array into{Sge{pair.a.memory.data(), 4096, plain->local_token()}};
    ASSERT_EQ(pair.a.queue_pair->read(1, into, pair.b.remote(), kNoFlags), Outcome::success);
    ASSERT_TRUE(reports(*pair.a.initiated, RequestKind::read, 1, Outcome::success));
    EXPECT_TRUE(has_pattern(pair.a.bytes(0, 4096), 6));
}

TEST_P(RdmaRead, BeyondTheReadLimitWaitsItsTurn) {
    proves("ND2-QP-READ-02", "ND2-CLI-68");
    ConnectedPair pair(driver(), {}, {}, ReadLimits{.inbound = 1, .outbound = 1});
    fill_pattern(pair.b.bytes(0, 16 * 1024), 9);
    for (Tag tag = 0; tag < 16; ++tag) {
        ASSERT_EQ(pair.a.read(tag, tag * 1024, 1024, pair.b.remote(tag * 1024)), Outcome::success);
    }
    ASSERT_TRUE(
        reports_exactly(*pair.a.initiated, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, Outcome::success));
    EXPECT_TRUE(has_pattern(pair.a.bytes(0, 16 * 1024), 9));
}

TEST_P(RdmaRead, WithAReadLimitOfZeroIsAnInvalidRequest) {
    provokes("CHECK-READ-LIMIT");
    proves("ND2-QP-READ-03", "ND2-AMB-42");
    ConnectedPair pair(driver(), {}, {}, ReadLimits{.inbound = 0, .outbound = 0});
    const Operation lost = pair.b.connector->notify_disconnect();
    ASSERT_EQ(pair.a.read(1, 0, 8, pair.b.remote()), Outcome::success);
    EXPECT_TRUE(reports(*pair.a.initiated, RequestKind::read, 1, Outcome::invalid_request));
    EXPECT_EQ(lost.wait(), Outcome::success);
}

TEST_P(RdmaRead, IgnoresAStrayInlineFlag) {
    proves("ND2-QP-POST-09", "ND2-CLI-99", "ND2-AMB-40");
    ConnectedPair pair(driver());
    fill_pattern(pair.b.bytes(0, 1000), 1);
    ASSERT_EQ(pair.a.read(1, 0, 1000, pair.b.remote(), kInline | kSolicit), Outcome::success);
    ASSERT_TRUE(reports(*pair.a.initiated, RequestKind::read, 1, Outcome::success));
    EXPECT_TRUE(has_pattern(pair.a.bytes(0, 1000), 1));
}

INSTANTIATE_TEST_SUITE_P(, RdmaRead, testing::ValuesIn(every_variant()), variant_name);
INSTANTIATE_TEST_SUITE_P(, RdmaReadData, every_data_variant(), data_variant_name);

}  // namespace
}  // namespace opennd::conformance
