// SPDX-License-Identifier: MIT
// The newest posts and results of each queue as JSON, and as lines for people.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "library/json/json.h"
#include "transport/recording/recorder.h"

namespace opennd {

ordered_json request_events_json(const recording::Recorder& recorder);

struct RequestLine {
    std::chrono::system_clock::time_point at;
    int thread;
    std::string text;
};
// Of all queues, the oldest first.
std::vector<RequestLine> request_lines(const recording::Recorder& recorder);

}  // namespace opennd
