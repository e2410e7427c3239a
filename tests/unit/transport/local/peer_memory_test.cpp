// SPDX-License-Identifier: MIT
// Whether the kernel copies between this process and a peer: found out by a copy, once for all connections with that peer.
#include "transport/local/peer_memory.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <string>

#include "platform/memory/process_memory.h"
#include "support/kernel_limits.h"

namespace opennd::local {
namespace {

using Reach = PeerMemory::Reach;

// The peer is this process.
class PeerMemoryTest : public testing::Test {
protected:
    Reach reach_with(std::uint64_t cookie) {
        return PeerMemory(
                   Reach::untried, own_process(), [](std::uint32_t) {},
                   {reinterpret_cast<std::uint64_t>(&cookie_), cookie}, &copies_)
            .reach();
    }

    static constexpr std::uint64_t kCookie = 4711;
    const std::uint64_t cookie_ = kCookie;
    std::atomic<KernelCopies> copies_{KernelCopies::untried};
};

TEST_F(PeerMemoryTest, IsReachedByTheKernelWhereTheFirstCopyFindsTheCookie) {
    if (const std::string reason = support::copies_between_no_processes(); !reason.empty()) GTEST_SKIP() << reason;
    EXPECT_EQ(reach_with(kCookie), Reach::process_vm);
    EXPECT_EQ(copies_, KernelCopies::work);
    EXPECT_EQ(reach_with(kCookie + 1), Reach::process_vm) << "the second connection copies once more";
}

TEST_F(PeerMemoryTest, IsReachedByMappingWhereAnotherProcessHasTheNumber) {
    EXPECT_EQ(reach_with(kCookie + 1), Reach::mapping_only);
    EXPECT_EQ(copies_, KernelCopies::refused);
    EXPECT_EQ(reach_with(kCookie), Reach::mapping_only) << "the second connection copies once more";
}

}  // namespace
}  // namespace opennd::local
