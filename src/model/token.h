// SPDX-License-Identifier: MIT
// The number that names registered memory: the STag of iWARP, the lkey or rkey of verbs. 0 never grants anything.
#pragma once

#include <cstdint>

namespace opennd {

enum class Token : std::uint32_t { none = 0 };

constexpr std::uint32_t value(Token token) { return static_cast<std::uint32_t>(token); }

}  // namespace opennd
