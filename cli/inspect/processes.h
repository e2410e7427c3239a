// SPDX-License-Identifier: MIT
//
// The processes of this host that use OpenND, as they tell of themselves (docs/inspection.md).
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace nd {

struct ProcessAnswer {
    unsigned pid;
    nlohmann::ordered_json report;  // null: it gave none
    std::string refusal;            // why not
};

// report, or the same with queues and memory, or the last events: docs/inspection.md.
enum class Ask { report, objects, events };

// All that can be found, or the one.
std::vector<ProcessAnswer> ask_processes(Ask what = Ask::report);
ProcessAnswer ask_process(unsigned pid, Ask what = Ask::report);

}  // namespace nd
