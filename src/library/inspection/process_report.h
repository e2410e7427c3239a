// SPDX-License-Identifier: MIT
// What this process does, as JSON: docs/inspection.md lists the members.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/adapter/adapter_catalog.h"
#include "library/settings/setting_table.h"
#include "transport/capture/capture.h"

namespace opennd {

// `version`: the library's. `settings`: those that the process got from the environment. Without `objects` the queues and the memory
// are left out, and no queue pair is looked into. `capture`: of the one that runs. Any thread, without locks. Throws std::bad_alloc.
enum class ReportParts : std::uint8_t { connections, objects };
std::string process_report(std::string_view version, AdapterCatalog& adapters, const SettingsSet& settings,
                           ReportParts parts, const std::optional<capture::Counts>& capture);

}  // namespace opennd
