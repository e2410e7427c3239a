// SPDX-License-Identifier: MIT
//
// The form of other processes' reports (docs/inspection.md): every member that a command reads. Another process wrote them, perhaps of
// another version, perhaps to do harm; a report that has the form is read without a further look.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace nd {

// Members that are not known here may be anything.
bool is_report(const nlohmann::ordered_json& answer);
bool is_report_with_objects(const nlohmann::ordered_json& answer);
bool is_list_of_events(const nlohmann::ordered_json& answer);

}  // namespace nd
