// SPDX-License-Identifier: MIT
// The room on a file system.
#include <gtest/gtest.h>
#include <sys/statvfs.h>
#include <windows.h>

namespace opennd {
namespace {

TEST(Disk, TellsItsRoom) {
    ULARGE_INTEGER available{}, all{}, free{};
    ASSERT_TRUE(GetDiskFreeSpaceExW(L"/", &available, &all, &free));
    struct statvfs disk {};
    statvfs("/", &disk);
    EXPECT_EQ(all.QuadPart, ULONGLONG{disk.f_blocks} * disk.f_frsize);
    EXPECT_LE(available.QuadPart, free.QuadPart);
    EXPECT_LE(free.QuadPart, all.QuadPart);
    ULARGE_INTEGER narrow{};
    EXPECT_TRUE(GetDiskFreeSpaceExA("/", nullptr, &narrow, nullptr));
    EXPECT_EQ(narrow.QuadPart, all.QuadPart);
    EXPECT_TRUE(GetDiskFreeSpaceEx(nullptr, nullptr, nullptr, nullptr)) << "of the current folder";
}

TEST(Disk, IsNamedByAFolder) {
    ULARGE_INTEGER all{};
    EXPECT_FALSE(GetDiskFreeSpaceExA("/nowhere/at/all", nullptr, &all, nullptr));
    EXPECT_EQ(GetLastError(), DWORD{ERROR_PATH_NOT_FOUND});
    EXPECT_FALSE(GetDiskFreeSpaceExW(L"/proc/self/stat", nullptr, &all, nullptr));
    EXPECT_EQ(GetLastError(), DWORD{ERROR_DIRECTORY});
}

}  // namespace
}  // namespace opennd
