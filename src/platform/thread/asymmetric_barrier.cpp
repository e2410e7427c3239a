// SPDX-License-Identifier: MIT
// membarrier(2), global expedited; see asymmetric_barrier.h.
#include "platform/thread/asymmetric_barrier.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace opennd {
namespace {

long membarrier(int command) { return ::syscall(SYS_membarrier, command, 0, 0); }

bool register_this_process() {
    constexpr long kNeeded = MEMBARRIER_CMD_GLOBAL_EXPEDITED | MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED;
    const long commands = membarrier(MEMBARRIER_CMD_QUERY);
    if (commands < 0 || (commands & kNeeded) != kNeeded) return false;
    return membarrier(MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED) == 0;
}

}  // namespace

bool asymmetric_barrier_available() {
    static const bool available = register_this_process();
    return available;
}

void heavy_barrier() {
    // Cannot fail once registered; the plain barrier keeps at least this side ordered if a sandbox came later.
    if (!asymmetric_barrier_available() || membarrier(MEMBARRIER_CMD_GLOBAL_EXPEDITED) != 0) full_barrier();
}

}  // namespace opennd
