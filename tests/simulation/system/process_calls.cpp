// SPDX-License-Identifier: MIT
// The calls of a process: its number, its end, its variables, its limits, random bytes, the memory of another.
#include <signal.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstdlib>

#include "simulation/system/call.h"
#include "simulation/system/real.h"
#include "simulation/world/dice.h"
#include "simulation/world/process.h"

using namespace opennd::simulation;
namespace real = opennd::simulation::real;

extern "C" {

ssize_t getrandom(void* bytes, size_t length, unsigned flags) {
    World* const world = calling_world();
    if (!world) return real::getrandom(bytes, length, flags);
    auto* const octets = static_cast<unsigned char*>(bytes);
    for (size_t i = 0; i < length; ++i) octets[i] = static_cast<unsigned char>(world->dice().below(256));
    return static_cast<ssize_t>(length);
}

int getrlimit(__rlimit_resource_t resource, rlimit* limit) __THROW {
    World* const world = calling_world();
    if (!world || resource != RLIMIT_NOFILE) return real::getrlimit(static_cast<int>(resource), limit);
    limit->rlim_cur = limit->rlim_max = 1 << 16;
    return 0;
}

char* getenv(const char* name) __THROW {
    World* const world = calling_world();
    return world ? world->process().variable(name) : real::getenv(name);
}

char* secure_getenv(const char* name) __THROW { return getenv(name); }

int kill(pid_t process, int signal) __THROW {
    World* const world = calling_world();
    if (!world) return static_cast<int>(real::syscall(SYS_kill, process, signal, 0, 0, 0, 0));
    if (signal != SIGKILL) return failed(EINVAL);
    return world->kill(process) ? 0 : failed(ESRCH);
}

pid_t getpid(void) __THROW {
    World* const world = calling_world();
    return world ? world->process().id() : real::getpid();
}

// One address space serves all processes.
ssize_t process_vm_readv(pid_t pid, const iovec* local, unsigned long locals, const iovec* remote,
                         unsigned long remotes, unsigned long flags) __THROW {
    World* const world = calling_world();
    if (world) world->step(Step::takes);
    if (world && world->was_killed(pid)) return failed(ESRCH);
    return real::process_vm_readv(real::getpid(), local, locals, remote, remotes, flags);
}

ssize_t process_vm_writev(pid_t pid, const iovec* local, unsigned long locals, const iovec* remote,
                          unsigned long remotes, unsigned long flags) __THROW {
    World* const world = calling_world();
    if (world) world->step(Step::sends);
    if (world && world->was_killed(pid)) return failed(ESRCH);
    return real::process_vm_writev(real::getpid(), local, locals, remote, remotes, flags);
}

}  // extern "C"
