// SPDX-License-Identifier: MIT
//
// RDMA Write: placement, visibility, silence at the target. Requirements ND2-QP-RDMA-* and ND2-QP-WRITE-*; refusals are
// in protection_test.cpp.
#include <array>
#include <atomic>
#include <cstring>
#include <thread>

#include "conformance/vocabulary/fixture.h"
#include "conformance/vocabulary/last_byte.h"
#include "conformance/vocabulary/sizes.h"

namespace opennd::conformance {
namespace {

class RdmaWrite : public ConformanceTest {};
class RdmaWriteData : public DataTest {};

TEST_P(RdmaWriteData, PlacesEveryByteOfEverySizeAndNoOther) {
    proves("ND2-QP-RDMA-01", "ND2-QP-WRITE-02", "ND2-MR-TOK-02");
    constexpr std::size_t kMargin = 32;
    auto pair = connected(kLargestMessage + 2 * kMargin);
    for (std::size_t size : kMessageSizes) {
        SCOPED_TRACE(size);
        fill_pattern(pair.a.bytes(0, size), size);
        fill_with(pair.b.bytes(0, size + 2 * kMargin), std::byte{0xEE});
        ASSERT_EQ(pair.a.write(size + 1, 0, size, pair.b.remote(kMargin)), Outcome::success);
        ASSERT_TRUE(reports(*pair.a.initiated, RequestKind::write, size + 1, Outcome::success));
        ASSERT_TRUE(is_filled_with(pair.b.bytes(0, kMargin), std::byte{0xEE})) << "before the target range";
        ASSERT_TRUE(has_pattern(pair.b.bytes(kMargin, size), size));
        ASSERT_TRUE(is_filled_with(pair.b.bytes(kMargin + size, kMargin), std::byte{0xEE})) << "after the target range";
    }
}

TEST_P(RdmaWriteData, MovesManyMegabytesInOneRequest) {
    proves("ND2-QP-RDMA-01", "ND2-CLI-42");
    const std::size_t bytes =
        std::min<std::size_t>(kLargeTransfer, driver().open_adapter()->limits().max_transfer_bytes);
    auto pair = connected(bytes);
    fill_pattern(pair.a.memory.bytes(), 11);
    ASSERT_EQ(pair.a.write(1, 0, bytes, pair.b.remote()), Outcome::success);
    ASSERT_TRUE(reports(*pair.a.initiated, RequestKind::write, 1, Outcome::success));
    EXPECT_TRUE(has_pattern(pair.b.memory.bytes(), 11));
}

TEST_P(RdmaWriteData, GathersFromSeveralPieces) {
    proves("ND2-QP-RDMA-01");
    auto pair = connected(kMiB);
    fill_pattern(pair.a.bytes(0, 300'000), 4);
    const std::array from{pair.a.piece(0, 17), pair.a.piece(17, 0), pair.a.piece(17, 200'000),
                          pair.a.piece(200'017, 99'983)};
    ASSERT_EQ(pair.a.queue_pair->write(1, from, pair.b.remote(77), kNoFlags), Outcome::success);
    ASSERT_TRUE(reports(*pair.a.initiated, RequestKind::write, 1, Outcome::success));
    EXPECT_TRUE(has_pattern(pair.b.bytes(77, 300'000), 4));
}

TEST_P(RdmaWriteData, MakesTheLastByteVisibleLast) {
    proves("ND2-ADP-LIM-04", "ND2-QP-POST-14", "ND2-CLI-52", "IW-RDMAP-38");
    auto pair = connected(64 * 1024);
    if (!pair.b.adapter->limits().in_order_dma) GTEST_SKIP() << "the adapter does not declare in-order DMA";
    const Remote there = pair.b.remote();
    for (std::size_t size :
         {std::size_t{9}, std::size_t{64}, std::size_t{1000}, std::size_t{4096}, std::size_t{65536}}) {
        for (std::uint64_t round = 0; round < 50; ++round) {
            SCOPED_TRACE(testing::Message() << size << " bytes, round " << round);
            fill_pattern(pair.a.bytes(0, size), round);
            pair.a.memory.data()[size - 1] = std::byte{0x5A};
            fill_with(pair.b.bytes(0, size), std::byte{0});
            testing::AssertionResult earlier_bytes = testing::AssertionFailure() << "the last byte never came";
            std::thread target([&] {
                const bool came = wait_until([&] { return last_byte(pair.b.memory.data() + size) == std::byte{0x5A}; });
                if (came) earlier_bytes = has_pattern(pair.b.bytes(0, size - 1), round);
            });
            const Outcome posted = pair.a.write(1, 0, size, there);
            target.join();
            ASSERT_EQ(posted, Outcome::success);
            ASSERT_TRUE(earlier_bytes);
            ASSERT_TRUE(reports(*pair.a.initiated, RequestKind::write, 1, Outcome::success));
        }
    }
}

TEST_P(RdmaWrite, CompletesWithoutAnyCallOfTheTarget) {
    proves("ND2-QP-RDMA-01", "ND2-QP-WRITE-03", "ND2-CQ-NTF-09");
    ConnectedPair pair(driver());
    const Operation notified = pair.b.received->notify(NotifyType::any);
    for (Tag tag = 0; tag < 100; ++tag) {
        ASSERT_EQ(pair.a.write(tag, 0, 64, pair.b.remote(tag * 64)), Outcome::success);
        ASSERT_TRUE(reports(*pair.a.initiated, RequestKind::write, tag, Outcome::success));
    }
    EXPECT_TRUE(pair.b.received->poll(1).empty()) << "a Write gives the target no result";
    EXPECT_TRUE(pair.b.initiated->poll(1).empty()) << "a Write gives the target no result";
    EXPECT_EQ(notified.now(), Outcome::pending) << "a Write gives the target no notification";
}

TEST_P(RdmaWrite, ConsumesNoReceive) {
    proves("ND2-QP-WRITE-03");
    ConnectedPair pair(driver());
    ASSERT_EQ(pair.b.receive(1, 0, 8), Outcome::success);
    ASSERT_EQ(pair.a.write(2, 0, 100, pair.b.remote(1000)), Outcome::success);
    ASSERT_EQ(pair.a.send(3, 0, 8), Outcome::success);
    EXPECT_TRUE(reports_received(*pair.b.received, 1, 8));
}

TEST_P(RdmaWrite, OfNoBytesSucceedsWithAnyAddressAndToken) {
    proves("ND2-QP-RDMA-02");
    ConnectedPair pair(driver());
    ASSERT_EQ(pair.a.queue_pair->write(1, {}, {0xDEAD'BEEF'0000, 0xFFFF'FFFF}, kNoFlags), Outcome::success);
    EXPECT_TRUE(reports(*pair.a.initiated, RequestKind::write, 1, Outcome::success));
    ASSERT_EQ(pair.a.queue_pair->write(2, {}, {0, 0}, kNoFlags), Outcome::success);
    EXPECT_TRUE(reports(*pair.a.initiated, RequestKind::write, 2, Outcome::success));
}

TEST_P(RdmaWrite, InlineNeedsNoRegistrationAndFreesTheBufferAtOnce) {
    proves("ND2-QP-WRITE-01", "ND2-QP-POST-02", "ND2-QP-POST-10");
    ConnectedPair pair(driver(), EndpointOptions{.queue_pair = {.inline_bytes = 64}});
    std::array<std::byte, 64> local{};
    fill_pattern(local, 2);
    const std::array sge{Sge{local.data(), 64, 0xBAD}};
    ASSERT_EQ(pair.a.queue_pair->write(1, sge, pair.b.remote(), kInline), Outcome::success);
    fill_with(local, std::byte{0});
    ASSERT_TRUE(reports(*pair.a.initiated, RequestKind::write, 1, Outcome::success));
    EXPECT_TRUE(has_pattern(pair.b.bytes(0, 64), 2));
}

INSTANTIATE_TEST_SUITE_P(, RdmaWrite, testing::ValuesIn(every_variant()), variant_name);
INSTANTIATE_TEST_SUITE_P(, RdmaWriteData, every_data_variant(), data_variant_name);

}  // namespace
}  // namespace opennd::conformance
