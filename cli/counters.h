// SPDX-License-Identifier: MIT
//
// What NDIS would tell of each network interface: its NDK counters, of this process, and its capabilities.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace nd {

// An array with an object for each interface that is up: name, index, counters, capabilities. Throws NdError.
nlohmann::ordered_json interfaces_json();

// Prints the counters as text. `what`: "counters" or "capabilities".
void print_interfaces(const nlohmann::ordered_json& interfaces, const char* what);

}  // namespace nd
