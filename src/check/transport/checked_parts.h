// SPDX-License-Identifier: MIT
// What all objects of the checked transport share.
#pragma once

#include <atomic>
#include <cstdint>

#include "check/diagnostics.h"
#include "check/transport/filled_memory.h"
#include "check/transport/request_index.h"

namespace opennd {

// Lives as long as the library.
struct CheckedParts {
    Diagnostics& diagnostics;
    FilledMemory filled;
    RequestIndex requests;
};

}  // namespace opennd
