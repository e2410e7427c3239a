// SPDX-License-Identifier: MIT
// The profile that OPENND_PROFILE names, and those that it may name.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "library/profile/profile_file.h"
#include "library/settings/settings.h"

namespace opennd {

struct ProfileChoice {
    std::optional<ProfileFile> file;  // none: no profile is named, or the named one does not exist
    std::string fault;                // why there is none though one is named; no adapter opens then
};

// `wanted`: a name of known_profiles(), or the path of a file, which has a slash in it; empty: none. A fault is logged.
// Throws std::bad_alloc.
ProfileChoice choose_profile(std::string_view wanted);

// `settings` as the profile changes them, where `environment` does not decide.
Settings with_profile(Settings settings, const ProfileChoice& choice, const Environment& environment);

// The profiles that the library has without a file: those of data/profiles, and the strictest of all. In the order of their names, "strict" last. Read once in a process. Throws std::bad_alloc. Any thread.
const std::vector<ProfileFile>& known_profiles();

// The texts of data/profiles, made into the library by the build. Any thread.
std::span<const std::string_view> built_in_profiles();

}  // namespace opennd
