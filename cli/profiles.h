// SPDX-License-Identifier: MIT
//
// The profiles of NICs, as the library knows them: for `nd info`, and for docs/profiles.md.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <ostream>

namespace nd {

// The profile of this process with the peculiarities of its NIC that are not imitated; null: none. Throws NdError if
// OPENND_PROFILE names none that exists.
nlohmann::ordered_json profile_json();
void print_profile(const nlohmann::ordered_json& profile);

// All of them: published figures, what Query gives, sources.
nlohmann::ordered_json profiles_json();
void print_profiles(const nlohmann::ordered_json& profiles);

// The tables of docs/profiles.md.
void write_profile_tables(std::ostream& out);

}  // namespace nd
