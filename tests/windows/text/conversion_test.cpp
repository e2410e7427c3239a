// SPDX-License-Identifier: MIT
// Wide text and bytes; comparing text.
#include <gtest/gtest.h>
#include <windows.h>

#include <string>

namespace opennd {
namespace {

TEST(CodePages, GiveWideTextFromBytes) {
    constexpr char kText[] = "gr\xC3\xBC\xC3\x9F \xF0\x9F\x99\x82";
    EXPECT_EQ(MultiByteToWideChar(CP_UTF8, 0, kText, -1, nullptr, 0), 7) << "the room needed, with the end";
    WCHAR wide[8];
    EXPECT_EQ(MultiByteToWideChar(CP_UTF8, 0, kText, -1, wide, 8), 7);
    EXPECT_STREQ(wide, L"gr\u00FC\u00DF \U0001F642");
    EXPECT_EQ(MultiByteToWideChar(CP_ACP, MB_PRECOMPOSED, kText, 4, wide, 8), 3) << "no end where a length is given";
    EXPECT_EQ(wide[2], 0xFC);
    EXPECT_EQ(MultiByteToWideChar(CP_UTF8, 0, kText, -1, wide, 6), 0);
    EXPECT_EQ(GetLastError(), 122u) << "ERROR_INSUFFICIENT_BUFFER";
}

// As Windows does since Vista.
TEST(CodePages, ReplaceOrRefuseWhatIsNoCharacter) {
    WCHAR wide[8];
    EXPECT_EQ(MultiByteToWideChar(CP_UTF8, 0, "\xC0\x41\x42", 3, wide, 8), 3);
    EXPECT_EQ(wide[0], 0xFFFD);
    EXPECT_EQ(wide[1], L'A');
    EXPECT_EQ(MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, "\xC0\x41\x42", 3, wide, 8), 0);
    EXPECT_EQ(GetLastError(), 1113u) << "ERROR_NO_UNICODE_TRANSLATION";
    EXPECT_EQ(MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, "\xEF\xBF\xBD", 3, wide, 8), 1) << "U+FFFD itself";
    char bytes[8];
    const WCHAR half[] = {0xD800, 0};
    EXPECT_EQ(WideCharToMultiByte(CP_UTF8, 0, half, 1, bytes, 8, nullptr, nullptr), 3);
    EXPECT_EQ(std::string(bytes, 3), "\xEF\xBF\xBD");
    EXPECT_EQ(WideCharToMultiByte(CP_UTF8, WC_ERR_INVALID_CHARS, half, 1, bytes, 8, nullptr, nullptr), 0);
    EXPECT_EQ(GetLastError(), DWORD{ERROR_NO_UNICODE_TRANSLATION});
}

TEST(CodePages, GiveBytesOfWideText) {
    char bytes[8];
    EXPECT_EQ(WideCharToMultiByte(CP_UTF8, 0, L"\u00FCb", -1, nullptr, 0, nullptr, nullptr), 4);
    EXPECT_EQ(WideCharToMultiByte(CP_UTF8, 0, L"\u00FCb", -1, bytes, 8, nullptr, nullptr), 4);
    EXPECT_STREQ(bytes,
                 "\xC3\xBC"
                 "b");
    BOOL used = TRUE;
    EXPECT_EQ(WideCharToMultiByte(CP_ACP, 0, L"ab", 2, bytes, 8, "?", &used), 2);
    EXPECT_FALSE(used) << "nothing is missing from UTF-8";
    EXPECT_EQ(WideCharToMultiByte(CP_UTF8, 0, L"ab", 2, bytes, 8, nullptr, &used), 0);
    EXPECT_EQ(GetLastError(), 87u) << "ERROR_INVALID_PARAMETER";
}

TEST(CodePages, RefuseWhatMakesNoSense) {
    WCHAR wide[8];
    const auto refused = [&](UINT page, DWORD flags, LPCCH text, int length, LPWSTR out, int room) {
        SetLastError(0);
        EXPECT_EQ(MultiByteToWideChar(page, flags, text, length, out, room), 0);
        return GetLastError();
    };
    EXPECT_EQ(refused(1252, 0, "a", 1, wide, 8), DWORD{ERROR_INVALID_PARAMETER}) << "another encoding";
    EXPECT_EQ(refused(CP_UTF8, 0, "a", 0, wide, 8), DWORD{ERROR_INVALID_PARAMETER});
    EXPECT_EQ(refused(CP_UTF8, 0, "a", -2, wide, 8), DWORD{ERROR_INVALID_PARAMETER});
    EXPECT_EQ(refused(CP_UTF8, 0, nullptr, 1, wide, 8), DWORD{ERROR_INVALID_PARAMETER});
    EXPECT_EQ(refused(CP_UTF8, 0, "a", 1, nullptr, 8), DWORD{ERROR_INVALID_PARAMETER});
    EXPECT_EQ(refused(CP_UTF8, 0, "a", 1, wide, -1), DWORD{ERROR_INVALID_PARAMETER});
    EXPECT_EQ(refused(CP_UTF8, MB_PRECOMPOSED, "a", 1, wide, 8), 1004u) << "ERROR_INVALID_FLAGS";
}

int compare(LPCWSTR one, LPCWSTR other, DWORD flags = 0) {
    return CompareStringW(LOCALE_INVARIANT, flags, one, -1, other, -1);
}

TEST(Comparison, IsForPeople) {
    EXPECT_EQ(compare(L"abc", L"abc"), 2) << "CSTR_EQUAL";
    EXPECT_EQ(compare(L"abc", L"abd"), 1) << "CSTR_LESS_THAN";
    EXPECT_EQ(compare(L"b", L"abc"), 3) << "CSTR_GREATER_THAN";
    EXPECT_EQ(compare(L"B", L"a"), CSTR_GREATER_THAN) << "letters before capitals";
    EXPECT_EQ(compare(L"a", L"A"), CSTR_LESS_THAN) << "a small one first";
    EXPECT_EQ(compare(L"aB", L"Aa"), CSTR_GREATER_THAN) << "case counts last";
    EXPECT_EQ(compare(L"_", L"1"), CSTR_LESS_THAN);
    EXPECT_EQ(compare(L"9", L"a"), CSTR_LESS_THAN);
    EXPECT_EQ(compare(L"ab", L"abc"), CSTR_LESS_THAN);
}

TEST(Comparison, LeavesCaseOutOnRequest) {
    EXPECT_EQ(compare(L"Gr\u00DCn", L"gR\u00FCN", NORM_IGNORECASE), CSTR_EQUAL);
    EXPECT_EQ(compare(L"abc", L"ABD", LINGUISTIC_IGNORECASE), CSTR_LESS_THAN);
    EXPECT_EQ(CompareStringW(LOCALE_USER_DEFAULT, 0, L"abcX", 3, L"abcY", 3), CSTR_EQUAL) << "so many characters";
    EXPECT_EQ(CompareStringA(LOCALE_SYSTEM_DEFAULT, NORM_IGNORECASE, "ABC", -1, "abc", -1), CSTR_EQUAL);
    EXPECT_EQ(CompareStringOrdinal(L"a", -1, L"B", -1, FALSE), CSTR_GREATER_THAN);
    EXPECT_EQ(CompareStringOrdinal(L"a", -1, L"B", -1, TRUE), CSTR_LESS_THAN);
    EXPECT_EQ(CompareStringOrdinal(L"a_", -1, L"Ab", -1, TRUE), CSTR_GREATER_THAN) << "'_' lies behind 'B'";
}

TEST(Comparison, RefusesWhatItDoesNotKnow) {
    EXPECT_EQ(CompareStringW(LOCALE_INVARIANT, 0, nullptr, -1, L"", -1), 0);
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_PARAMETER});
    EXPECT_EQ(CompareStringW(LOCALE_INVARIANT, 0x2, L"", -1, L"", -1), 0) << "NORM_IGNORENONSPACE";
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_FLAGS});
}

}  // namespace
}  // namespace opennd
