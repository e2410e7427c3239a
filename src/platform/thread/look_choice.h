// SPDX-License-Identifier: MIT
// Chooses whether a thread that expects more work looks for it before it sleeps: by a setting, or by the number of processors.
// look_pacing.h says when and for how long.
#pragma once

#include <cstddef>
#include <string>

#include "platform/tuning/choice.h"

namespace opennd {

struct LookChoice {
    bool looks;
    Ground ground;
    std::string reason;
};
LookChoice choice_by_processors(std::size_t processors);

// The choice of this process; the first call makes it. Throws std::bad_alloc. Any thread.
const LookChoice& look_choice();
// Makes it. Without effect if it is made.
void pin_looks(bool looks);

// The choice as `nd info --tuning` shows it.
Choice shown(const LookChoice& choice);

}  // namespace opennd
