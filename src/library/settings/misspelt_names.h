// SPDX-License-Identifier: MIT
// Variables of the environment that look like a setting and are none.
#pragma once

#include <span>
#include <string_view>

namespace opennd {

// The setting whose name `variable` nearly has; empty if it has a setting's name, or resembles none.
std::string_view setting_meant_by(std::string_view variable);

// The one of `names` that `word` nearly is; empty if it resembles none.
std::string_view nearest_name(std::string_view word, std::span<const std::string_view> names);

// One line of the log for each variable of the environment that nearly has a setting's name.
void name_misspelt_settings(std::span<const std::string_view> variables);

}  // namespace opennd
