// SPDX-License-Identifier: MIT
// See printable.h.
#include "base/printable.h"

#include <array>
#include <cstddef>

namespace opennd {
namespace {

unsigned octet_at(std::string_view text, std::size_t at) {
    return at < text.size() ? static_cast<unsigned char>(text[at]) : 0u;
}

// The octets of the character at `at`, as UTF-8 says; 0: it is no character, or one that controls.
std::size_t printable_octets(std::string_view text, std::size_t at) {
    const unsigned first = octet_at(text, at);
    if (first < 0x80) return first >= 0x20 && first != 0x7F ? 1 : 0;
    const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4) return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((octet_at(text, at + i) & 0xC0) != 0x80) return 0;
    const unsigned second = octet_at(text, at + 1);
    const bool second_set = first == 0xC2 && second < 0xA0;
    const bool too_long = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
    return second_set || too_long ? 0 : length;
}

}  // namespace

std::string printable(std::string_view text) {
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    std::string result;
    result.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t octets = printable_octets(text, at);
        if (octets != 0) {
            result.append(text.substr(at, octets));
            at += octets;
            continue;
        }
        const unsigned octet = octet_at(text, at++);
        const std::array<char, 4> escaped{'\\', 'x', kDigits[octet >> 4], kDigits[octet & 15]};
        result.append(escaped.data(), escaped.size());
    }
    return result;
}

void make_printable(std::span<char> text) noexcept {
    const std::string_view read(text.data(), text.size());
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t octets = printable_octets(read, at);
        if (octets == 0) text[at] = '?';
        at += octets == 0 ? 1 : octets;
    }
}

}  // namespace opennd
