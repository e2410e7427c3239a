// SPDX-License-Identifier: MIT
// Text of Windows' C library.
#include <gtest/gtest.h>
#include <stdio.h>
#include <tchar.h>
#include <unistd.h>
#include <windows.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace opennd {
namespace {

TEST(Text, IsCopiedIfItFits) {
    char narrow[4] = "x";
    wchar_t wide[4] = L"x";
    EXPECT_EQ(strcpy_s(narrow, "abc"), 0);
    EXPECT_STREQ(narrow, "abc");
    EXPECT_EQ(wcscpy_s(wide, L"abc"), 0);
    EXPECT_STREQ(wide, L"abc");
    EXPECT_EQ(strcpy_s(narrow, 4, "abcd"), ERANGE);
    EXPECT_STREQ(narrow, "");
    EXPECT_EQ(wcscpy_s(wide, 4, L"abcd"), ERANGE);
    EXPECT_EQ(strcpy_s(nullptr, 4, "a"), EINVAL);
    EXPECT_EQ(strcpy_s(narrow, 0, "a"), EINVAL);
    EXPECT_EQ(strcpy_s(narrow, 4, nullptr), EINVAL);
}

TEST(Text, IsAppendedAndCut) {
    char narrow[6] = "ab";
    EXPECT_EQ(strcat_s(narrow, "cd"), 0);
    EXPECT_EQ(strncat_s(narrow, "ef", 1), 0);
    EXPECT_STREQ(narrow, "abcde");
    EXPECT_EQ(strncpy_s(narrow, "1234567", _TRUNCATE), STRUNCATE);
    EXPECT_STREQ(narrow, "12345");
    EXPECT_EQ(strncpy_s(narrow, "1234567", 3), 0);
    EXPECT_STREQ(narrow, "123");
    EXPECT_EQ(strcat_s(narrow, 6, "45678"), ERANGE);
    wchar_t wide[6] = L"ab";
    EXPECT_EQ(wcscat_s(wide, L"cd"), 0);
    EXPECT_EQ(wcsncat_s(wide, 6, L"ef", _TRUNCATE), STRUNCATE);
    EXPECT_STREQ(wide, L"abcde");
    EXPECT_EQ(wcsncpy_s(wide, L"12", 2), 0);
    EXPECT_STREQ(wide, L"12");
}

TEST(Text, OfBytesIsCopiedOrZeroed) {
    char target[4] = {1, 2, 3, 4};
    EXPECT_EQ(memcpy_s(target, 4, "ab", 2), 0);
    EXPECT_EQ(target[1], 'b');
    EXPECT_EQ(memcpy_s(target, 4, "abcdef", 6), ERANGE);
    EXPECT_EQ(target[0], 0);
    EXPECT_EQ(memcpy_s(nullptr, 4, "ab", 2), EINVAL);
}

TEST(Text, IsComparedAndDuplicated) {
    EXPECT_EQ(_stricmp("ABC", "abc"), 0);
    EXPECT_EQ(_wcsicmp(L"ABC", L"abc"), 0);
    EXPECT_LT(_strnicmp("ABCx", "abcy", 4), 0);
    EXPECT_EQ(_wcsnicmp(L"ABCx", L"abcy", 3), 0);
    char* const narrow = _strdup("a");
    wchar_t* const wide = _wcsdup(L"b");
    EXPECT_STREQ(narrow, "a");
    EXPECT_STREQ(wide, L"b");
    free(narrow);
    free(wide);
}

TEST(Text, OfTheSystemMayBeNull) {
    EXPECT_EQ(lstrlenA("abc"), 3);
    EXPECT_EQ(lstrlenW(L"grün"), 4);
    EXPECT_EQ(lstrlenA(nullptr) + lstrlenW(nullptr), 0);
    EXPECT_EQ(lstrcmpA("a", "a"), 0);
    EXPECT_LT(lstrcmpW(L"a", L"b"), 0);
    EXPECT_EQ(lstrcmpiA("LIB", "lib"), 0);
    EXPECT_EQ(lstrcmpiW(L"LIB", L"lib"), 0);
    EXPECT_LT(lstrcmpW(nullptr, L""), 0);
    EXPECT_GT(lstrcmpiA("", nullptr), 0);
    EXPECT_EQ(lstrcmpiW(nullptr, nullptr), 0);
}

TEST(Text, BecomesNumbers) {
    EXPECT_EQ(_wtoi(L" -12x"), -12);
    EXPECT_EQ(_wtol(L"99999999999"), INT32_MAX);
    EXPECT_EQ(_wtoi64(L"99999999999"), 99999999999);
    EXPECT_EQ(_atoi64("-99999999999"), -99999999999);
}

TEST(Scanning, TakesSizesForText) {
    int number = 0;
    LONG narrow_long = 7;
    LONG guard = 7;
    INT64 wide = 0;
    char word[8], set[8], two[2];
    EXPECT_EQ(sscanf_s("12 -3 12345678901 word x=ab! yz", "%d %ld %I64d %s x=%[a-z]! %c%c", &number, &narrow_long,
                       &wide, word, 8u, set, 8u, &two[0], 1u, &two[1], 1u),
              7);
    EXPECT_EQ(number, 12);
    EXPECT_EQ(narrow_long, -3);
    EXPECT_EQ(guard, 7);
    EXPECT_EQ(wide, 12345678901);
    EXPECT_STREQ(word, "word");
    EXPECT_STREQ(set, "ab");
    EXPECT_EQ(two[1], 'z');
    EXPECT_EQ(sscanf_s("toolong", "%s", word, 4u), 0);
    EXPECT_EQ(sscanf_s("5%", "%*d%% %d", &number), EOF);
    EXPECT_EQ(sscanf_s("", "%d", &number), EOF);
    EXPECT_EQ(sscanf_s("x", "%d", &number), 0);
}

TEST(Files, AreOpenedByWidePaths) {
    std::string folder = (std::filesystem::temp_directory_path() / "opennd_text_XXXXXX").string();  // mkdtemp's pattern
    ASSERT_NE(mkdtemp(folder.data()), nullptr);
    const std::string path = folder + "/grün";
    const std::wstring wide_path = std::wstring(folder.begin(), folder.end()) + L"/grün";
    FILE* file = nullptr;
    ASSERT_EQ(_wfopen_s(&file, wide_path.c_str(), L"wt, ccs=UTF-8"), 0);
    fputws(L"größer\nnext", file);
    file = _wfreopen(wide_path.c_str(), L"r", file);
    ASSERT_NE(file, nullptr);
    wchar_t line[16];
    EXPECT_EQ(fgetws(line, 16, file), line);
    EXPECT_STREQ(line, L"größer\n");
    EXPECT_EQ(fgetws(line, 3, file), line);
    EXPECT_STREQ(line, L"ne");
    fclose(file);
    ASSERT_EQ(fopen_s(&file, path.c_str(), "r"), 0);
    fclose(file);
    EXPECT_EQ(_wfopen(L"/nowhere/at/all", L"r"), nullptr);
    EXPECT_NE(fopen_s(&file, "/nowhere/at/all", "r"), 0);
    EXPECT_EQ(file, nullptr);
    EXPECT_EQ(_fcloseall(), 0);
    unlink(path.c_str());
    rmdir(folder.c_str());
}

TEST(AlignedMemory, IsAligned) {
    void* const memory = _aligned_malloc(100, 256);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % 256, 0u);
    _aligned_free(memory);
    EXPECT_EQ(_aligned_malloc(100, 3), nullptr);
    EXPECT_NE(_alloca(16), nullptr);
}

TEST(Entry, ArgumentsAreWide) {
    char program[] = "p", text[] = "grün";
    char* arguments[] = {program, text, nullptr};
    wchar_t** const wide = opennd_wide_arguments(2, arguments);
    EXPECT_STREQ(wide[0], L"p");
    EXPECT_STREQ(wide[1], L"grün");
    EXPECT_EQ(wide[2], nullptr);
}

}  // namespace
}  // namespace opennd
