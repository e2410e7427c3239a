// SPDX-License-Identifier: MIT
// A file for a test, with a content.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>
#include <windows.h>

#include <string>
#include <string_view>

namespace opennd {

class TemporaryFile {
public:
    explicit TemporaryFile(std::string_view content) {
        const int descriptor = mkstemp(name_.data());
        EXPECT_EQ(write(descriptor, content.data(), content.size()), static_cast<ssize_t>(content.size()));
        close(descriptor);
    }
    ~TemporaryFile() { unlink(name_.c_str()); }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    const char* name() const { return name_.c_str(); }

    HANDLE open(DWORD access, DWORD flags = FILE_ATTRIBUTE_NORMAL) const {
        const HANDLE file = CreateFileA(name(), access, FILE_SHARE_READ, nullptr, OPEN_EXISTING, flags, nullptr);
        EXPECT_NE(file, INVALID_HANDLE_VALUE);
        return file;
    }

    std::string content() const {
        const HANDLE file = open(GENERIC_READ);
        std::string text(4096 * 4, '\0');
        DWORD bytes = 0;
        EXPECT_TRUE(ReadFile(file, text.data(), static_cast<DWORD>(text.size()), &bytes, nullptr));
        CloseHandle(file);
        return text.substr(0, bytes);
    }

private:
    std::string name_ = testing::TempDir() + "opennd_XXXXXX";
};

}  // namespace opennd
