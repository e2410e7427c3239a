// SPDX-License-Identifier: MIT
// membarrier(2), global expedited; see asymmetric_barrier.h.
#include "platform/thread/asymmetric_barrier.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

namespace opennd {
namespace {

long membarrier(int command) { return ::syscall(SYS_membarrier, command, 0, 0); }

enum class Answer { not_asked, available, missing };
// The first answer stands. Relaxed: nothing else belongs to it. A child of fork has its parent's registration.
constinit std::atomic<Answer> answer{Answer::not_asked};

bool register_this_process() {
    constexpr long kNeeded = MEMBARRIER_CMD_GLOBAL_EXPEDITED | MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED;
    const long commands = membarrier(MEMBARRIER_CMD_QUERY);
    if (commands < 0 || (commands & kNeeded) != kNeeded) return false;
    return membarrier(MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED) == 0;
}

}  // namespace

bool asymmetric_barrier_available() {
    Answer known = answer.load(std::memory_order_relaxed);
    if (known == Answer::not_asked) {
        const Answer found = register_this_process() ? Answer::available : Answer::missing;
        if (answer.compare_exchange_strong(known, found, std::memory_order_relaxed)) known = found;
    }
    return known == Answer::available;
}

void heavy_barrier() {
    // Cannot fail once registered; the plain barrier keeps at least this side ordered if a sandbox came later.
    if (!asymmetric_barrier_available() || membarrier(MEMBARRIER_CMD_GLOBAL_EXPEDITED) != 0) full_barrier();
}

}  // namespace opennd
