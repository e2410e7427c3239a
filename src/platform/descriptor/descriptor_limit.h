// SPDX-License-Identifier: MIT
// How many descriptors this process may have.
#pragma once

#include <cstddef>

namespace opennd {

// The limit in force now (RLIMIT_NOFILE): programs raise it as they go.
std::size_t descriptor_limit();

}  // namespace opennd
