// SPDX-License-Identifier: MIT
// The status of a request of ReadFileEx or WriteFileEx, in its OVERLAPPED.
#pragma once

#include <atomic>

#include "win32/types.h"

namespace opennd::windows {

inline std::atomic_ref<ULONG_PTR> status_of(OVERLAPPED& overlapped) {
    return std::atomic_ref<ULONG_PTR>(overlapped.Internal);
}

// Waits until the request is complete. Waiting and waking are both of this library: libopennd has waiters of its own.
void wait_for_file_request(OVERLAPPED& overlapped);

}  // namespace opennd::windows
