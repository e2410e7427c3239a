// SPDX-License-Identifier: MIT
//
// The serving side of `nd perf`. It knows nothing but where to listen: each point comes from the client.
#pragma once

#include "perf/plan/perf_options.h"
#include "self/self_server.h"

namespace nd {

// Serves one client, or with persist many. Uses local, port, persist and cpus of the options.
void serve_measurements(const PerfOptions& options, const ReadyFunction& ready);

}  // namespace nd
