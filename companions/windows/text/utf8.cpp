// SPDX-License-Identifier: MIT
// See utf8.h.
#include "windows/text/utf8.h"

#include <cstdint>

namespace opennd::windows {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

constexpr char32_t kNone = 0xFFFFFFFF;  // bytes that are no character

constexpr bool is_number_of_character(char32_t c) { return c < 0xD800 || (c > 0xDFFF && c <= 0x10FFFF); }

void append(std::string& out, char32_t c) {
    if (!is_number_of_character(c)) c = kReplacement;
    const auto tail = [&](int shift) { out += static_cast<char>(0x80 | (c >> shift & 0x3F)); };
    if (c < 0x80) {
        out += static_cast<char>(c);
    } else if (c < 0x800) {
        out += static_cast<char>(0xC0 | c >> 6);
        tail(0);
    } else if (c < 0x10000) {
        out += static_cast<char>(0xE0 | c >> 12);
        tail(6);
        tail(0);
    } else {
        out += static_cast<char>(0xF0 | c >> 18);
        tail(12);
        tail(6);
        tail(0);
    }
}

// The character that starts at `at`, which moves behind it; kNone: there is none.
char32_t next(std::string_view text, std::size_t& at) {
    const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
    const std::uint8_t first = byte(at++);
    if (first < 0x80) return first;
    const int tails = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC2 ? 1 : 0;
    if (tails == 0 || first > 0xF4) return kNone;
    char32_t c = first & (0x3F >> tails);
    const std::size_t start = at;
    for (int i = 0; i < tails; ++i) {
        if (at == text.size() || (byte(at) & 0xC0) != 0x80) return at = start, kNone;
        c = c << 6 | (byte(at++) & 0x3F);
    }
    constexpr char32_t kLeast[] = {0, 0x80, 0x800, 0x10000};
    return c >= kLeast[tails] && is_number_of_character(c) ? c : kNone;
}

}  // namespace

std::string to_utf8(std::wstring_view text) {
    std::string out;
    out.reserve(text.size());
    for (const wchar_t c : text) append(out, static_cast<char32_t>(c));
    return out;
}

std::wstring from_utf8(std::string_view text) {
    std::wstring out;
    out.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const char32_t c = next(text, at);
        out += static_cast<wchar_t>(c == kNone ? kReplacement : c);
    }
    return out;
}

bool is_utf8(std::string_view text) {
    for (std::size_t at = 0; at < text.size();)
        if (next(text, at) == kNone) return false;
    return true;
}

bool is_character(wchar_t c) { return is_number_of_character(static_cast<char32_t>(c)); }

}  // namespace opennd::windows
