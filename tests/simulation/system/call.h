// SPDX-License-Identifier: MIT
// The parts that the calls of the system have in common: the world that the calling thread belongs to, and the ends of a call.
#pragma once

#include <sys/types.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>

#include "simulation/file/file.h"
#include "simulation/world/trace.h"
#include "simulation/world/world.h"

namespace opennd::simulation {

// Null outside a run.
inline World* calling_world() {
    World* const world = World::now_running();
    return world && world->current() ? world : nullptr;
}

inline int failed(int error) {
    errno = error;
    return -1;
}

inline int outcome(int error) { return error == 0 ? 0 : failed(error); }

// The end of a call that gives bytes, or a negative errno.
inline ssize_t end_of(World& world, Step step, std::size_t length, ssize_t result) {
    if (result == -EAGAIN)
        world.step_in_vain(step, length);
    else
        world.step(step, length, static_cast<std::uint64_t>(result));
    return result < 0 ? failed(static_cast<int>(-result)) : result;
}

// Nothing is there.
inline int nothing(World& world, Step step) {
    world.step_in_vain(step);
    return failed(EAGAIN);
}

// The file behind a descriptor; null if it is none, or of another kind.
template <typename T>
T* found(int fd) {
    return calling_world()->files().find<T>(fd);
}

}  // namespace opennd::simulation
