// SPDX-License-Identifier: MIT
// The host's processors and memory.
#include <gtest/gtest.h>
#include <unistd.h>
#include <windows.h>

namespace opennd {
namespace {

TEST(System, HasProcessorsAndPages) {
    SYSTEM_INFO info{};
    GetSystemInfo(&info);
    EXPECT_EQ(info.dwNumberOfProcessors, static_cast<DWORD>(min(sysconf(_SC_NPROCESSORS_ONLN), 64l)));
    EXPECT_EQ(info.dwPageSize, static_cast<DWORD>(sysconf(_SC_PAGESIZE)));
    EXPECT_LT(info.lpMinimumApplicationAddress, static_cast<void*>(&info));
    EXPECT_GT(info.lpMaximumApplicationAddress, static_cast<void*>(&info));
    EXPECT_EQ(GetActiveProcessorCount(0), info.dwNumberOfProcessors);
    EXPECT_GE(GetActiveProcessorCount(ALL_PROCESSOR_GROUPS), info.dwNumberOfProcessors);
    EXPECT_GE(GetActiveProcessorGroupCount(), 1);
    EXPECT_EQ(GetActiveProcessorCount(1000), 0u);
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_PARAMETER});
}

TEST(System, HasMemory) {
    MEMORYSTATUSEX memory{};
    EXPECT_FALSE(GlobalMemoryStatusEx(&memory));
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_PARAMETER});
    memory.dwLength = sizeof memory;
    ASSERT_TRUE(GlobalMemoryStatusEx(&memory));
    EXPECT_GT(memory.ullTotalPhys, memory.ullAvailPhys);
    EXPECT_LE(memory.dwMemoryLoad, 100u);
    EXPECT_GE(memory.ullTotalPageFile, memory.ullTotalPhys);
}

}  // namespace
}  // namespace opennd
