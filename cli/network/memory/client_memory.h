// SPDX-License-Identifier: MIT
//
// How much a server of this command allocates for one client, who asks for it and is a stranger.
#pragma once

#include <cstdint>

namespace nd {

inline constexpr std::uint64_t kClientMemory = std::uint64_t{256} << 20;

// Throws std::runtime_error, with a text for the client, if `bytes` is more than `limit`.
void check_client_memory(std::uint64_t bytes, std::uint64_t limit);

}  // namespace nd
