// SPDX-License-Identifier: MIT
//
// What `nd doctor` found out about one thing that OpenND needs or uses.
#pragma once

#include <string>
#include <vector>

namespace nd {

enum class Verdict { good, note, problem };

struct Finding {
    Verdict verdict;
    std::string subject;           // "descriptors"
    std::string found;             // "1024, at most 524288"
    std::string consequence = {};  // what OpenND does therefore; empty where it does as ever
    std::string remedy = {};       // what to change; empty where nothing helps or is needed
};

using Findings = std::vector<Finding>;

}  // namespace nd
