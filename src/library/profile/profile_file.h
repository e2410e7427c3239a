// SPDX-License-Identifier: MIT
// A profile as a file: JSON, comments allowed, in which each figure and each quirk names its source (docs/profiles.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "library/profile/figure_rows.h"
#include "model/adapter_abilities.h"

namespace opennd {

struct PublishedLimit {
    const LimitRow* row;
    std::uint64_t value;
    std::string source;
};

struct PublishedQuirk {
    const QuirkRow* row;
    std::string source;
};

// A peculiarity of the NIC that software adapters do not have.
struct MissingQuirk {
    std::string what;
    std::string source;
};

struct ProfileFile {
    std::string name;   // "cxgb4"
    std::string title;  // "Chelsio T4 to T6"
    Technology technology = Technology::iwarp;
    std::string technology_source;  // empty: the file does not say
    std::vector<PublishedLimit> limits;
    std::vector<PublishedQuirk> quirks;
    std::vector<MissingQuirk> not_imitated;
};

// The file as the core takes it.
Profile profile_of(const ProfileFile& file);

// `fault` names the first fault, behind `origin`; empty: there is none. Throws std::bad_alloc.
ProfileFile parse_profile(std::string_view text, std::string_view origin, std::string& fault);

// The smallest of all limits, and every quirk. `files` are not empty.
ProfileFile strictest(std::string_view name, std::string_view title, const std::vector<ProfileFile>& files);

}  // namespace opennd
