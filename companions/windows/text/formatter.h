// SPDX-License-Identifier: MIT
// printf as Windows' C library has it, written as UTF-8. Differences from this system's: `l` means 32 bits, `I64`,
// `I32` and `I` are sizes, %s in a wide format is wide text and %S the other kind, %p is 16 digits, %wZ is a
// UNICODE_STRING.
#pragma once

#include <cstdarg>
#include <string>

namespace opennd::windows {

// The arguments are consumed; %n and a format that ends within a conversion end the text there.
std::string format(const char* format, va_list arguments);
std::string format(const wchar_t* format, va_list arguments);

}  // namespace opennd::windows
