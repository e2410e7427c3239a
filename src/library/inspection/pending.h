// SPDX-License-Identifier: MIT
// Connections of this process that are not up yet: attempts, and requests that wait at its listeners.
#pragma once

#include <string>
#include <vector>

#include "core/adapter/adapter_catalog.h"
#include "library/json/json.h"

namespace opennd {

// `interface` gets the members `attempts` and `endpoints` (docs/inspection.md). Any thread, without locks; throws std::bad_alloc, as
// the other does.
void report_pending(Activity& activity, ordered_json& interface);

// The same of all interfaces as sentences, with the ages; of listeners those where requests wait.
std::vector<std::string> pending_lines(AdapterCatalog& adapters);

}  // namespace opennd
