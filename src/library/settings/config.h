// SPDX-License-Identifier: MIT
// The texts of opennd_transport_select and opennd_overrun_select, and of the settings in their place.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/overrun_rule.h"

namespace opennd {

// Reads "shm,loopback" (these, tried in this order) or "^loopback" (the usual ones but this), or both mixed; an empty list
// means the usual ones. `available` is in the default order; `usual` are those of it that need not be named. Each failure is logged with the names that are available.
//   invalid_parameter  a name that is not available, or nothing left to choose
Result<std::vector<std::string>> choose_transports(std::string_view list, std::span<const std::string> available,
                                                   std::span<const std::string> usual);

// Reads "forgiving" or "strict"; an empty text means forgiving (ND2-CQ-OVR-03). A failure is logged.
//   invalid_parameter  another word
Result<OverrunRule> choose_overrun_rule(std::string_view name);

}  // namespace opennd
