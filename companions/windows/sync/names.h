// SPDX-License-Identifier: MIT
// Names of events and mutexes, by which Windows shares them between processes. There are none here, and that is said.
#pragma once

#include "win32/types.h"

namespace opennd::windows {

// Null, with ERROR_NOT_SUPPORTED, and a line in the log: a program that went on with an object of its own would wait for ever.
HANDLE refuse_name(const char* function);

}  // namespace opennd::windows
