// SPDX-License-Identifier: MIT
// See known_profiles.h.
#include "library/profile/known_profiles.h"

#include "base/kept_once.h"
#include "base/log.h"

namespace opennd {
namespace {

constinit KeptOnce<std::vector<ProfileFile>> kept_profiles;

std::vector<ProfileFile> read_built_in() {
    std::vector<ProfileFile> files;
    for (const std::string_view text : built_in_profiles()) {
        std::string fault;
        ProfileFile file = parse_profile(text, "built-in profile", fault);
        if (fault.empty())
            files.push_back(std::move(file));
        else
            log(LogLevel::error, "{}", fault);  // a test reads all of them
    }
    if (!files.empty())
        files.push_back(strictest("strict", "the smallest of all published limits, and every quirk", files));
    return files;
}

}  // namespace

const std::vector<ProfileFile>& known_profiles() {
    const std::vector<ProfileFile>* const kept = kept_profiles.get();
    return kept ? *kept : kept_profiles.keep(read_built_in());
}

}  // namespace opennd
