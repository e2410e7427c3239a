// SPDX-License-Identifier: MIT
// The last events of this process, as JSON, whose members docs/inspection.md lists, or as text.
#pragma once

#include <string>

#include "core/adapter/adapter_catalog.h"
#include "transport/recording/recorder.h"

namespace opennd {

// `recorder`: has the events of requests too; null: nobody records them. `adapters`: for pending connections (pending.h). Any thread,
// without locks. Throws std::bad_alloc.
std::string event_report(const recording::Recorder* recorder, AdapterCatalog& adapters);

// The events as `nd dump` prints them: a line each, with time and thread.
std::string event_text(const recording::Recorder* recorder, AdapterCatalog& adapters);

}  // namespace opennd
