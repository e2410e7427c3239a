// SPDX-License-Identifier: MIT
// Text, bytes and their order: counted strings, formats with a limit, the debugger's output.
#include <ntstrsafe.h>
#include <opennd.h>

#include <cstring>
#include <string>

#include "support/requirement.h"
#include "wdm/violations.h"

namespace opennd {
namespace {

NTSTATUS print_cch(PSTR room, SIZE_T characters, PCSTR format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const NTSTATUS status = RtlStringCchVPrintfA(room, characters, format, arguments);
    va_end(arguments);
    return status;
}

NTSTATUS print_cb(PSTR room, SIZE_T bytes, PCSTR format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const NTSTATUS status = RtlStringCbVPrintfA(room, bytes, format, arguments);
    va_end(arguments);
    return status;
}

NTSTATUS print_cch(PWSTR room, SIZE_T characters, PCWSTR format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const NTSTATUS status = RtlStringCchVPrintfW(room, characters, format, arguments);
    va_end(arguments);
    return status;
}

NTSTATUS print_cb(PWSTR room, SIZE_T bytes, PCWSTR format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const NTSTATUS status = RtlStringCbVPrintfW(room, bytes, format, arguments);
    va_end(arguments);
    return status;
}

TEST(SafeText, IsCutToItsRoomAndSaysSo) {
    support::proves("NDK-HOST-40", "NDK-HOST-52");
    CHAR narrow[8];
    WCHAR wide[8];
    EXPECT_EQ(RtlStringCbPrintfA(narrow, sizeof narrow, "%ld-%s", LONG{-5}, "abc"), STATUS_SUCCESS);
    EXPECT_STREQ(narrow, "-5-abc");
    EXPECT_EQ(RtlStringCchPrintfA(narrow, 4, "%s", "abcdef"), STATUS_BUFFER_OVERFLOW);
    EXPECT_STREQ(narrow, "abc");
    EXPECT_EQ(RtlStringCbPrintfW(wide, sizeof wide, L"%s=%d", L"grün", 7), STATUS_SUCCESS);
    EXPECT_EQ(std::wstring(wide), L"grün=7");
    EXPECT_EQ(RtlStringCchPrintfW(wide, 3, L"%s", L"grün"), STATUS_BUFFER_OVERFLOW);
    EXPECT_EQ(std::wstring(wide), L"gr");
    EXPECT_EQ(RtlStringCchPrintfW(wide, 0, L""), STATUS_INVALID_PARAMETER);
    EXPECT_EQ(RtlStringCbPrintf(narrow, SIZE_T{NTSTRSAFE_MAX_CCH} + 1, "x"), STATUS_INVALID_PARAMETER);
}

TEST(SafeText, TakesArgumentLists) {
    CHAR narrow[8];
    WCHAR wide[8];
    EXPECT_EQ(print_cch(narrow, sizeof narrow, "%d", 1), STATUS_SUCCESS);
    EXPECT_EQ(print_cb(narrow, sizeof narrow, "%d", 12345678), STATUS_BUFFER_OVERFLOW);
    EXPECT_STREQ(narrow, "1234567");
    EXPECT_EQ(print_cch(wide, ARRAYSIZE(wide), L"%d", 1), STATUS_SUCCESS);
    EXPECT_EQ(print_cb(wide, sizeof wide, L"%d", 12345678), STATUS_BUFFER_OVERFLOW);
    EXPECT_EQ(std::wstring(wide), L"1234567");
}

TEST(SafeText, IsCopied) {
    CHAR narrow[4];
    WCHAR wide[4];
    EXPECT_EQ(RtlStringCchCopyA(narrow, 4, "abc"), STATUS_SUCCESS);
    EXPECT_STREQ(narrow, "abc");
    EXPECT_EQ(RtlStringCbCopyA(narrow, 3, "abc"), STATUS_BUFFER_OVERFLOW);
    EXPECT_STREQ(narrow, "ab");
    EXPECT_EQ(RtlStringCchCopyW(wide, 4, L"abcd"), STATUS_BUFFER_OVERFLOW);
    EXPECT_EQ(RtlStringCbCopyW(wide, sizeof wide, L"abc"), STATUS_SUCCESS);
    EXPECT_EQ(std::wstring(wide), L"abc");
    EXPECT_EQ(RtlStringCbCopyW(wide, 3, L""), STATUS_INVALID_PARAMETER);
}

TEST(UnicodeString, CountsBytes) {
    UNICODE_STRING string;
    RtlInitUnicodeString(&string, L"abc");
    EXPECT_EQ(string.Length, 3 * sizeof(WCHAR));
    EXPECT_EQ(string.MaximumLength, 4 * sizeof(WCHAR));
    RtlInitUnicodeString(&string, nullptr);
    EXPECT_EQ(string.Length, 0);
    EXPECT_EQ(string.Buffer, nullptr);
    const std::wstring long_text(20'000, L'x');
    RtlInitUnicodeString(&string, long_text.c_str());
    EXPECT_EQ(string.Length % sizeof(WCHAR), 0u);
    EXPECT_GT(string.Length, 65'000);
}

TEST(Memory, IsFilledCopiedAndCompared) {
    UCHAR one[8];
    UCHAR other[8];
    RtlFillMemory(one, sizeof one, 7);
    RtlCopyMemory(other, one, sizeof one);
    EXPECT_TRUE(RtlEqualMemory(one, other, sizeof one));
    EXPECT_EQ(RtlCompareMemory(one, other, sizeof one), sizeof one);
    other[5] = 0;
    EXPECT_EQ(RtlCompareMemory(one, other, sizeof one), 5u);
    EXPECT_EQ(RtlCompareMemory(one, other, 0), 0u);
    RtlMoveMemory(other + 1, other, 4);
    RtlZeroMemory(one, sizeof one);
    RtlSecureZeroMemory(other, sizeof other);
    EXPECT_TRUE(RtlEqualMemory(one, other, sizeof one));
}

TEST(ByteOrder, IsTurnedRound) {
    EXPECT_EQ(RtlUshortByteSwap(0x1234), 0x3412);
    EXPECT_EQ(RtlUlongByteSwap(0x12345678), 0x78563412u);
    EXPECT_EQ(RtlUlonglongByteSwap(0x0102030405060708ull), 0x0807060504030201ull);
}

struct Line {
    opennd_log_level level;
    std::string text;
};

VOID NTAPI print_list(ULONG level, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vDbgPrintEx(DPFLTR_IHVNETWORK_ID, level, format, arguments);
    va_end(arguments);
}

TEST(DebugPrint, WritesLinesOfTheLog) {
    std::vector<Line> lines;
    const auto take = [](void* context, opennd_log_level level, const char* line) {
        static_cast<std::vector<Line>*>(context)->push_back({level, line});
    };
    ASSERT_EQ(opennd_log_sink(take, &lines, OPENND_LOG_DEBUG), 0);
    UNICODE_STRING name;
    RtlInitUnicodeString(&name, L"grün");
    EXPECT_EQ(DbgPrint("one %lu\ntwo %I64d\n", ULONG{4'000'000'000}, LONGLONG{-1}), ULONG{STATUS_SUCCESS});
    DbgPrintEx(DPFLTR_IHVDRIVER_ID, DPFLTR_ERROR_LEVEL, "%wZ", &name);
    print_list(DPFLTR_WARNING_LEVEL, "%s", "warned");
    KdPrint(("in a checked build\n"));
    KdPrintEx((DPFLTR_DEFAULT_ID, DPFLTR_TRACE_LEVEL, "traced"));
    WPP_INIT_TRACING(nullptr, nullptr);
    DoTraceMessage(FLAG, "nothing");
    opennd_log_sink(nullptr, nullptr, OPENND_LOG_ERROR);
    const std::vector<std::pair<opennd_log_level, std::string>> expected = {{OPENND_LOG_INFO, "one 4000000000"},
                                                                            {OPENND_LOG_INFO, "two -1"},
                                                                            {OPENND_LOG_ERROR, "grün"},
                                                                            {OPENND_LOG_WARN, "warned"},
                                                                            {OPENND_LOG_INFO, "in a checked build"},
                                                                            {OPENND_LOG_DEBUG, "traced"}};
    ASSERT_EQ(lines.size(), expected.size());
    for (std::size_t i = 0; i < lines.size(); ++i) {
        EXPECT_EQ(lines[i].level, expected[i].first);
        EXPECT_EQ(lines[i].text, expected[i].second);
    }
}

}  // namespace
}  // namespace opennd
