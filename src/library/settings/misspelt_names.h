// SPDX-License-Identifier: MIT
// Names that a user wrote and nothing has: the nearest one that there is, and the variables of the environment.
#pragma once

#include <span>
#include <string_view>

namespace opennd {

// The one of `names` that `word` nearly is; empty if it resembles none.
std::string_view nearest_name(std::string_view word, std::span<const std::string_view> names);

// Whether something of this project reads it: a setting, a companion's, or one of the tests'.
bool is_known_variable(std::string_view variable);
// The known variable that `variable` nearly is, or begins with; empty if there is none. It begins with "OPENND_".
std::string_view known_variable_near(std::string_view variable);

// One line of the log for each variable of the environment with the prefix "OPENND_" that nothing reads.
void name_unknown_variables();

}  // namespace opennd
