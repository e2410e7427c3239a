// SPDX-License-Identifier: MIT
// Text within its room: cut text, filled room, reported ends.
#include <gtest/gtest.h>
#include <strsafe.h>
#include <windows.h>

#include <cstring>
#include <string>

namespace opennd {
namespace {

constexpr HRESULT kTooLong = static_cast<HRESULT>(0x8007007Au);  // STRSAFE_E_INSUFFICIENT_BUFFER
constexpr HRESULT kWrong = static_cast<HRESULT>(0x80070057u);    // STRSAFE_E_INVALID_PARAMETER

TEST(StrSafe, CopiesWhatFitsAndSaysIfItWasCut) {
    char text[4] = "xxx";
    EXPECT_EQ(StringCchCopyA(text, 4, "abc"), S_OK);
    EXPECT_STREQ(text, "abc");
    EXPECT_EQ(StringCchCopyA(text, 4, "12345"), kTooLong);
    EXPECT_STREQ(text, "123") << "cut, and ended";
    WCHAR wide[4];
    EXPECT_EQ(StringCchCopyW(wide, 4, L"12345"), kTooLong);
    EXPECT_STREQ(wide, L"123");
    EXPECT_EQ(StringCbCopyW(wide, sizeof wide, L"xyz"), S_OK);
    EXPECT_STREQ(wide, L"xyz");
    EXPECT_EQ(StringCbCopyW(wide, sizeof(WCHAR) * 2 + 1, L"xyz"), kTooLong) << "the last byte is no room";
    EXPECT_STREQ(wide, L"x");
    EXPECT_EQ(StringCchCopyA(text, 0, "a"), kWrong);
    EXPECT_EQ(StringCchCopyA(text, std::size_t{STRSAFE_MAX_CCH} + 1, "a"), kWrong);
    EXPECT_EQ(StringCchCopyA(nullptr, 4, "a"), kWrong);
    EXPECT_EQ(StringCchCopyA(text, 4, nullptr), kWrong);
}

TEST(StrSafe, CopiesAtMostAsManyAsAsked) {
    char text[4] = "xxx";
    EXPECT_EQ(StringCchCopyNA(text, 4, "abcdef", 2), S_OK);
    EXPECT_STREQ(text, "ab");
    EXPECT_EQ(StringCchCopyNA(text, 4, "abcdef", 4), kTooLong);
    EXPECT_STREQ(text, "abc");
    EXPECT_EQ(StringCchCopyNA(text, 4, "a", 100), S_OK) << "it ends before";
    WCHAR wide[4];
    EXPECT_EQ(StringCbCopyNW(wide, sizeof wide, L"abcdef", 2 * sizeof(WCHAR)), S_OK);
    EXPECT_STREQ(wide, L"ab");
}

TEST(StrSafe, AppendsWhatFits) {
    char text[6] = "ab";
    EXPECT_EQ(StringCchCatA(text, 6, "cd"), S_OK);
    EXPECT_EQ(StringCchCatA(text, 6, "efg"), kTooLong);
    EXPECT_STREQ(text, "abcde");
    EXPECT_EQ(StringCchCatNA(text, 6, "z", 0), S_OK);
    const char unended[3] = {'a', 'b', 'c'};
    char copy[3];
    std::memcpy(copy, unended, 3);
    EXPECT_EQ(StringCchCatA(copy, 3, "d"), kWrong) << "nothing ends it";
    WCHAR wide[6] = L"ab";
    EXPECT_EQ(StringCbCatW(wide, sizeof wide, L"cdefg"), kTooLong);
    EXPECT_STREQ(wide, L"abcde");
}

TEST(StrSafe, PrintsWithWindowsFormats) {
    char text[16];
    EXPECT_EQ(StringCchPrintfA(text, 16, "%lu|%S|%I64d", DWORD{7}, L"w", LONGLONG{-1}), S_OK);
    EXPECT_STREQ(text, "7|w|-1");
    EXPECT_EQ(StringCchPrintfA(text, 4, "%d", 123456), kTooLong);
    EXPECT_STREQ(text, "123");
    WCHAR wide[8];
    EXPECT_EQ(StringCchPrintfW(wide, 8, L"%s-%S", L"ab", "cd"), S_OK);
    EXPECT_STREQ(wide, L"ab-cd");
    EXPECT_EQ(StringCbPrintfW(wide, 3 * sizeof(WCHAR), L"%d", 1234), kTooLong);
    EXPECT_STREQ(wide, L"12");
}

TEST(StrSafe, TellsWhereTheEndIs) {
    char text[8];
    char* end = nullptr;
    std::size_t left = 0;
    EXPECT_EQ(StringCchCopyExA(text, 8, "abc", &end, &left, 0), S_OK);
    EXPECT_EQ(end, text + 3);
    EXPECT_EQ(left, 5u) << "with the end";
    EXPECT_EQ(StringCchPrintfExA(end, left, &end, &left, 0, "%d", 42), S_OK);
    EXPECT_STREQ(text, "abc42");
    EXPECT_EQ(left, 3u);
    EXPECT_EQ(StringCchCatExA(text, 8, "xyzzy", &end, &left, 0), kTooLong);
    EXPECT_EQ(end, text + 7);
    EXPECT_EQ(left, 1u);
    WCHAR wide[8];
    WCHAR* wide_end = nullptr;
    EXPECT_EQ(StringCbCopyExW(wide, sizeof wide, L"abc", &wide_end, &left, 0), S_OK);
    EXPECT_EQ(wide_end, wide + 3);
    EXPECT_EQ(left, 5 * sizeof(WCHAR)) << "in bytes";
}

TEST(StrSafe, DoesWhatTheFlagsAskFor) {
    char text[6] = "qqqqq";
    EXPECT_EQ(StringCchCopyExA(text, 6, nullptr, nullptr, nullptr, STRSAFE_IGNORE_NULLS), S_OK);
    EXPECT_STREQ(text, "");
    EXPECT_EQ(StringCchCopyExA(text, 6, "ab", nullptr, nullptr, STRSAFE_FILL_BYTE('#')), S_OK);
    EXPECT_EQ(std::string(text, 6), std::string("ab\0###", 6));
    EXPECT_EQ(StringCchCopyExA(text, 6, "0123456", nullptr, nullptr, STRSAFE_FAILURE_BYTE('-')), kTooLong);
    EXPECT_STREQ(text, "-----");
    EXPECT_EQ(StringCchCopyExA(text, 6, "0123456", nullptr, nullptr, STRSAFE_NULL_ON_FAILURE), kTooLong);
    EXPECT_STREQ(text, "");
    EXPECT_EQ(StringCchCopyA(text, 6, "ab"), S_OK);
    EXPECT_EQ(StringCchCatExA(text, 6, "0123456", nullptr, nullptr, STRSAFE_NO_TRUNCATION), kTooLong);
    EXPECT_STREQ(text, "ab") << "as it was";
    EXPECT_EQ(StringCchCopyExA(text, 6, "0123456", nullptr, nullptr, STRSAFE_NO_TRUNCATION), kTooLong);
    EXPECT_STREQ(text, "");
    EXPECT_EQ(StringCchCopyExA(text, 6, "a", nullptr, nullptr, 0x10000), kWrong) << "no such flag";
}

TEST(StrSafe, MeasuresWithinTheRoom) {
    std::size_t length = 9;
    EXPECT_EQ(StringCchLengthA("abc", 4, &length), S_OK);
    EXPECT_EQ(length, 3u);
    EXPECT_EQ(StringCchLengthA("abc", 3, &length), kWrong) << "it does not end there";
    EXPECT_EQ(length, 0u);
    EXPECT_EQ(StringCchLengthW(nullptr, 3, nullptr), kWrong);
    EXPECT_EQ(StringCbLengthW(L"abc", 4 * sizeof(WCHAR), &length), S_OK);
    EXPECT_EQ(length, 3 * sizeof(WCHAR));
}

}  // namespace
}  // namespace opennd
