// SPDX-License-Identifier: MIT
// The list of transports.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "library/settings/settings.h"
#include "transport/soft/wire.h"

namespace opennd {

// All there are, in order of preference; `names` gets their names.
std::vector<std::unique_ptr<soft::Wire>> make_wires(const Settings& settings, std::vector<std::string>& names);

}  // namespace opennd
