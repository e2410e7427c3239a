// SPDX-License-Identifier: MIT
//
// Protection: rights, bounds and tokens, at the target and at the requester. Every refusal must leave memory alone,
// name the reason and end the connection. Requirements ND2-QP-RDMA-03, -04, ND2-MR-REG-02, ND2-MR-TOK-*.
#include <array>
#include <optional>

#include "conformance/vocabulary/fixture.h"
#include "conformance/vocabulary/sizes.h"
#include "support/tested_device.h"

namespace opennd::conformance {
namespace {

class ProtectionData : public DataTest {
protected:
    // A pair with a target, b, that has a second region over the same memory with its own rights and bounds.
    ConnectedPair& with_target(std::size_t offset, std::size_t length, unsigned rights) {
        pair_.emplace(connected(kMiB));
        Endpoint& b = pair_->b;
        fill_with(b.memory.bytes(), std::byte{0xEE});
        target_ = registered(*b.adapter, b.memory.data() + offset, length, rights);
        lost_ = b.connector->notify_disconnect();
        return *pair_;
    }

    Remote target(const Endpoint& b, std::size_t offset) const {
        return {b.remote(offset).address, pair_->b.queue_pair->grant(*target_)};
    }

    // The requester's first request was refused, everything ended, and nothing at the target changed.
    void expect_refused(ConnectedPair& pair, RequestKind kind, Outcome outcome = Outcome::access_violation) {
        const bool is_told = !support::lacks(kind == RequestKind::read ? support::Ability::tells_refused_reads
                                                                       : support::Ability::tells_refusals);
        if (is_told || is_local_) {
            EXPECT_TRUE(reports(*pair.a.initiated, kind, 1, outcome));
        } else {
            const Outcome told = next(*pair.a.initiated).outcome;
            EXPECT_TRUE(told == Outcome::canceled || (told == Outcome::success && kind != RequestKind::read)) << told;
        }
        EXPECT_EQ(lost_.wait(), Outcome::success) << "the connection must end at the target too";
        ASSERT_EQ(pair.b.receive(9, 0, 64), Outcome::success);
        EXPECT_TRUE(are_flushed_with_the_peer(std::get<0>(GetParam()), pair.b, {9}));
    }

    std::optional<ConnectedPair> pair_;  // outlives target_, which lies on its memory
    std::unique_ptr<MemoryRegion> target_;
    Operation lost_{Outcome::unexpected};
    bool is_local_ = false;  // the fault lies in the requester's own memory
};

TEST_P(ProtectionData, RefusesAWriteWithoutRemoteWrite) {
    proves("ND2-QP-RDMA-03", "ND2-MR-REG-02", "ND2-AMB-06");
    auto& pair = with_target(0, 4096, kLocalWrite | kRemoteRead);
    ASSERT_EQ(pair.a.write(1, 0, 100, target(pair.b, 0)), Outcome::success);
    expect_refused(pair, RequestKind::write);
    EXPECT_TRUE(is_filled_with(pair.b.memory.bytes(), std::byte{0xEE}));
}

TEST_P(ProtectionData, RefusesAReadWithoutRemoteRead) {
    if (const char* const why = support::lacks(support::Ability::right_of_reads)) GTEST_SKIP() << why;
    proves("ND2-QP-RDMA-03", "ND2-MR-REG-02");
    auto& pair = with_target(0, 4096, kLocalWrite | kRemoteWrite);
    fill_with(pair.a.bytes(0, 100), std::byte{0x11});
    ASSERT_EQ(pair.a.read(1, 0, 100, target(pair.b, 0)), Outcome::success);
    expect_refused(pair, RequestKind::read);
    EXPECT_TRUE(is_filled_with(pair.a.bytes(0, 100), std::byte{0x11})) << "nothing was read";
}

TEST_P(ProtectionData, RefusesARegionWithoutRemoteRights) {
    proves("ND2-MR-TOK-03");
    auto& pair = with_target(0, 4096, kLocalWrite);
    ASSERT_EQ(pair.a.read(1, 0, 1, target(pair.b, 0)), Outcome::success);
    expect_refused(pair, RequestKind::read);
}

TEST_P(ProtectionData, RefusesAWriteThatEndsOneByteBeyondTheRegion) {
    proves("ND2-QP-RDMA-03", "ND2-CLI-13");
    auto& pair = with_target(1000, 5000, kAllRights);
    ASSERT_EQ(pair.a.write(1, 0, 5001, target(pair.b, 1000)), Outcome::success);
    expect_refused(pair, RequestKind::write);
    EXPECT_TRUE(is_filled_with(pair.b.bytes(0, 1000), std::byte{0xEE}));
    EXPECT_TRUE(is_filled_with(pair.b.bytes(6000, 1000), std::byte{0xEE}));
}

TEST_P(ProtectionData, RefusesAWriteThatBeginsOneByteBeforeTheRegion) {
    proves("ND2-QP-RDMA-03");
    auto& pair = with_target(1000, 5000, kAllRights);
    ASSERT_EQ(pair.a.write(1, 0, 10, target(pair.b, 999)), Outcome::success);
    expect_refused(pair, RequestKind::write);
    EXPECT_TRUE(is_filled_with(pair.b.bytes(0, 1000), std::byte{0xEE}));
}

TEST_P(ProtectionData, RefusesALargeWriteThatLeavesTheRegion) {
    proves("ND2-QP-RDMA-03");
    auto& pair = with_target(0, kMiB / 2, kAllRights);
    ASSERT_EQ(pair.a.write(1, 0, kMiB / 2 + 1, target(pair.b, 0)), Outcome::success);
    expect_refused(pair, RequestKind::write);
    EXPECT_TRUE(is_filled_with(pair.b.bytes(kMiB / 2, kMiB / 2), std::byte{0xEE}));
}

TEST_P(ProtectionData, AllowsExactlyTheWholeRegion) {
    proves("ND2-QP-RDMA-01");
    auto& pair = with_target(1000, 5000, kAllRights);
    fill_pattern(pair.a.bytes(0, 5000), 8);
    ASSERT_EQ(pair.a.write(1, 0, 5000, target(pair.b, 1000)), Outcome::success);
    EXPECT_TRUE(reports(*pair.a.initiated, RequestKind::write, 1, Outcome::success));
    EXPECT_TRUE(has_pattern(pair.b.bytes(1000, 5000), 8));
    ASSERT_EQ(pair.a.read(2, 8192, 1, target(pair.b, 5999)), Outcome::success);
    EXPECT_TRUE(reports(*pair.a.initiated, RequestKind::read, 2, Outcome::success));
}

TEST_P(ProtectionData, RefusesARangeThatWrapsTheAddressSpace) {
    proves("ND2-QP-RDMA-03");
    auto& pair = with_target(0, 4096, kAllRights);
    ASSERT_EQ(pair.a.write(1, 0, 4096, {~std::uint64_t{0} - 100, pair_->b.queue_pair->grant(*target_)}),
              Outcome::success);
    expect_refused(pair, RequestKind::write);
}

TEST_P(ProtectionData, RefusesAReadThatLeavesTheRegion) {
    proves("ND2-QP-RDMA-03", "ND2-CLI-13");
    auto& pair = with_target(0, 4096, kAllRights);
    ASSERT_EQ(pair.a.read(1, 0, 4097, target(pair.b, 0)), Outcome::success);
    expect_refused(pair, RequestKind::read);
}

TEST_P(ProtectionData, RefusesATokenThatWasWithdrawn) {
    proves("ND2-MR-DEREG-02", "ND2-MR-TOK-01", "ND2-QP-RDMA-03");
    auto& pair = with_target(0, 4096, kAllRights);
    const Remote dead = target(pair.b, 0);
    ASSERT_EQ(pair.a.write(5, 0, 8, dead), Outcome::success);
    ASSERT_TRUE(reports(*pair.a.initiated, RequestKind::write, 5, Outcome::success)) << "alive before";
    ASSERT_EQ(target_->withdraw().wait(), Outcome::success);
    fill_with(pair.b.memory.bytes(), std::byte{0xEE});
    ASSERT_EQ(pair.a.write(1, 0, 8, dead), Outcome::success);
    expect_refused(pair, RequestKind::write);
    EXPECT_TRUE(is_filled_with(pair.b.memory.bytes(), std::byte{0xEE}));
}

TEST_P(ProtectionData, RefusesATokenWhoseRegionWasReleased) {
    proves("ND2-MR-REL-01", "ND2-AMB-39");
    auto& pair = with_target(0, 4096, kAllRights);
    const Remote dead = target(pair.b, 0);
    target_.reset();
    ASSERT_EQ(pair.a.read(1, 0, 8, dead), Outcome::success);
    expect_refused(pair, RequestKind::read);
}

TEST_P(ProtectionData, RefusesATokenThatWasRegisteredAnew) {
    proves("ND2-MR-TOK-03");
    auto& pair = with_target(0, 4096, kAllRights);
    const Remote old = target(pair.b, 0);
    ASSERT_EQ(target_->withdraw().wait(), Outcome::success);
    ASSERT_EQ(target_->enroll(pair.b.memory.data(), 4096, kAllRights).wait(), Outcome::success);
    EXPECT_NE(pair_->b.queue_pair->grant(*target_), old.token);
    ASSERT_EQ(pair.a.write(1, 0, 8, old), Outcome::success);
    expect_refused(pair, RequestKind::write);
}

TEST_P(ProtectionData, RefusesTokenZero) {
    proves("ND2-MR-TOK-01");
    auto& pair = with_target(0, 4096, kAllRights);
    ASSERT_EQ(pair.a.write(1, 0, 8, {pair.b.remote().address, 0}), Outcome::success);
    expect_refused(pair, RequestKind::write);
}

TEST_P(ProtectionData, RefusesATokenOfAnotherOpenOfTheAdapter) {
    proves("ND2-PRV-OPEN-02", "ND2-MR-REG-05");
    auto& pair = with_target(0, 4096, kAllRights);
    auto stranger = driver().open_adapter();
    auto foreign = registered(*stranger, pair.b.memory.data(), 4096, kAllRights);
    ASSERT_EQ(pair.a.write(1, 0, 8, {pair.b.remote().address, pair.b.queue_pair->grant(*foreign)}), Outcome::success);
    expect_refused(pair, RequestKind::write);
}

TEST_P(ProtectionData, RefusesALocalBufferOutsideItsRegion) {
    is_local_ = true;
    provokes("CHECK-ENTRY");
    proves("ND2-QP-RDMA-04", "ND2-QP-POST-10");
    auto& pair = with_target(0, 8192, kAllRights);
    auto small = registered(*pair.a.adapter, pair.a.memory.data(), 4096, kAllRights);
    const std::array sge{Sge{pair.a.memory.data(), 4097, small->local_token()}};
    ASSERT_EQ(pair.a.queue_pair->write(1, sge, target(pair.b, 0), kNoFlags), Outcome::success);
    expect_refused(pair, RequestKind::write);
    if (!support::lacks(support::Ability::all_or_nothing)) {
        EXPECT_TRUE(is_filled_with(pair.b.memory.bytes(), std::byte{0xEE}));
    }
}

TEST_P(ProtectionData, RefusesASendFromADeadLocalToken) {
    provokes("CHECK-ENTRY");
    proves("ND2-QP-RDMA-04", "ND2-QP-POST-10");
    auto& pair = with_target(0, 4096, kAllRights);
    const std::array sge{Sge{pair.a.memory.data(), 64, 0}};
    ASSERT_EQ(pair.b.receive(5, 0, 64), Outcome::success);
    ASSERT_EQ(pair.a.queue_pair->send(1, sge, kNoFlags), Outcome::success);
    EXPECT_TRUE(reports(*pair.a.initiated, RequestKind::send, 1, Outcome::access_violation));
    EXPECT_EQ(lost_.wait(), Outcome::success);
    EXPECT_TRUE(are_flushed_with_the_peer(std::get<0>(GetParam()), pair.b, {5}));
}

TEST_P(ProtectionData, RefusesAReadIntoMemoryWithoutLocalWrite) {
    is_local_ = true;
    provokes("CHECK-ENTRY");
    proves("ND2-QP-RDMA-04", "ND2-QP-READ-01");
    auto& pair = with_target(0, 4096, kAllRights);
    auto read_only = registered(*pair.a.adapter, pair.a.memory.data(), 4096, kRemoteRead);
    const std::array sge{Sge{pair.a.memory.data(), 100, read_only->local_token()}};
    ASSERT_EQ(pair.a.queue_pair->read(1, sge, target(pair.b, 0), kNoFlags), Outcome::success);
    expect_refused(pair, RequestKind::read);
    EXPECT_TRUE(is_filled_with(pair.a.bytes(0, 100), std::byte{0})) << "nothing was placed";
}

TEST_P(ProtectionData, FlushesWhatWasPostedBehindARefusedRequest) {
    if (const char* const why = support::lacks(support::Ability::tells_refusals)) GTEST_SKIP() << why;
    proves("ND2-QP-ERR-01");
    auto& pair = with_target(0, 4096, kLocalWrite);
    ASSERT_EQ(pair.a.receive(10, 0, 64), Outcome::success);
    ASSERT_EQ(pair.b.receive(11, 0, 64), Outcome::success);
    ASSERT_EQ(pair.a.write(1, 0, 8, target(pair.b, 0)), Outcome::success);
    ASSERT_EQ(pair.a.write(2, 0, 8, pair.b.remote()), Outcome::success);
    ASSERT_EQ(pair.a.send(3, 0, 8), Outcome::success);
    EXPECT_TRUE(reports(*pair.a.initiated, RequestKind::write, 1, Outcome::access_violation));
    EXPECT_TRUE(reports_exactly(*pair.a.initiated, {2, 3}, Outcome::canceled));
    EXPECT_TRUE(reports_exactly(*pair.a.received, {10}, Outcome::canceled));
    EXPECT_TRUE(reports_exactly(*pair.b.received, {11}, Outcome::canceled));
}

INSTANTIATE_TEST_SUITE_P(, ProtectionData, every_data_variant(), data_variant_name);

}  // namespace
}  // namespace opennd::conformance
