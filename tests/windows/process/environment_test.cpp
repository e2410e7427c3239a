// SPDX-License-Identifier: MIT
// Environment variables, debuggers, texts for codes.
#include <gtest/gtest.h>
#include <ndstatus.h>
#include <windows.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

namespace opennd {
namespace {

class Environment : public testing::Test {
protected:
    Environment() { EXPECT_TRUE(SetEnvironmentVariableW(L"OPENND_TEST_WORD", L"grün")); }
    ~Environment() override { SetEnvironmentVariableA("OPENND_TEST_WORD", nullptr); }
};

TEST_F(Environment, IsTheProcesss) {
    EXPECT_STREQ(std::getenv("OPENND_TEST_WORD"), "grün");
    WCHAR wide[8];
    EXPECT_EQ(GetEnvironmentVariableW(L"OPENND_TEST_WORD", wide, 8), 4u);
    EXPECT_STREQ(wide, L"grün");
    EXPECT_EQ(GetEnvironmentVariableW(L"OPENND_TEST_WORD", nullptr, 0), 5u);
    char narrow[8];
    EXPECT_EQ(GetEnvironmentVariableA("OPENND_TEST_WORD", narrow, 8), 5u) << "bytes of UTF-8";
    EXPECT_TRUE(SetEnvironmentVariableA("OPENND_TEST_WORD", nullptr));
    EXPECT_EQ(GetEnvironmentVariableA("OPENND_TEST_WORD", narrow, 8), 0u);
    EXPECT_EQ(GetLastError(), DWORD{ERROR_ENVVAR_NOT_FOUND});
    EXPECT_FALSE(SetEnvironmentVariableA("a=b", "c"));
    EXPECT_FALSE(SetEnvironmentVariableW(nullptr, L"c"));
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_PARAMETER});
}

TEST_F(Environment, IsExpandedInText) {
    WCHAR wide[64];
    const WCHAR expected[] = L"100% grün %NOT_THERE% 5%";
    EXPECT_EQ(ExpandEnvironmentStringsW(L"100% %OPENND_TEST_WORD% %NOT_THERE% 5%", nullptr, 0), ARRAYSIZE(expected));
    EXPECT_EQ(ExpandEnvironmentStringsW(L"100% %OPENND_TEST_WORD% %NOT_THERE% 5%", wide, 64), ARRAYSIZE(expected));
    EXPECT_STREQ(wide, expected);
    char narrow[64];
    EXPECT_EQ(ExpandEnvironmentStringsA("/opt/plain", narrow, 64), 11u);
    EXPECT_STREQ(narrow, "/opt/plain");
    EXPECT_EQ(ExpandEnvironmentStringsA(nullptr, narrow, 64), 0u);
}

// As the C library of Windows documents it.
TEST_F(Environment, IsCopiedByTheCLibrary) {
    std::size_t needed = 99;
    EXPECT_EQ(getenv_s(&needed, nullptr, 0, "OPENND_TEST_WORD"), 0) << "asks for the room";
    EXPECT_EQ(needed, 6u);
    char text[6] = "x";
    EXPECT_EQ(getenv_s(&needed, text, "OPENND_TEST_WORD"), 0);
    EXPECT_STREQ(text, "grün");
    EXPECT_EQ(getenv_s(&needed, text, 5, "OPENND_TEST_WORD"), ERANGE);
    EXPECT_EQ(needed, 6u);
    EXPECT_STREQ(text, "");
    text[0] = 'x';
    EXPECT_EQ(getenv_s(&needed, text, "OPENND_NOT_THERE"), 0) << "is no failure";
    EXPECT_EQ(needed, 0u);
    EXPECT_STREQ(text, "");
    EXPECT_EQ(getenv_s(nullptr, text, 6, "OPENND_TEST_WORD"), EINVAL);
    EXPECT_EQ(getenv_s(&needed, nullptr, 6, "OPENND_TEST_WORD"), EINVAL);
    EXPECT_EQ(getenv_s(&needed, text, 6, nullptr), EINVAL);
    wchar_t wide[5];
    EXPECT_EQ(_wgetenv_s(&needed, wide, L"OPENND_TEST_WORD"), 0);
    EXPECT_STREQ(wide, L"grün");
    EXPECT_EQ(needed, 5u);
}

TEST(Debugger, IsNotThere) {
    EXPECT_FALSE(IsDebuggerPresent());
    testing::internal::CaptureStderr();
    OutputDebugStringA("narrow");
    OutputDebugStringW(L"wide");
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

class Message : public testing::TestWithParam<std::pair<DWORD, const char*>> {};

TEST_P(Message, TellsWhatTheCodeMeans) {
    char text[200];
    const DWORD length =
        FormatMessageA(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, nullptr, GetParam().first,
                       MAKELANGID(LANG_NEUTRAL, SUBLANG_DEFAULT), text, 200, nullptr);
    EXPECT_EQ(length, std::strlen(text));
    EXPECT_NE(std::string(text).find(GetParam().second), std::string::npos) << text;
    LPWSTR allocated = nullptr;
    EXPECT_EQ(
        FormatMessageW(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_ALLOCATE_BUFFER | FORMAT_MESSAGE_MAX_WIDTH_MASK,
                       nullptr, GetParam().first, 0, reinterpret_cast<LPWSTR>(&allocated), 0, nullptr),
        length - 1);
    ASSERT_NE(allocated, nullptr);
    EXPECT_EQ(allocated[length - 2], L' ');
    EXPECT_EQ(LocalFree(allocated), nullptr);
    EXPECT_EQ(FormatMessageA(FORMAT_MESSAGE_FROM_SYSTEM, nullptr, GetParam().first, 0, text, 3, nullptr), 0u);
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INSUFFICIENT_BUFFER});
    EXPECT_EQ(FormatMessageA(0, nullptr, GetParam().first, 0, text, 200, nullptr), 0u);
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_PARAMETER});
}
INSTANTIATE_TEST_SUITE_P(Codes, Message,
                         testing::Values(std::pair{DWORD{ERROR_INVALID_HANDLE}, "handle"},
                                         std::pair{DWORD{WSAECONNREFUSED}, "refused"},
                                         std::pair{static_cast<DWORD>(ND_CANCELED), "ND_CANCELED"},
                                         std::pair{static_cast<DWORD>(HRESULT_FROM_WIN32(WAIT_TIMEOUT)), "time"},
                                         std::pair{DWORD{0x12345678}, "Unknown"}));

}  // namespace
}  // namespace opennd
