// SPDX-License-Identifier: MIT
// Text of 32-bit characters, which wchar_t is here, to UTF-8 and back. What is no text is replaced, never refused.
#pragma once

#include <string>
#include <string_view>

namespace opennd::windows {

std::string to_utf8(std::wstring_view text);
std::wstring from_utf8(std::string_view text);

}  // namespace opennd::windows
