// SPDX-License-Identifier: MIT
// See known_profiles.h.
#include "library/profile/known_profiles.h"

#include "base/log.h"

namespace opennd {

const std::vector<ProfileFile>& known_profiles() {
    static const std::vector<ProfileFile> all = [] {
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
    }();
    return all;
}

}  // namespace opennd
