// SPDX-License-Identifier: MIT
//
// Shrinking: a smaller program that breaks the same rule.
#pragma once

#include <chrono>
#include <functional>

#include "model/program/program.h"

namespace opennd::modeled {

// `fails` plays a program once. Threads decide with the seed, so that a program is tried as often as its parent needed.
Program shrink(Program program, const std::function<bool(const Program&)>& fails, std::chrono::seconds patience);

}  // namespace opennd::modeled
