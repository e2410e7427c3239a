// SPDX-License-Identifier: MIT
// A profile as a file: JSON, comments allowed, in which each figure and each quirk names its source (docs/profiles.md).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/adapter_abilities.h"

namespace opennd {

// The words of a profile: the limits that it may lower and the quirks that it may have, one row each.
// A limit, by the name that ND2_ADAPTER_INFO gives it; "Ndk..." by that of NDK_ADAPTER_INFO.
struct LimitRow {
    std::string_view name;
    std::variant<std::uint32_t AdapterLimits::*, std::uint64_t AdapterLimits::*, std::uint64_t AdapterTraits::*> member;
    std::uint64_t least;  // with less an adapter is of no use
};
std::span<const LimitRow> limit_rows();

// The value of the row's limit.
std::uint64_t value_of(const LimitRow& row, const AdapterAbilities& abilities);
void set_value(const LimitRow& row, AdapterAbilities& abilities, std::uint64_t value);

struct QuirkRow {
    std::string_view name;
    std::string_view effect;  // of the imitation, for people
    void (*take)(Profile&);   // puts the quirk into a profile
};
std::span<const QuirkRow> quirk_rows();

// "iwarp", "infiniband", "roce", "roce_v2"; null: another word.
const Technology* find_technology(std::string_view name);
std::string_view name(Technology technology);

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
