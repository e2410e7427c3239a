// SPDX-License-Identifier: MIT
//
// A worker: a process that plays one side of programs, or both, each by a thread, for as long as its master wants.
#pragma once

#include "model/play/board.h"

namespace opennd::modeled {

inline constexpr int kCommands = 3, kBoard = 4;  // descriptors of a worker

// `sides` is "0", "1" or "01". Returns when the master has gone.
int work(const char* sides);

}  // namespace opennd::modeled
