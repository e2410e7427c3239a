// SPDX-License-Identifier: MIT
//
// Memory regions: registering, tokens, withdrawing. Requirements ND2-MR-*; a region's permissions are in
// protection_test.cpp.
#include <set>
#include <thread>
#include <vector>

#include "conformance/vocabulary/fixture.h"
#include "conformance/vocabulary/sizes.h"
#include "support/tested_device.h"

namespace opennd::conformance {
namespace {

class MemoryRegions : public ConformanceTest {
protected:
    std::unique_ptr<Adapter> adapter_ = driver().open_adapter();
    Buffer memory_{1 << 20};
};

TEST_P(MemoryRegions, HaveNoTokensBeforeRegistration) {
    proves("ND2-ADP-MR-01", "ND2-MR-TOK-01");
    auto region = adapter_->create_memory_region();
    EXPECT_EQ(region->local_token(), 0u);
    EXPECT_EQ(region->remote_token(), 0u);
}

TEST_P(MemoryRegions, HaveTokensOnceRegistrationIsComplete) {
    proves("ND2-MR-TOK-01", "ND2-OVL-07");
    auto region = adapter_->create_memory_region();
    ASSERT_EQ(region->enroll(memory_.data(), 100, kAllRights).wait(), Outcome::success);
    EXPECT_NE(region->local_token(), 0u);
    EXPECT_NE(region->remote_token(), 0u);
}

TEST_P(MemoryRegions, HaveNoTokensFromTheCallToWithdrawOn) {
    proves("ND2-MR-TOK-01", "ND2-MR-DEREG-01");
    auto region = registered(*adapter_, memory_.data(), 100, kAllRights);
    const Operation withdrawn = region->withdraw();
    EXPECT_EQ(region->local_token(), 0u);
    EXPECT_EQ(region->remote_token(), 0u);
    EXPECT_EQ(withdrawn.wait(), Outcome::success);
}

TEST_P(MemoryRegions, TakeEveryCombinationOfRights) {
    proves("ND2-MR-REG-02");
    for (unsigned rights = 0; rights <= (kAllRights | kReadSink); ++rights) {
        auto region = adapter_->create_memory_region();
        EXPECT_EQ(region->enroll(memory_.data(), 64, rights).wait(), Outcome::success) << rights;
    }
}

TEST_P(MemoryRegions, CannotBeRegisteredTwiceAtOnce) {
    proves("ND2-MR-REG-01");
    auto region = registered(*adapter_, memory_.data(), 100, kAllRights);
    EXPECT_EQ(region->enroll(memory_.data(), 100, kAllRights).begun(), Outcome::invalid_state);
    EXPECT_NE(region->local_token(), 0u) << "the registration there was stays";
}

TEST_P(MemoryRegions, CannotBeWithdrawnUnregistered) {
    proves("ND2-MR-DEREG-01");
    auto region = adapter_->create_memory_region();
    EXPECT_EQ(region->withdraw().begun(), Outcome::invalid_state);
    ASSERT_EQ(region->enroll(memory_.data(), 100, kAllRights).wait(), Outcome::success);
    ASSERT_EQ(region->withdraw().wait(), Outcome::success);
    EXPECT_EQ(region->withdraw().begun(), Outcome::invalid_state);
}

TEST_P(MemoryRegions, AlternateBetweenRegisteredAndNot) {
    proves("ND2-MR-REG-06", "ND2-CLI-54");
    auto region = adapter_->create_memory_region();
    for (int round = 0; round < 1000; ++round) {
        ASSERT_EQ(region->enroll(memory_.data(), 4096, kAllRights).wait(), Outcome::success) << round;
        ASSERT_EQ(region->withdraw().wait(), Outcome::success) << round;
    }
}

TEST_P(MemoryRegions, HaveNewTokensAtEachRegistration) {
    proves("ND2-MR-TOK-03");
    auto region = adapter_->create_memory_region();
    std::set<std::uint32_t> seen;
    for (int round = 0; round < 200; ++round) {
        ASSERT_EQ(region->enroll(memory_.data(), 64, kAllRights).wait(), Outcome::success);
        EXPECT_TRUE(seen.insert(region->remote_token()).second)
            << "token used again after " << round << " registrations";
        ASSERT_EQ(region->withdraw().wait(), Outcome::success);
    }
}

TEST_P(MemoryRegions, MayOverlapByTheThousands) {
    proves("ND2-MR-REG-05", "ND2-MR-REG-07");
    constexpr std::size_t kCount = 10'000;
    std::vector<std::unique_ptr<MemoryRegion>> regions;
    std::set<std::uint32_t> tokens;
    for (std::size_t i = 0; i < kCount; ++i) {
        regions.push_back(registered(*adapter_, memory_.data() + i, 8192, kAllRights));
        tokens.insert(regions.back()->remote_token());
    }
    EXPECT_EQ(tokens.size(), kCount) << "live tokens must differ";
}

TEST_P(MemoryRegions, RegisterFromSeveralThreads) {
    proves("ND2-MR-REG-06", "ND2-CLI-55");
    std::vector<std::thread> threads;
    for (std::size_t thread = 0; thread < 4; ++thread) {
        threads.emplace_back([this, thread] {
            auto region = adapter_->create_memory_region();
            for (int round = 0; round < 200; ++round) {
                EXPECT_EQ(region->enroll(memory_.data() + thread * 4096, 4096, kAllRights).wait(), Outcome::success);
                EXPECT_EQ(region->withdraw().wait(), Outcome::success);
            }
        });
    }
    for (auto& thread : threads) thread.join();
}

TEST_P(MemoryRegions, TakeAtLeastSixtyFourMegabytes) {
    proves("ND2-ADP-LIM-01", "ND2-CLI-42");
    EXPECT_GE(adapter_->limits().max_registration_bytes, 64 * kMiB);
    Buffer large(64 * kMiB);
    auto region = adapter_->create_memory_region();
    EXPECT_EQ(region->enroll(large.data(), large.size(), kAllRights).wait(), Outcome::success);
}

TEST_P(MemoryRegions, ArePerAdapterInstance) {
    provokes("CHECK-ENTRY");
    proves("ND2-MR-REG-05", "ND2-PRV-OPEN-02");
    ConnectedPair pair(driver());
    auto stranger = registered(*adapter_, pair.a.memory.data(), 4096, kAllRights);
    const Sge sge{pair.a.memory.data(), 64, stranger->local_token()};
    ASSERT_EQ(pair.a.queue_pair->write(1, {&sge, 1}, pair.b.remote(), kNoFlags), Outcome::success);
    EXPECT_TRUE(reports(*pair.a.initiated, RequestKind::write, 1, Outcome::access_violation));
}

TEST_P(MemoryRegions, AreNotWrittenOnceWithdrawnWhileThePeerWrites) {
    if (const char* const why = support::lacks(support::Ability::tells_refusals)) GTEST_SKIP() << why;
    proves("ND2-MR-DEREG-02", "ND2-MR-DEREG-03");
    constexpr std::uint32_t kDepth = 64;
    for (int round = 0; round < 20; ++round) {
        ConnectedPair pair(driver(), EndpointOptions{.queue_pair = {.initiator_depth = kDepth}});
        auto target = registered(*pair.b.adapter, pair.b.memory.data(), pair.b.memory.size(), kAllRights);
        const Remote remote{pair.b.remote().address, pair.b.queue_pair->grant(*target)};
        fill_with(pair.a.memory.bytes(), std::byte{0xFF});
        std::thread writer([&] {
            for (Tag tag = 0; tag < kDepth; ++tag) EXPECT_EQ(pair.a.write(tag, 0, 32'768, remote), Outcome::success);
        });
        const Outcome withdrawn = target->withdraw().wait();
        fill_with(pair.b.memory.bytes(), std::byte{0});
        writer.join();
        ASSERT_EQ(withdrawn, Outcome::success);
        bool refused = false;
        for (const Completion& written : next(*pair.a.initiated, kDepth)) {
            const Outcome expected = refused ? Outcome::canceled : Outcome::success;
            if (!refused && written.outcome == Outcome::access_violation) {
                refused = true;
            } else {
                ASSERT_EQ(written.outcome, expected) << "request " << written.request;
            }
        }
        ASSERT_TRUE(is_filled_with(pair.b.memory.bytes(), std::byte{0})) << "written after Deregister had completed";
    }
}

class MemoryRegionsData : public DataTest {};

// A long message waits for its receive in the sender's memory, or has left it in part.
TEST_P(MemoryRegionsData, AreNotReadForAMessageOnceWithdrawn) {
    if (const char* const why = support::lacks(support::Ability::late_receives)) GTEST_SKIP() << why;
    provokes("CHECK-NO-RECEIVE", "CHECK-RECEIVE-LATE");
    proves("ND2-MR-DEREG-02");
    constexpr std::size_t kSize = 512 * 1024;
    ConnectedPair pair = connected(kSize);
    const auto source = registered(*pair.a.adapter, pair.a.memory.data(), kSize, kSendOnly);
    fill_with(pair.a.memory.bytes(), std::byte{0x11});
    const Sge all{pair.a.memory.data(), kSize, source->local_token()};
    ASSERT_EQ(pair.a.queue_pair->send(1, {&all, 1}, kNoFlags), Outcome::success);
    ASSERT_EQ(source->withdraw().wait(), Outcome::success);
    fill_with(pair.a.memory.bytes(), std::byte{0x22});
    const Operation lost = pair.b.connector->notify_disconnect();
    ASSERT_EQ(pair.b.receive(2, 0, kSize), Outcome::success);
    if (outlives_failures(std::get<0>(GetParam()))) {
        EXPECT_EQ(lost.wait(), Outcome::success);
        EXPECT_EQ(pair.b.queue_pair->flush(), Outcome::success);
    }
    EXPECT_NE(next(*pair.b.received).outcome, Outcome::nothing_by_the_deadline);
    for (const std::byte each : pair.b.memory.bytes()) ASSERT_NE(each, std::byte{0x22});
}

INSTANTIATE_TEST_SUITE_P(, MemoryRegionsData, every_data_variant(), data_variant_name);

INSTANTIATE_TEST_SUITE_P(, MemoryRegions, testing::ValuesIn(every_variant()), variant_name);

}  // namespace
}  // namespace opennd::conformance
