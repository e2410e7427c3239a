// SPDX-License-Identifier: MIT
// A number that tells this host from others.
#pragma once

#include <cstdint>

namespace opennd {

// The same in all processes that share a network, from one start of the machine to the next; another one on another machine
// or in another network namespace, but for chance. 0 if the kernel does not tell. Any thread.
std::uint32_t host_id();

}  // namespace opennd
