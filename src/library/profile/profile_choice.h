// SPDX-License-Identifier: MIT
// The profile that OPENND_PROFILE names.
#pragma once

#include <optional>
#include <string>
#include <string_view>

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

}  // namespace opennd
