// SPDX-License-Identifier: MIT
// Whether memory of this process has been freed, as far as anybody knows.
#pragma once

#include <cstddef>

namespace opennd::watch {

// In a program with the address sanitizer: the first byte lies in memory that was freed. False in all others: nobody tells.
bool is_known_as_freed(const void* address) noexcept;

}  // namespace opennd::watch
