// SPDX-License-Identifier: MIT
// A number that differs between hosts.
#pragma once

#include <cstdint>

namespace opennd {

// The same in all processes that share a network, from one start of the machine to the next; different on another
// machine or in another network namespace, but for chance. 0 if the kernel gives none. Any thread.
std::uint32_t host_id();

}  // namespace opennd
