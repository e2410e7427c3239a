// SPDX-License-Identifier: MIT
// The processors this process may run on.
#pragma once

#include <cstdint>

namespace opennd {

// One bit for each of the first 64 processors. Never 0. Any thread.
std::uint64_t usable_processors();

}  // namespace opennd
