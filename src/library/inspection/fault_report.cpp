// SPDX-License-Identifier: MIT
// See fault_report.h.
#include "library/inspection/fault_report.h"

#include "transport/faults/plan.h"

namespace opennd {
namespace {

using nlohmann::ordered_json;

std::string written(const ordered_json& json) {
    return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace

ordered_json faults_json(const std::vector<faults::RuleCount>& rules) {
    ordered_json all = ordered_json::array();
    for (const faults::RuleCount& each : rules)
        all.push_back({{"rule", each.text}, {"events", each.events}, {"injected", each.injected}});
    return all;
}

std::string fault_counts(const std::vector<faults::RuleCount>& rules) { return written(faults_json(rules)); }

std::string fault_line_report(std::string_view line) {
    ordered_json known = ordered_json::array();
    for (const faults::Kind& kind : faults::kinds())
        known.push_back({{"kind", kind.name}, {"status", name(kind.status)}, {"meaning", kind.meaning}});
    ordered_json json = {{"kinds", std::move(known)}};
    faults::LineFault fault;
    if (const auto plan = faults::parse_plan(line, fault)) {
        ordered_json rules = ordered_json::array();
        for (const faults::Rule& rule : plan->rules) rules.push_back(rule.text);
        json["seed"] = plan->seed;
        json["rules"] = std::move(rules);
    } else {
        json["fault"] = {{"position", fault.position}, {"token", fault.token}, {"expected", fault.expected}};
    }
    return written(json);
}

}  // namespace opennd
