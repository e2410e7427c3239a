// SPDX-License-Identifier: MIT
// A path in its parts.
#include <gtest/gtest.h>
#include <windows.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace opennd {
namespace {

struct Split {
    const char* path;
    std::array<const char*, 4> parts;
};

class Path : public testing::TestWithParam<Split> {};

TEST_P(Path, IsTakenApart) {
    char drive[_MAX_DRIVE], folder[_MAX_DIR], name[_MAX_FNAME], extension[_MAX_EXT];
    EXPECT_EQ(_splitpath_s(GetParam().path, drive, folder, name, extension), 0);
    EXPECT_STREQ(drive, GetParam().parts[0]);
    EXPECT_STREQ(folder, GetParam().parts[1]);
    EXPECT_STREQ(name, GetParam().parts[2]);
    EXPECT_STREQ(extension, GetParam().parts[3]);
    std::memset(name, 'x', sizeof name);
    _splitpath(GetParam().path, nullptr, nullptr, name, nullptr);
    EXPECT_STREQ(name, GetParam().parts[2]);
}

INSTANTIATE_TEST_SUITE_P(Of, Path,
                         testing::Values(Split{"/usr/lib/libnd.so.1", {"", "/usr/lib/", "libnd.so", ".1"}},
                                         Split{"C:\\bin\\a.b\\tool.exe", {"C:", "\\bin\\a.b\\", "tool", ".exe"}},
                                         Split{"a.b/c", {"", "a.b/", "c", ""}}, Split{"c:x.y", {"c:", "", "x", ".y"}},
                                         Split{"folder/", {"", "folder/", "", ""}}, Split{"", {"", "", "", ""}},
                                         Split{".profile", {"", "", "", ".profile"}}));

TEST(PathParts, HaveToFit) {
    char drive[3] = "x", folder[4] = "x", name[3] = "x", extension[4] = "x";
    EXPECT_EQ(_splitpath_s("/usr/abc.txt", drive, folder, name, extension), ERANGE);
    for (const char* const part : {drive, folder, name, extension}) EXPECT_STREQ(part, "");
    EXPECT_EQ(_splitpath_s("ab.txt", nullptr, 0, nullptr, 0, name, 3, nullptr, 0), 0);
    EXPECT_STREQ(name, "ab");
    EXPECT_EQ(_splitpath_s("ab", nullptr, 3, nullptr, 0, name, 3, nullptr, 0), EINVAL) << "room without a place";
    EXPECT_STREQ(name, "");
    EXPECT_EQ(_splitpath_s("ab", drive, 0, nullptr, 0, name, 3, nullptr, 0), EINVAL) << "a place without room";
    EXPECT_EQ(_splitpath_s(nullptr, nullptr, 0, nullptr, 0, name, 3, nullptr, 0), EINVAL);
    wchar_t wide[8];
    EXPECT_EQ(_wsplitpath_s(L"/a/bc.d", nullptr, 0, nullptr, 0, wide, 8, nullptr, 0), 0);
    EXPECT_STREQ(wide, L"bc");
}

}  // namespace
}  // namespace opennd
