// SPDX-License-Identifier: MIT
// The newest posts and results of each queue as JSON, and as lines for people.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "library/json/json.h"
#include "transport/watch/watch.h"

namespace opennd {

ordered_json request_events_json(const watch::Watch& watch);

struct RequestLine {
    std::chrono::system_clock::time_point at;
    int thread;
    std::string text;
};
// Of all queues, the oldest first.
std::vector<RequestLine> request_lines(const watch::Watch& watch);

}  // namespace opennd
