// SPDX-License-Identifier: MIT
// The words of a profile: the limits that it may lower and the quirks that it may have, one row each.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <variant>

#include "model/adapter_abilities.h"

namespace opennd {

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

}  // namespace opennd
