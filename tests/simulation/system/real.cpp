// SPDX-License-Identifier: MIT
// Looked up behind this program's own definitions; see real.h.
#include "simulation/system/real.h"

#include <dlfcn.h>

namespace opennd::simulation::real {
namespace {

template <typename Function>
Function* find(const char* name) {
    return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*main)(void*), void* argument) {
    static auto* const call = find<int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>("pthread_create");
    return call(thread, attributes, main, argument);
}

int pthread_sigmask(int how, const sigset_t* set, sigset_t* before) {
    static auto* const call = find<int(int, const sigset_t*, sigset_t*)>("pthread_sigmask");
    return call(how, set, before);
}

int sched_yield() {
    static auto* const call = find<int()>("sched_yield");
    return call();
}

int close(int fd) {
    static auto* const call = find<int(int)>("close");
    return call(fd);
}

ssize_t read(int fd, void* to, size_t bytes) {
    static auto* const call = find<ssize_t(int, void*, size_t)>("read");
    return call(fd, to, bytes);
}

ssize_t write(int fd, const void* from, size_t bytes) {
    static auto* const call = find<ssize_t(int, const void*, size_t)>("write");
    return call(fd, from, bytes);
}

ssize_t preadv2(int fd, const iovec* parts, int count, off_t offset, int flags) {
    static auto* const call = find<ssize_t(int, const iovec*, int, off_t, int)>("preadv2");
    return call(fd, parts, count, offset, flags);
}

int poll(pollfd* entries, nfds_t count, int timeout_ms) {
    static auto* const call = find<int(pollfd*, nfds_t, int)>("poll");
    return call(entries, count, timeout_ms);
}

int ioctl(int fd, unsigned long request, void* argument) {
    static auto* const call = find<int(int, unsigned long, ...)>("ioctl");
    return call(fd, request, argument);
}

int fcntl(int fd, int command, long argument) {
    static auto* const call = find<int(int, int, ...)>("fcntl");
    return call(fd, command, argument);
}

long syscall(long number, long a, long b, long c, long d, long e, long f) {
    static auto* const call = find<long(long, ...)>("syscall");
    return call(number, a, b, c, d, e, f);
}

int clock_gettime(clockid_t clock, timespec* time) {
    static auto* const call = find<int(clockid_t, timespec*)>("clock_gettime");
    return call(clock, time);
}

ssize_t getrandom(void* to, size_t bytes, unsigned flags) {
    static auto* const call = find<ssize_t(void*, size_t, unsigned)>("getrandom");
    return call(to, bytes, flags);
}

int getrlimit(int resource, rlimit* limit) {
    static auto* const call = find<int(int, rlimit*)>("getrlimit");
    return call(resource, limit);
}

pid_t getpid() {
    static auto* const call = find<pid_t()>("getpid");
    return call();
}

int getifaddrs(ifaddrs** list) {
    static auto* const call = find<int(ifaddrs**)>("getifaddrs");
    return call(list);
}

void freeifaddrs(ifaddrs* list) {
    static auto* const call = find<void(ifaddrs*)>("freeifaddrs");
    call(list);
}

char* getenv(const char* name) {
    static auto* const call = find<char*(const char*)>("getenv");
    return call(name);
}

int pthread_join(pthread_t thread, void** result) {
    static auto* const call = find<int(pthread_t, void**)>("pthread_join");
    return call(thread, result);
}

int pthread_detach(pthread_t thread) {
    static auto* const call = find<int(pthread_t)>("pthread_detach");
    return call(thread);
}

int pthread_setname_np(pthread_t thread, const char* name) {
    static auto* const call = find<int(pthread_t, const char*)>("pthread_setname_np");
    return call(thread, name);
}

int nanosleep(const timespec* time, timespec* left) {
    static auto* const call = find<int(const timespec*, timespec*)>("nanosleep");
    return call(time, left);
}

ssize_t process_vm_readv(pid_t pid, const iovec* local, unsigned long locals, const iovec* remote,
                         unsigned long remotes, unsigned long flags) {
    static auto* const call =
        find<ssize_t(pid_t, const iovec*, unsigned long, const iovec*, unsigned long, unsigned long)>(
            "process_vm_readv");
    return call(pid, local, locals, remote, remotes, flags);
}

ssize_t process_vm_writev(pid_t pid, const iovec* local, unsigned long locals, const iovec* remote,
                          unsigned long remotes, unsigned long flags) {
    static auto* const call =
        find<ssize_t(pid_t, const iovec*, unsigned long, const iovec*, unsigned long, unsigned long)>(
            "process_vm_writev");
    return call(pid, local, locals, remote, remotes, flags);
}

}  // namespace opennd::simulation::real
