// SPDX-License-Identifier: MIT
// The profiles that the library has without a file: those of data/profiles, and the strictest of all.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "library/profile/profile_file.h"

namespace opennd {

// In the order of their names, "strict" last. Read once in a process. Throws std::bad_alloc. Any thread.
const std::vector<ProfileFile>& known_profiles();

// The texts of data/profiles, made into the library by the build. Any thread.
std::span<const std::string_view> built_in_profiles();

}  // namespace opennd
