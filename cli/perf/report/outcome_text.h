// SPDX-License-Identifier: MIT
//
// What was measured, in words, for table and page.
#pragma once

#include "perf/run/perf_client.h"

#include <string>

namespace nd {

// "none", "eth0 (25 Gb/s)"
std::string link_text(const Interface& interface);

// "send_lat: nd2, transport shm (mapping, process_vm), private memory, link none"
std::string title_text(const PointOutcome& outcome);

// "3 queue pairs, bidirectional, events, every byte verified"; empty where there is nothing special.
std::string conditions_text(const PointPlan& plan);

// Depths, moderation, warm-up, and the messages that were verified.
std::string plan_text(const PointOutcome& outcome);

}  // namespace nd
