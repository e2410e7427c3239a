// SPDX-License-Identifier: MIT
// The list of transports.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "library/settings/settings.h"
#include "transport/soft/wire.h"

namespace opennd {

// All software transports, in order of preference; `names` gets the names of all transports, that of the hardware first.
std::vector<std::unique_ptr<soft::Wire>> make_wires(const Settings& settings, std::vector<std::string>& names);

}  // namespace opennd
