// SPDX-License-Identifier: MIT
// Calls the registered callbacks before memory goes away.
#pragma once

#include "win32/secure_memory.h"

namespace opennd::windows {

// Tells them, before the memory goes; with no lock held, for they call back.
void tell_that_memory_goes(void* address, SIZE_T bytes) noexcept;

}  // namespace opennd::windows
