// SPDX-License-Identifier: MIT
//
// The word that a user meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nd {

// The one that `wrong` differs from by the fewest letters, if they are few; empty if none is near. Two neighbours in the wrong
// order are one mistake.
std::string nearest_word(std::string_view wrong, const std::vector<std::string>& words);

// "; did you mean send_lat?", or nothing.
std::string did_you_mean(std::string_view wrong, const std::vector<std::string>& words);

}  // namespace nd
