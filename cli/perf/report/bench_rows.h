// SPDX-License-Identifier: MIT
//
// `nd perf --bench`: the figures that the side-by-side benchmark reads, one JSON object on a line.
#pragma once

#include "perf/plan/perf_options.h"
#include "perf/run/perf_client.h"

namespace nd {

// BENCH_SIZES (bytes, separated by commas) and BENCH_MS (milliseconds of one point) come from the environment. Latencies
// are means; bandwidth is of 4 KiB up, rates are of 8 bytes. The prefix of a row is the transport that was taken.
void print_bench_rows(PerfClient& client, const PerfOptions& options, const ND2_ADAPTER_INFO& limits);

}  // namespace nd
