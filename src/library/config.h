// SPDX-License-Identifier: MIT
// What the environment and opennd_transport_select say.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace opennd {

// Reads "shm,loopback" (these, tried in this order) or "^loopback" (all but this one), or both mixed; an empty list
// means all. `available` is in the default order. Each failure is logged with what there is to choose from.
//   invalid_parameter  a name that is not available, or nothing left to choose
Result<std::vector<std::string>> choose_transports(std::string_view list, std::span<const std::string> available);

}  // namespace opennd
