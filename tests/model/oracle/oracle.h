// SPDX-License-Identifier: MIT
//
// The oracle: the promises of Network Direct, checked for a whole run. It is pure: from a program and the events of both sides
// it finds broken rules. Where threads decide, several outcomes are allowed; where the order of events decides, one is.
#pragma once

#include <string>
#include <vector>

#include "model/play/board.h"

namespace opennd::modeled {

struct Finding {
    std::string rule;  // short and without numbers: a smaller program that breaks the same rule fails the same way
    std::string told;  // the observation
    std::uint32_t operation;  // ~0u: of the run
};

struct Judgement {
    std::vector<Finding> findings;
    std::uint64_t requests = 0, bytes = 0;  // that had results, and were compared
};

Judgement judge(const Program& program, const Board& board);

}  // namespace opennd::modeled
