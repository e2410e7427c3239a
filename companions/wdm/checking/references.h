// SPDX-License-Identifier: MIT
// Threads as objects with a count of references, and handles that are one reference each.
#pragma once

#include <atomic>

#include "kernel/threads.h"

// Begins with a dispatcher header, for KeWaitForSingleObject.
struct _KTHREAD {
    DISPATCHER_HEADER header;
    std::atomic<LONG> references;
    std::atomic<LONG> id;  // the system's; 0: it has not begun
};

namespace opennd::wdm {

void add_reference(_KTHREAD& thread);
void drop_reference(_KTHREAD& thread);

// The handle takes over one reference. Throws std::bad_alloc.
HANDLE open_handle(_KTHREAD& thread);

}  // namespace opennd::wdm
