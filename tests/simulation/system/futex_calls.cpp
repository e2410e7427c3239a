// SPDX-License-Identifier: MIT
// The calls by which threads wait for a word of memory, and order their stores.
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdarg>
#include <ctime>
#include <optional>

#include "simulation/system/call.h"
#include "simulation/system/real.h"

using namespace opennd::simulation;
namespace real = opennd::simulation::real;

namespace {

// As std::atomic waits and notifies, and with a time limit.
long futex(World& world, const long values[6]) {
    const auto* const word = reinterpret_cast<const int*>(values[0]);
    const auto operation = values[1] & FUTEX_CMD_MASK;
    if (operation == FUTEX_WAIT || operation == FUTEX_WAIT_BITSET) {
        world.step(Step::sleeps);
        if (__atomic_load_n(word, __ATOMIC_RELAXED) != static_cast<int>(values[2])) return failed(EAGAIN);
        std::optional<Nanoseconds> deadline;
        if (const auto* const limit = reinterpret_cast<const timespec*>(values[3]); limit)
            deadline = (operation == FUTEX_WAIT ? world.time() : 0) + limit->tv_sec * kSecond + limit->tv_nsec;
        return world.wait(world.waiting_at(word), deadline) ? 0 : failed(ETIMEDOUT);
    }
    long woken = 0;
    while (woken < values[2] && world.wake_one(world.waiting_at(word))) ++woken;
    world.step(Step::woken);
    return woken;
}

}  // namespace

extern "C" {

long syscall(long number, ...) __THROW {
    va_list arguments;
    va_start(arguments, number);
    long values[6];
    for (long& value : values) value = va_arg(arguments, long);
    va_end(arguments);
    if (World* const world = calling_world(); world && number == SYS_futex) return futex(*world, values);
    // Stores of one thread are seen by the others at once: a barrier has nothing to do.
    if (number == SYS_membarrier) return values[0] == 0 ? ~0L & 0x7fffffff : 0;
    return real::syscall(number, values[0], values[1], values[2], values[3], values[4], values[5]);
}

}  // extern "C"
