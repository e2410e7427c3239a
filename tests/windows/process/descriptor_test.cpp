// SPDX-License-Identifier: MIT
// Files by descriptors.
#include <gtest/gtest.h>
#include <io.h>

#include <cerrno>
#include <cstdlib>

namespace opennd {
namespace {

TEST(Descriptors, AreTheSystems) {
    char name[] = "/tmp/opennd_io_XXXXXX";
    _close(mkstemp(name));
    const int file = _open(name, _O_WRONLY | _O_CREAT | _O_TRUNC | _O_BINARY, 0600);
    ASSERT_GE(file, 0);
    EXPECT_EQ(_write(file, "a\n", 2), 2);
    EXPECT_EQ(_setmode(file, _O_TEXT), _O_BINARY);
    EXPECT_EQ(_setmode(file, 0x20000), -1) << "_O_U16TEXT";
    EXPECT_EQ(errno, EINVAL);
    EXPECT_EQ(_isatty(file), 0);
    EXPECT_EQ(_dup2(file, file), 0);
    EXPECT_EQ(_close(file), 0);
    EXPECT_EQ(_setmode(file, _O_TEXT), -1);
    EXPECT_EQ(errno, EBADF);
    EXPECT_EQ(_access(name, 6), 0);
    char bytes[4];
    const int again = _open(name, _O_RDONLY | _O_TEXT);
    EXPECT_EQ(_read(again, bytes, 4), 2);
    EXPECT_EQ(_lseeki64(again, 0, SEEK_END), 2);
    _close(again);
    EXPECT_EQ(_unlink(name), 0);
    EXPECT_EQ(_access(name, 0), -1);
}

}  // namespace
}  // namespace opennd
