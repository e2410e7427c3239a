// SPDX-License-Identifier: MIT
// Processors that a program names: bit n of group g is processor 64 * g + n.
#pragma once

#include <cstdint>

namespace opennd {

struct ProcessorGroup {
    std::uint16_t number = 0;
    std::uint64_t mask = 0;  // 0: the program has no wish
};

}  // namespace opennd
