// SPDX-License-Identifier: MIT
//
// The processes of this host that use OpenND, as they tell of themselves (docs/inspection.md).
#pragma once

#include <nlohmann/json.hpp>

#include <opennd.h>

#include <chrono>
#include <string>
#include <vector>

namespace nd {

struct ProcessAnswer {
    unsigned pid = 0;
    nlohmann::ordered_json report;  // null: it gave none
    std::string refusal;            // why not
    HRESULT status = ND_SUCCESS;    // of opennd_process_report; ND_INVALID_PARAMETER: the report has no known form
    std::chrono::steady_clock::time_point when = {};  // the answer was there
};

// report, or the same with queues and memory, or the last events: docs/inspection.md.
enum class Ask { report, objects, events };

// All that can be found, at once: those that do not answer take three seconds together. 256 at a time; behind so many silent ones the others
// are given up too.
std::vector<ProcessAnswer> ask_processes(Ask what = Ask::report);
ProcessAnswer ask_process(unsigned pid, Ask what = Ask::report);

// The one that is named, or with 0 all. Throws std::runtime_error where the one gives no report.
std::vector<ProcessAnswer> ask_processes(unsigned pid, Ask what = Ask::report);

// Why a process gave none, by the status of opennd_process_report and its kin; null: for another reason than those known.
const char* reason_of_silence(HRESULT status);

// A line for each that gave none.
void print_refusals(const std::vector<ProcessAnswer>& answers);

// A line for each that has faults on purpose.
void print_faults(const std::vector<ProcessAnswer>& answers);

}  // namespace nd
