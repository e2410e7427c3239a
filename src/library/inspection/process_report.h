// SPDX-License-Identifier: MIT
// What this process does, as JSON: docs/inspection.md lists the members.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/adapter/adapter_catalog.h"
#include "library/inspection/standing_requests.h"
#include "library/settings/setting_table.h"
#include "transport/capture/capture.h"
#include "transport/faults/faults.h"
#include "transport/watch/latency/latencies.h"

namespace opennd {

// `version`: the library's. `settings`: those that the process got from the environment. Without `objects` the queues and the memory
// are left out, and no queue pair is looked into. Any thread, without locks. Throws std::bad_alloc.
struct ReportExtras {
    std::optional<capture::Counts> capture;  // that runs
    std::vector<faults::RuleCount> faults;   // the rules
    const watch::Latencies* latencies;       // null: nobody records them
    StandingRequests& standing;              // of the looks into this process
};
enum class ReportParts : std::uint8_t { connections, objects };
std::string process_report(std::string_view version, AdapterCatalog& adapters, const SettingsSet& settings,
                           ReportParts parts, const ReportExtras& extras);

}  // namespace opennd
