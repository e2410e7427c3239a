// SPDX-License-Identifier: MIT
#include "transport/watch/misuse/registered_memory.h"

#include <gtest/gtest.h>

namespace opennd::watch {
namespace {

using Finding = RegisteredMemory::Finding;

constexpr Token kToken{0x1100};

class RegisteredMemoryTest : public testing::Test {
protected:
    RegisteredMemoryTest() { add(RegisteredMemory::Kind::plain, Access::local_write); }

    void add(RegisteredMemory::Kind kind, Access access) { regions.add(kToken, {kind, 0x1000, 100, access, {}}); }
    Finding judge(std::uint64_t address, std::uint32_t bytes, Access wanted = Access::none, Token token = kToken) {
        fault.clear();
        return regions.judge({reinterpret_cast<std::byte*>(address), bytes, token}, wanted, fault, plain);
    }

    RegisteredMemory regions;
    std::string fault;
    bool plain = false;
};

TEST_F(RegisteredMemoryTest, TakesEntriesWithinTheirRegion) {
    EXPECT_EQ(judge(0x1000, 100), Finding::sound);
    EXPECT_TRUE(plain);
    EXPECT_EQ(judge(0x1063, 1), Finding::sound);
}

TEST_F(RegisteredMemoryTest, FindsEntriesThatLeaveTheirRegion) {
    EXPECT_EQ(judge(0x1000, 101), Finding::fault);
    EXPECT_EQ(judge(0xFFF, 2), Finding::fault);
    EXPECT_EQ(fault, "2 bytes at 0xfff are not within its region of 100 bytes at 0x1000");
    EXPECT_EQ(judge(UINT64_MAX, 2), Finding::fault) << "the range wraps around";
}

TEST_F(RegisteredMemoryTest, FindsAMissingRight) {
    EXPECT_EQ(judge(0x1000, 8, Access::local_write), Finding::sound);
    add(RegisteredMemory::Kind::plain, Access::remote_read);
    EXPECT_EQ(judge(0x1000, 8), Finding::sound) << "reading needs none";
    EXPECT_EQ(judge(0x1000, 8, Access::local_write), Finding::fault);
}

TEST_F(RegisteredMemoryTest, KnowsNoTokenThatIsGone) {
    regions.remove(kToken);
    EXPECT_EQ(judge(0x1000, 8), Finding::unknown);
}

TEST_F(RegisteredMemoryTest, LooksOnlyAtMemoryThatHasAddresses) {
    add(RegisteredMemory::Kind::pages, Access::local_write);
    EXPECT_EQ(judge(0x1000, 8), Finding::sound);
    EXPECT_FALSE(plain);
    add(RegisteredMemory::Kind::address_space, Access::local_write);
    EXPECT_EQ(judge(0x9999, 8), Finding::sound);
    EXPECT_FALSE(plain);
}

}  // namespace
}  // namespace opennd::watch
