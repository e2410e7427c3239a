// SPDX-License-Identifier: MIT
// This host: its processors, its number, its system.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace opennd {

// The processors that this process may run on: one bit for each of the first 64. Never 0. Any thread.
std::uint64_t usable_processors();

// How many processors this machine has in use; at least 1. Any thread.
std::size_t online_processors();

// A number that differs between hosts: the same in all processes that share a network, from one start of the machine to the next; different on another
// machine or in another network namespace, but for chance. 0 if the kernel gives none. Any thread.
std::uint32_t host_id();

// The name and the release of this host's system: "Linux 6.1.0-18-amd64".
std::string system_name();

}  // namespace opennd
