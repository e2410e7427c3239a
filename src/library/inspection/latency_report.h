// SPDX-License-Identifier: MIT
// The histograms of requests at one interface, as JSON: docs/inspection.md lists the members.
#pragma once

#include <cstdint>

#include "library/json/json.h"
#include "transport/watch/latency/latencies.h"

namespace opennd {

ordered_json latency_json(const watch::Latencies& latencies, std::uint32_t interface_index);

}  // namespace opennd
