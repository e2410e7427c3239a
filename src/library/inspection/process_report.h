// SPDX-License-Identifier: MIT
// What this process does, as JSON: docs/inspection.md lists the members.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/adapter/activity.h"
#include "core/adapter/adapter_catalog.h"
#include "library/inspection/standing_requests.h"
#include "library/json/json.h"
#include "library/settings/setting_table.h"
#include "model/face.h"
#include "platform/process/clock.h"
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

// The histograms of requests at one interface, as JSON: docs/inspection.md lists the members.
ordered_json latency_json(const watch::Latencies& latencies, std::uint32_t interface_index);

// Adds the queues and the memory of an interface to `interface`. `standing`: of the looks before; `look`: when this one began. Any thread, without locks. Throws
// std::bad_alloc.
void report_objects(Activity& activity, StandingRequests& standing, SteadyTime look, ordered_json& interface);

// The owner of an object in the words of NDK-STAT-12.
inline const char* owner_of(Face face) { return face == Face::ndk ? "kernel" : "user"; }

inline std::int64_t milliseconds_of(std::chrono::nanoseconds time) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
}

// Connections of this process that are not up yet, attempts and requests that wait at its listeners: `interface` gets the members `attempts` and `endpoints` (docs/inspection.md). Any thread, without locks; throws std::bad_alloc, as
// the other does.
void report_pending(Activity& activity, ordered_json& interface);

// Tells report_pending()'s connections of all interfaces as sentences, with their ages; of listeners those where requests wait. Any
// thread, without locks; throws std::bad_alloc.
std::vector<std::string> pending_lines(AdapterCatalog& adapters);

}  // namespace opennd
