// SPDX-License-Identifier: MIT
// The faults on purpose as JSON: rules with their counts, and a line that was read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "library/json/json.h"
#include "transport/faults/faults.h"
#include "transport/faults/plan.h"

namespace opennd {

// [{"rule": ..., "events": ..., "injected": ...}]
ordered_json faults_json(const std::vector<faults::RuleCount>& rules);
std::string fault_counts(const std::vector<faults::RuleCount>& rules);

// The kind or trigger that the wrong word nearly is; empty: it resembles none.
std::string_view meant_by(const faults::LineFault& fault);
// The fault, with the word that was meant.
std::string describe_fault(const faults::LineFault& fault);

// "kinds"; then "seed" and "rules", or "fault" with "position", "token", "expected", and "meant" where the word resembles one.
std::string fault_line_report(std::string_view line);

}  // namespace opennd
