// SPDX-License-Identifier: MIT
// The setting OPENND_CHECK.
#pragma once

#include <cstdint>

namespace opennd {

enum class CheckMode : std::uint8_t {
    off,
    warn,   // a diagnostic is a line in the log: of a misuse at the level error, a note at the level warn
    abort,  // a misuse also ends the process
};

}  // namespace opennd
