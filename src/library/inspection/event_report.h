// SPDX-License-Identifier: MIT
// The last events of this process, as JSON, whose members docs/inspection.md lists, or as text.
#pragma once

#include <string>

#include "core/adapter/adapter_catalog.h"
#include "transport/watch/watch.h"

namespace opennd {

// `recorder`: has the events of requests too; null: nobody records them. `adapters`: for pending connections (pending.h). Any thread,
// without locks. Throws std::bad_alloc.
std::string event_report(const watch::Watch* watch, AdapterCatalog& adapters);

// The same as `nd dump` prints them: a line each, with time and thread.
std::string event_text(const watch::Watch* watch, AdapterCatalog& adapters);

}  // namespace opennd
