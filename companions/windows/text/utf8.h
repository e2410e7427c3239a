// SPDX-License-Identifier: MIT
// Text of 32-bit characters, which wchar_t is here, to UTF-8 and back. Invalid sequences are replaced.
#pragma once

#include <string>
#include <string_view>

namespace opennd::windows {

std::string to_utf8(std::wstring_view text);
std::wstring from_utf8(std::string_view text);

// Whether nothing would be replaced.
bool is_utf8(std::string_view text);
bool is_character(wchar_t c);

}  // namespace opennd::windows
