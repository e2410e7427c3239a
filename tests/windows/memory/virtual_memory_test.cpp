// SPDX-License-Identifier: MIT
// Address space by pages.
#include <gtest/gtest.h>
#include <windows.h>

#include <cstring>

namespace opennd {
namespace {

constexpr SIZE_T kBytes = 1 << 20;
constexpr SIZE_T kSmallPage = 4096;

DWORD state_at(const void* address) {
    MEMORY_BASIC_INFORMATION info{};
    EXPECT_EQ(VirtualQuery(address, &info, sizeof info), sizeof info);
    return info.State;
}

TEST(VirtualMemory, IsReservedAndCommittedAtOnce) {
    auto* const memory =
        static_cast<char*>(VirtualAlloc(nullptr, kBytes - 5, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE));
    ASSERT_NE(memory, nullptr);
    EXPECT_EQ(memory[kBytes - 1], 0);
    std::memset(memory, 1, kBytes);
    MEMORY_BASIC_INFORMATION info{};
    ASSERT_EQ(VirtualQuery(memory + kSmallPage + 1, &info, sizeof info), sizeof info);
    EXPECT_EQ(info.BaseAddress, memory + kSmallPage);
    EXPECT_EQ(info.AllocationBase, memory);
    EXPECT_GE(info.RegionSize, kBytes - kSmallPage);
    EXPECT_EQ(info.State, DWORD{MEM_COMMIT});
    EXPECT_EQ(info.Protect, DWORD{PAGE_READWRITE});
    EXPECT_FALSE(VirtualFree(memory, kBytes, MEM_RELEASE));
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_PARAMETER});
    EXPECT_FALSE(VirtualFree(memory, kSmallPage, MEM_DECOMMIT));
    EXPECT_TRUE(VirtualFree(memory, 0, MEM_RELEASE));
    EXPECT_FALSE(VirtualFree(memory, 0, MEM_RELEASE));
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_ADDRESS});
}

TEST(VirtualMemory, IsCommittedByParts) {
    auto* const memory = static_cast<char*>(VirtualAlloc(nullptr, kBytes, MEM_RESERVE, PAGE_NOACCESS));
    ASSERT_NE(memory, nullptr);
    EXPECT_EQ(state_at(memory), DWORD{MEM_RESERVE});
    EXPECT_EQ(VirtualAlloc(memory + kSmallPage + 9, 10, MEM_COMMIT, PAGE_READWRITE), memory + kSmallPage);
    memory[kSmallPage] = 1;
    EXPECT_EQ(state_at(memory + kSmallPage), DWORD{MEM_COMMIT});
    EXPECT_EQ(state_at(memory + 2 * kSmallPage), DWORD{MEM_RESERVE});
    EXPECT_TRUE(VirtualFree(memory + kSmallPage, kSmallPage, MEM_DECOMMIT));
    EXPECT_EQ(state_at(memory + kSmallPage), DWORD{MEM_RESERVE});
    EXPECT_NE(VirtualAlloc(memory, kBytes, MEM_COMMIT, PAGE_READONLY), nullptr);
    EXPECT_EQ(memory[kSmallPage], 0) << "zeroed again";
    EXPECT_TRUE(VirtualFree(memory, 0, MEM_DECOMMIT));
    EXPECT_EQ(VirtualAlloc(memory, kSmallPage, MEM_RESERVE, PAGE_READWRITE), nullptr) << "the place is taken";
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_ADDRESS});
    EXPECT_EQ(VirtualAlloc(memory + kBytes - 1, 2, MEM_COMMIT, PAGE_READWRITE), nullptr) << "beyond the reservation";
    EXPECT_TRUE(VirtualFree(memory, 0, MEM_RELEASE));
    EXPECT_EQ(VirtualAlloc(memory, kBytes, MEM_RESERVE, PAGE_READWRITE), memory);
    EXPECT_TRUE(VirtualFree(memory, 0, MEM_RELEASE));
}

TEST(VirtualMemory, RefusesWhatMakesNoSense) {
    EXPECT_EQ(VirtualAlloc(nullptr, 0, MEM_RESERVE, PAGE_READWRITE), nullptr);
    EXPECT_EQ(VirtualAlloc(nullptr, kSmallPage, MEM_RESERVE, 0x40), nullptr);
    EXPECT_EQ(VirtualAlloc(nullptr, kSmallPage, 0, PAGE_READWRITE), nullptr);
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_PARAMETER});
    MEMORY_BASIC_INFORMATION info{};
    EXPECT_EQ(VirtualQuery(&info, &info, 8), 0u);
    EXPECT_EQ(VirtualQuery(INVALID_HANDLE_VALUE, &info, sizeof info), 0u);
    EXPECT_EQ(state_at(nullptr), DWORD{MEM_FREE});
    EXPECT_EQ(state_at(&info), DWORD{MEM_COMMIT});
}

}  // namespace
}  // namespace opennd
