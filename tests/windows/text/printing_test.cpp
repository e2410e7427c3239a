// SPDX-License-Identifier: MIT
// printf and its kin with Windows' formats: to memory, to streams, in both widths.
#include <gtest/gtest.h>
#include <stdio.h>
#include <windows.h>

#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <cwchar>
#include <string>

namespace opennd {
namespace {

template <typename... Arguments>
std::string text(const char* format, Arguments... arguments) {
    char buffer[400];
    const int length = snprintf(buffer, sizeof buffer, format, arguments...);
    return std::string(buffer, static_cast<std::size_t>(length));
}

template <typename... Arguments>
std::wstring text(const wchar_t* format, Arguments... arguments) {
    wchar_t buffer[400];
    const int length = swprintf(buffer, 400, format, arguments...);
    return std::wstring(buffer, static_cast<std::size_t>(length));
}

TEST(Format, LongHas32Bits) {
    EXPECT_EQ(text("%ld %lu %lx %08lX", LONG{-5}, ULONG{4'000'000'000u}, DWORD{255}, DWORD{255}),
              "-5 4000000000 ff 000000FF");
    EXPECT_EQ(text("%ld|%lu", 77l, 78ul), "77|78") << "a long of this system, as long as it fits";
    EXPECT_EQ(text(L"%ld %lu", LONG{-5}, ULONG{4'000'000'000u}), L"-5 4000000000");
    EXPECT_EQ(text("%08x %#x", static_cast<HRESULT>(0xC0000120u), static_cast<HRESULT>(0x80000005u)),
              "c0000120 0x80000005");
}

TEST(Format, KnowsWindowsSizes) {
    EXPECT_EQ(text("%I64d %I64u %I64x %lld %llu", INT64_MIN, UINT64_MAX, UINT64{1} << 40, INT64{-1}, UINT64{2}),
              "-9223372036854775808 18446744073709551615 10000000000 -1 2");
    EXPECT_EQ(text("%Id %Iu %zu %I32d", INT64{-1} << 33, SIZE_T{1} << 33, sizeof(int), -3),
              "-8589934592 8589934592 4 -3");
    EXPECT_EQ(text("%hu %hd %hhu %hhd", 65537, 65535, 257, 255), "1 -1 1 -1");
    EXPECT_EQ(text("%p", reinterpret_cast<void*>(0xABCu)), "0000000000000ABC");
    EXPECT_EQ(text("%jd %td", intmax_t{4}, ptrdiff_t{5}), "4 5");
}

TEST(Format, TextIsOfTheFormatsKindUnlessItSaysOtherwise) {
    EXPECT_EQ(text("%s %S %hs %ls %ws", "a", L"ä", "b", L"ö", L"ü"), "a ä b ö ü");
    EXPECT_EQ(text(L"%s %S %hs %ls", L"ä", "a", "b", L"ö"), L"ä a b ö");
    EXPECT_EQ(text("%c%C%hc%lc", 'a', L'ä', 'b', L'ö'), "aäbö");
    EXPECT_EQ(text(L"%c%C", L'ä', 'a'), L"äa");
    EXPECT_EQ(text("%s %S", static_cast<char*>(nullptr), static_cast<wchar_t*>(nullptr)), "(null) (null)");
    EXPECT_EQ(text("%S", L"\U0001F600"), "\xF0\x9F\x98\x80");
}

TEST(Format, PadsAndCuts) {
    EXPECT_EQ(text("[%5s][%-5s][%.2s][%*s][%-*.*s]", "ab", "ab", "abc", 4, "x", 4, 1, "yz"),
              "[   ab][ab   ][ab][   x][y   ]");
    EXPECT_EQ(text("[%5S][%.1S]", L"äö", L"äö"), "[   äö][ä]") << "characters, not bytes";
    EXPECT_EQ(text("[%5d][%-5d][%05d][%+d][%*d]", 42, 42, 42, 42, -5, 42), "[   42][42   ][00042][+42][42   ]");
    EXPECT_EQ(text("%.3f %8.2e %g %Lg", 1.5, 12345.678, 0.25, 0.5L), "1.500 1.23e+04 0.25 0.5");
    EXPECT_EQ(text("%100d", 1).size(), 100u);
    EXPECT_EQ(text("100%% %y %"), "100% y ");
}

TEST(Format, DoesNotWriteThroughTheFormat) {
    int count = 7;
    EXPECT_EQ(text("ab%ncd", &count), "ab");
    EXPECT_EQ(count, 7);
}

// The text that goes to a stream.
class Stream : public testing::Test {
protected:
    ~Stream() override {
        fclose(file_);
        free(memory_);
    }
    std::string written() {
        fflush(file_);
        return std::string(memory_, size_);
    }
    int narrow(const char* format, ...) {
        va_list arguments;
        va_start(arguments, format);
        const int length = vfprintf(file_, format, arguments);
        va_end(arguments);
        return length;
    }
    int wide(const wchar_t* format, ...) {
        va_list arguments;
        va_start(arguments, format);
        const int length = vfwprintf(file_, format, arguments);
        va_end(arguments);
        return length;
    }

    char* memory_ = nullptr;
    std::size_t size_ = 0;
    FILE* file_ = open_memstream(&memory_, &size_);
};

TEST_F(Stream, TakesBothWidths) {
    EXPECT_EQ(fwprintf(file_, L"grün %s\n", L"wide"), 10);
    EXPECT_EQ(fprintf(file_, "%s %lu\n", "narrow", DWORD{1}), 9);
    EXPECT_EQ(std::fprintf(file_, "%S\n", L"std"), 4);
    EXPECT_EQ(narrow("%ld ", LONG{-1}), 3);
    EXPECT_EQ(wide(L"%s\n", L"v"), 2);
    EXPECT_EQ(fputws(L"ß", file_), 0);
    EXPECT_EQ(written(), "grün wide\nnarrow 1\nstd\n-1 v\nß");
}

int print_both(const char* format, const wchar_t* wide_format, ...) {
    va_list arguments;
    va_start(arguments, wide_format);
    int length = vprintf(format, arguments);
    va_end(arguments);
    va_start(arguments, wide_format);
    length += vwprintf(wide_format, arguments);
    va_end(arguments);
    return length;
}

TEST(StandardOutput, TakesBothWidths) {
    testing::internal::CaptureStdout();
    EXPECT_EQ(wprintf(L"%s ", L"one"), 4);
    EXPECT_EQ(printf("%S ", L"two"), 4);
    EXPECT_EQ(print_both("%ld ", L"%ld ", 3), 4);
    EXPECT_EQ(_putws(L"end"), 0);
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "one two 3 3 end\n");
}

template <typename Char>
int v_forms(Char* buffer, const Char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = 0;
    if constexpr (sizeof(Char) == 1) {
        length = vsprintf(buffer, format, arguments);
        va_end(arguments);
        va_start(arguments, format);
        length += _vscprintf(format, arguments);
        va_end(arguments);
        va_start(arguments, format);
        EXPECT_EQ(wvsprintfA(buffer, format, arguments), length / 2);
    } else {
        length = vswprintf(buffer, 40, format, arguments);
        va_end(arguments);
        va_start(arguments, format);
        length += _vscwprintf(format, arguments);
        va_end(arguments);
        va_start(arguments, format);
        EXPECT_EQ(wvsprintfW(buffer, format, arguments), length / 2);
    }
    va_end(arguments);
    return length;
}

TEST(Memory, IsFilledCutOrRefused) {
    char buffer[8];
    EXPECT_EQ(sprintf(buffer, "%d", 12), 2);
    EXPECT_EQ(snprintf(buffer, 3, "%d", 12345), 5);
    EXPECT_STREQ(buffer, "12");
    EXPECT_EQ(sprintf_s(buffer, "%d", 1234567), 7);
    EXPECT_EQ(sprintf_s(buffer, 8, "%d", 12345678), -1);
    EXPECT_EQ(errno, ERANGE);
    EXPECT_STREQ(buffer, "");
    EXPECT_EQ(_snprintf(buffer, 8, "%d", 12345678), 8) << "all of it, no terminator";
    EXPECT_EQ(buffer[7], '8');
    EXPECT_EQ(_snprintf(buffer, 8, "%d", 123456789), -1);
    EXPECT_EQ(_snprintf_s(buffer, _TRUNCATE, "%d", 123456789), -1);
    EXPECT_STREQ(buffer, "1234567");
    EXPECT_EQ(_snprintf_s(buffer, 8, 3, "%d", 123456789), -1);
    EXPECT_STREQ(buffer, "123");
    EXPECT_EQ(_snprintf_s(buffer, 8, 7, "%d", 12), 2);
    EXPECT_EQ(_scprintf("%d", 123), 3);
    EXPECT_EQ(v_forms(buffer, "%ld", 5), 2);
    EXPECT_STREQ(buffer, "5");
}

TEST(Memory, OfWsprintfHasRoomFor1024) {
    char narrow[1025] = {};
    wchar_t wide[1025] = {};
    EXPECT_EQ(wsprintfA(narrow, "%s %hd %S", "a", 5, L"b"), 5);
    EXPECT_STREQ(narrow, "a 5 b");
    EXPECT_EQ(wsprintfW(wide, L"%s %lu %S", L"a", ULONG{5}, "b"), 5);
    EXPECT_STREQ(wide, L"a 5 b");
    narrow[1024] = 'x';
    wide[1024] = L'x';
    EXPECT_EQ(wsprintfA(narrow, "%2000d", 1), 1023);
    EXPECT_EQ(wsprintfW(wide, L"%2000d", 1), 1023);
    EXPECT_EQ(std::strlen(narrow), 1023u);
    EXPECT_EQ(std::wcslen(wide), 1023u);
    EXPECT_EQ(narrow[1024], 'x');
    EXPECT_EQ(wide[1024], L'x');
}

TEST(Memory, OfWideTextLikewise) {
    wchar_t buffer[8];
    EXPECT_EQ(swprintf(buffer, 8, L"%d", 12345678), -1);
    EXPECT_EQ(swprintf_s(buffer, L"%s", L"grün"), 4);
    EXPECT_STREQ(buffer, L"grün");
    EXPECT_EQ(swprintf_s(buffer, 4, L"%s", L"grün"), -1);
    EXPECT_EQ(_snwprintf(buffer, 8, L"%d", 123456789), -1);
    EXPECT_EQ(_snwprintf_s(buffer, 8, _TRUNCATE, L"%d", 123456789), -1);
    EXPECT_STREQ(buffer, L"1234567");
    EXPECT_EQ(_scwprintf(L"%s", L"ä"), 1);
    wchar_t wide[40];
    EXPECT_EQ(v_forms(wide, L"%ld", 5), 2);
}

}  // namespace
}  // namespace opennd
