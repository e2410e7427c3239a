// SPDX-License-Identifier: MIT
// The last events of this process, as JSON, whose members docs/inspection.md lists, or as text.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "core/adapter/adapter_catalog.h"
#include "library/json/json.h"
#include "transport/recording/recorder.h"

namespace opennd {

// `recorder`: has the events of requests too; null: nobody records them. `adapters`: for pending connections (pending.h). Any thread,
// without locks. Throws std::bad_alloc.
std::string event_report(const recording::Recorder* recorder, AdapterCatalog& adapters);

// The same as `nd dump` prints them: a line each, with time and thread.
std::string event_text(const recording::Recorder* recorder, AdapterCatalog& adapters);

// The newest posts and results of each queue as JSON, and as lines for people.
ordered_json request_events_json(const recording::Recorder& recorder);

struct RequestLine {
    std::chrono::system_clock::time_point at;
    int thread;
    std::string text;
};
// Of all queues, the oldest first.
std::vector<RequestLine> request_lines(const recording::Recorder& recorder);

}  // namespace opennd
