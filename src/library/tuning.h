// SPDX-License-Identifier: MIT
// The list of the choices that are made for the machine.
#pragma once

#include <vector>

#include "platform/tuning/choice.h"

namespace opennd {

// All there are; makes those that are not made yet. The library has its settings by then. Throws std::bad_alloc. Any thread.
std::vector<Choice> choices_for_machine();

}  // namespace opennd
