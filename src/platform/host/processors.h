// SPDX-License-Identifier: MIT
// The processors of this machine, and those this process may run on.
#pragma once

#include <cstddef>
#include <cstdint>

namespace opennd {

// One bit for each of the first 64 processors. Never 0. Any thread.
std::uint64_t usable_processors();

// How many this machine has in use; at least 1. Any thread.
std::size_t online_processors();

}  // namespace opennd
