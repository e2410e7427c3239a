// SPDX-License-Identifier: MIT
// Random bytes from the kernel, for tokens, nonces and names that a stranger must not guess.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace opennd {

// Fills all of `bytes`. Any thread. Never fails: on a kernel that refuses getrandom the bytes come from a mix of
// clocks, process id, stack address and a counter, which is unique but can be guessed; one warning is logged.
void fill_random(std::span<std::byte> bytes);

// Eight bytes of the above. May be 0.
std::uint64_t random_u64();

}  // namespace opennd
