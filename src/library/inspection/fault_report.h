// SPDX-License-Identifier: MIT
// The faults on purpose as JSON: rules with their counts, and a line that was read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "transport/faults/faults.h"

namespace opennd {

// [{"rule": ..., "events": ..., "injected": ...}]
nlohmann::ordered_json faults_json(const std::vector<faults::RuleCount>& rules);
std::string fault_counts(const std::vector<faults::RuleCount>& rules);

// "kinds"; then "seed" and "rules", or "fault" with "position", "token" and "expected".
std::string fault_line_report(std::string_view line);

}  // namespace opennd
