// SPDX-License-Identifier: MIT
// Text in the width that a caller has, for functions with an A and a W form.
#pragma once

#include <string>
#include <string_view>

#include "windows/text/utf8.h"

namespace opennd::windows {

template <typename Char>
std::basic_string<Char> text_as(std::string_view utf8) {
    if constexpr (sizeof(Char) == 1)
        return std::string(utf8);
    else
        return from_utf8(utf8);
}

inline std::string utf8_of(const char* text) { return text; }
inline std::string utf8_of(const wchar_t* text) { return to_utf8(text); }

}  // namespace opennd::windows
