// SPDX-License-Identifier: MIT
// See fault_report.h.
#include "library/inspection/fault_report.h"

#include "base/format.h"
#include "library/settings/misspelt_names.h"

namespace opennd {
namespace {

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

std::string_view meant_by(const faults::LineFault& fault) {
    std::vector<std::string_view> words(faults::kTriggers.begin(), faults::kTriggers.end());
    for (const faults::Kind& kind : faults::kinds()) words.push_back(kind.name);
    const std::string_view name = std::string_view(fault.token).substr(0, fault.token.find('='));
    const std::string_view nearest = nearest_name(name, words);
    return nearest == name ? std::string_view{} : nearest;
}

std::string describe_fault(const faults::LineFault& fault) {
    const std::string_view meant = meant_by(fault);
    return meant.empty() ? faults::describe(fault) : format("{}; did you mean {}?", faults::describe(fault), meant);
}

std::string fault_line_report(std::string_view line) {
    ordered_json known = ordered_json::array();
    for (const faults::Kind& kind : faults::kinds()) {
        known.push_back({{"kind", kind.name}, {"status", name(kind.status)}, {"meaning", kind.meaning}});
        if (kind.takes_time()) known.back()["argument"] = "TIME";
    }
    ordered_json json = {{"kinds", std::move(known)}};
    faults::LineFault fault;
    if (const auto plan = faults::parse_plan(line, fault)) {
        ordered_json rules = ordered_json::array();
        for (const faults::Rule& rule : plan->rules) rules.push_back(rule.text);
        json["seed"] = plan->seed;
        json["rules"] = std::move(rules);
    } else {
        json["fault"] = {{"position", fault.position}, {"token", fault.token}, {"expected", fault.expected}};
        if (const std::string_view meant = meant_by(fault); !meant.empty()) json["fault"]["meant"] = meant;
    }
    return written(json);
}

}  // namespace opennd
