// SPDX-License-Identifier: MIT
// CompareString: an order for people, the same on every host with any locales installed.
#include "win32/comparison.h"

#include <locale.h>
#include <wctype.h>

#include <algorithm>
#include <compare>
#include <cstring>
#include <cwchar>
#include <string>
#include <string_view>

#include "windows/last_error.h"
#include "windows/text/utf8.h"

using namespace opennd::windows;

namespace {

constexpr DWORD kIgnoreCase = NORM_IGNORECASE | LINGUISTIC_IGNORECASE;

// The classes of characters, for all languages; the C library has this locale built in. Never freed.
locale_t characters() {
    static const locale_t locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
    return locale;
}

wint_t small(wchar_t c) { return characters() != nullptr ? towlower_l(c, characters()) : towlower(c); }
wint_t capital(wchar_t c) { return characters() != nullptr ? towupper_l(c, characters()) : towupper(c); }
bool is_letter(wchar_t c) { return (characters() != nullptr ? iswalpha_l(c, characters()) : iswalpha(c)) != 0; }

// Signs, digits, letters.
int group(wchar_t c) { return c >= L'0' && c <= L'9' ? 1 : is_letter(c) ? 2 : 0; }

std::strong_ordering without_case(wchar_t one, wchar_t other) {
    if (const auto order = group(one) <=> group(other); order != 0) return order;
    return small(one) <=> small(other);
}

// A small letter comes first.
std::strong_ordering by_case(wchar_t one, wchar_t other) {
    return (one != static_cast<wchar_t>(small(one))) <=> (other != static_cast<wchar_t>(small(other)));
}

std::strong_ordering by_capitals(wchar_t one, wchar_t other) { return capital(one) <=> capital(other); }

std::strong_ordering by_number(wchar_t one, wchar_t other) {
    return static_cast<unsigned>(one) <=> static_cast<unsigned>(other);
}

std::strong_ordering compare(std::wstring_view one, std::wstring_view other,
                             std::strong_ordering (*characters_compare)(wchar_t, wchar_t)) {
    return std::lexicographical_compare_three_way(one.begin(), one.end(), other.begin(), other.end(),
                                                  characters_compare);
}

int result(std::strong_ordering order) {
    return order < 0 ? CSTR_LESS_THAN : order > 0 ? CSTR_GREATER_THAN : CSTR_EQUAL;
}

int compare_for_people(std::wstring_view one, std::wstring_view other, DWORD flags) {
    auto order = compare(one, other, without_case);
    if (order == 0 && (flags & kIgnoreCase) == 0) order = compare(one, other, by_case);
    return result(order);
}

// The code for wrong arguments; ERROR_SUCCESS: none is wrong.
DWORD fault(const void* one, int length, const void* other, int other_length, DWORD flags) {
    if (one == nullptr || other == nullptr || length < -1 || other_length < -1) return ERROR_INVALID_PARAMETER;
    return (flags & ~(kIgnoreCase | SORT_STRINGSORT)) != 0 ? ERROR_INVALID_FLAGS : ERROR_SUCCESS;
}

std::wstring_view text(const wchar_t* text, int length) {
    return {text, length == -1 ? std::wcslen(text) : static_cast<std::size_t>(length)};
}
std::wstring text(const char* text, int length) {
    return from_utf8({text, length == -1 ? std::strlen(text) : static_cast<std::size_t>(length)});
}

}  // namespace

int CompareStringA(LCID, DWORD dwCmpFlags, LPCCH lpString1, int cchCount1, LPCCH lpString2, int cchCount2) {
    if (const DWORD wrong = fault(lpString1, cchCount1, lpString2, cchCount2, dwCmpFlags)) return fail(wrong, 0);
    return compare_for_people(text(lpString1, cchCount1), text(lpString2, cchCount2), dwCmpFlags);
}

int CompareStringW(LCID, DWORD dwCmpFlags, LPCWCH lpString1, int cchCount1, LPCWCH lpString2, int cchCount2) {
    if (const DWORD wrong = fault(lpString1, cchCount1, lpString2, cchCount2, dwCmpFlags)) return fail(wrong, 0);
    return compare_for_people(text(lpString1, cchCount1), text(lpString2, cchCount2), dwCmpFlags);
}

int CompareStringOrdinal(LPCWCH lpString1, int cchCount1, LPCWCH lpString2, int cchCount2, BOOL bIgnoreCase) {
    if (const DWORD wrong = fault(lpString1, cchCount1, lpString2, cchCount2, 0)) return fail(wrong, 0);
    return result(
        compare(text(lpString1, cchCount1), text(lpString2, cchCount2), bIgnoreCase ? by_capitals : by_number));
}
