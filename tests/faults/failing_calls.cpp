// SPDX-License-Identifier: MIT
//
// The functions that libopennd calls and that can fail. Not among them: getrlimit, sysconf, munmap and close, which
// fail for wrong arguments alone; membarrier, which is called by number, and cannot fail once it is registered
// (sandbox_test.cpp). read, write, poll and epoll_wait fail because of a signal alone: of descriptors that are the
// library's own they want nothing that could be missing.
// getpeername never says ENOTCONN of a socket that is connected: that means "not yet".
#include "faults/failing_calls.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstring>

namespace opennd::faults {
namespace {

// The error numbers of a function for each Cause.
struct Errors {
    int exhausted;
    int forbidden = EPERM;
    int absent = ENOSYS;
};

// Sequentially consistent, for calls come from the library's threads too.
std::atomic<bool> counting{false};
std::atomic<long> calls_left{0};
std::atomic<Cause> cause_now{Cause::exhausted};
std::atomic<const char*> failed_function{nullptr};
std::atomic<int> failed_error{0};

std::atomic<bool> interrupting{false};
std::atomic<long> interruptions{0};
thread_local bool interrupted_last = false;  // set when a call was interrupted, so that its repetition is not

std::atomic<const char*> failing_function{nullptr};
std::atomic<int> function_error{0};
std::atomic<long> function_failures{0};

int error_of(const Errors& errors, Cause cause) {
    switch (cause) {
        case Cause::exhausted: return errors.exhausted;
        case Cause::forbidden: return errors.forbidden;
        case Cause::absent: return errors.absent;
    }
    return errors.exhausted;
}

// The error of this call, or 0: it is passed on.
int failure_of(const char* function, const Errors& errors) {
    const char* const failing = failing_function.load();
    if (failing != nullptr && std::strcmp(failing, function) == 0) {
        ++function_failures;
        return function_error.load();
    }
    if (!counting.load() || calls_left.fetch_sub(1) != 0) return 0;
    const int error = error_of(errors, cause_now.load());
    failed_error.store(error);
    failed_function.store(function);
    return error;
}

template <typename Function>
Function* next(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

// A call of a function that a signal may interrupt.
bool interrupted() {
    if (!interrupting.load()) return false;
    interrupted_last = !interrupted_last;
    if (interrupted_last) ++interruptions;
    return interrupted_last;
}

// Passes the call on, or fails it as such functions do: errno, and `failure` for its result.
template <typename Result, typename... Parameters, typename... Arguments>
Result passed_on(Result (*function)(Parameters...), const char* name, const Errors& errors, Result failure,
                 Arguments... arguments) {
    if (const int error = failure_of(name, errors)) {
        errno = error;
        return failure;
    }
    return function(arguments...);
}

// The same for functions that a signal may interrupt.
template <typename Result, typename... Parameters, typename... Arguments>
Result passed_on_or_interrupted(Result (*function)(Parameters...), const char* name, const Errors& errors,
                                Arguments... arguments) {
    if (interrupted()) {
        errno = EINTR;
        return -1;
    }
    return passed_on(function, name, errors, Result{-1}, arguments...);
}

// The same for functions that fail only by interruption.
template <typename Result, typename... Parameters, typename... Arguments>
Result passed_on_unless_interrupted(Result (*function)(Parameters...), Arguments... arguments) {
    if (!interrupted()) return function(arguments...);
    errno = EINTR;
    return -1;
}

}  // namespace

FailingCall::FailingCall(long number, Cause cause) {
    cause_now.store(cause);
    failed_function.store(nullptr);
    calls_left.store(number);
    counting.store(true);
}

FailingCall::~FailingCall() { counting.store(false); }

bool FailingCall::failed() const { return failed_function.load() != nullptr; }

std::string FailingCall::text() const {
    const char* const function = failed_function.load();
    return function ? std::string(function) + ": " + std::strerror(failed_error.load()) : "no call";
}

Interruptions::Interruptions() {
    interruptions.store(0);
    interrupting.store(true);
}

Interruptions::~Interruptions() { interrupting.store(false); }

long Interruptions::count() const { return interruptions.load(); }

FailingFunction::FailingFunction(const char* function, int error) {
    function_failures.store(0);
    function_error.store(error);
    failing_function.store(function);
}

FailingFunction::~FailingFunction() { failing_function.store(nullptr); }

long FailingFunction::count() const { return function_failures.load(); }

}  // namespace opennd::faults

using opennd::faults::Errors;
using opennd::faults::next;
using opennd::faults::passed_on;
using opennd::faults::passed_on_or_interrupted;
using opennd::faults::passed_on_unless_interrupted;

// Found by the library, which is a shared object.
#pragma GCC visibility push(default)
extern "C" {

int memfd_create(const char* name, unsigned flags) noexcept {
    static auto* const real = next<int(const char*, unsigned)>("memfd_create");
    return passed_on(real, "memfd_create", Errors{EMFILE}, -1, name, flags);
}

int ftruncate(int fd, off_t length) noexcept {
    static auto* const real = next<int(int, off_t)>("ftruncate");
    return passed_on(real, "ftruncate", Errors{ENOSPC}, -1, fd, length);
}

void* mmap(void* address, size_t bytes, int protection, int flags, int fd, off_t offset) noexcept {
    // Straight to the kernel: sanitizers call this before they can look for another.
    constexpr auto real = +[](void* at, size_t length, int rights, int kind, int file, off_t from) {
        return reinterpret_cast<void*>(::syscall(SYS_mmap, at, length, rights, kind, file, from));
    };
    return passed_on(real, "mmap", Errors{ENOMEM, EPERM, ENODEV}, MAP_FAILED, address, bytes, protection, flags, fd,
                     offset);
}

int fcntl(int fd, int command, ...) {
    static auto* const real = next<int(int, int, ...)>("fcntl");
    va_list list;
    va_start(list, command);
    void* const argument = va_arg(list, void*);
    va_end(list);
    if (const int error = opennd::faults::failure_of("fcntl", {ENOMEM, EPERM, EINVAL})) {
        errno = error;
        return -1;
    }
    return real(fd, command, argument);
}

int open(const char* path, int flags, ...) {
    static auto* const real = next<int(const char*, int, ...)>("open");
    va_list list;
    va_start(list, flags);
    const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(list, mode_t) : 0;
    va_end(list);
    if (const int error = opennd::faults::failure_of("open", {EMFILE, EACCES, ENOENT})) {
        errno = error;
        return -1;
    }
    return real(path, flags, mode);
}

// No failure of a call: the result that a program with rights that its caller lacks gets for every variable.
char* secure_getenv(const char* variable) noexcept {
    static auto* const real = next<char*(const char*)>("secure_getenv");
    const char* const failing = opennd::faults::failing_function.load();
    return failing != nullptr && std::strcmp(failing, "secure_getenv") == 0 ? nullptr : real(variable);
}

int ioctl(int fd, unsigned long command, ...) noexcept {
    static auto* const real = next<int(int, unsigned long, ...)>("ioctl");
    va_list list;
    va_start(list, command);
    void* const argument = va_arg(list, void*);
    va_end(list);
    if (const int error = opennd::faults::failure_of("ioctl", {ENOMEM, EPERM, ENOTTY})) {
        errno = error;
        return -1;
    }
    return real(fd, command, argument);
}

int fstat(int fd, struct stat* file) noexcept {
    static auto* const real = next<int(int, struct stat*)>("fstat");
    return passed_on(real, "fstat", Errors{ENOMEM}, -1, fd, file);
}

int fstatfs(int fd, struct statfs* system) noexcept {
    static auto* const real = next<int(int, struct statfs*)>("fstatfs");
    return passed_on(real, "fstatfs", Errors{ENOMEM}, -1, fd, system);
}

int eventfd(unsigned count, int flags) noexcept {
    static auto* const real = next<int(unsigned, int)>("eventfd");
    return passed_on(real, "eventfd", Errors{EMFILE}, -1, count, flags);
}

int epoll_create1(int flags) noexcept {
    static auto* const real = next<int(int)>("epoll_create1");
    return passed_on(real, "epoll_create1", Errors{ENFILE}, -1, flags);
}

// A change and an end of a watch need nothing that could be missing.
int epoll_ctl(int epoll, int operation, int fd, epoll_event* event) noexcept {
    static auto* const real = next<int(int, int, int, epoll_event*)>("epoll_ctl");
    if (operation != EPOLL_CTL_ADD) return real(epoll, operation, fd, event);
    return passed_on(real, "epoll_ctl", Errors{ENOSPC}, -1, epoll, operation, fd, event);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*main)(void*), void* argument) noexcept {
    static auto* const real = next<int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>("pthread_create");
    if (const int error = opennd::faults::failure_of("pthread_create", {EAGAIN, EPERM, ENOSYS})) return error;
    return real(thread, attributes, main, argument);
}

int socket(int domain, int type, int protocol) noexcept {
    static auto* const real = next<int(int, int, int)>("socket");
    return passed_on(real, "socket", Errors{EMFILE, EACCES, EAFNOSUPPORT}, -1, domain, type, protocol);
}

int socketpair(int domain, int type, int protocol, int* ends) noexcept {
    static auto* const real = next<int(int, int, int, int*)>("socketpair");
    return passed_on(real, "socketpair", Errors{EMFILE, EACCES, EAFNOSUPPORT}, -1, domain, type, protocol, ends);
}

int bind(int fd, const sockaddr* address, socklen_t bytes) noexcept {
    static auto* const real = next<int(int, const sockaddr*, socklen_t)>("bind");
    return passed_on(real, "bind", Errors{ENOMEM, EACCES, EINVAL}, -1, fd, address, bytes);
}

int listen(int fd, int backlog) noexcept {
    static auto* const real = next<int(int, int)>("listen");
    return passed_on(real, "listen", Errors{ENOMEM, EPERM, EOPNOTSUPP}, -1, fd, backlog);
}

int accept4(int fd, sockaddr* address, socklen_t* bytes, int flags) {
    static auto* const real = next<int(int, sockaddr*, socklen_t*, int)>("accept4");
    return passed_on_or_interrupted(real, "accept4", Errors{EMFILE, EPERM, ECONNABORTED}, fd, address, bytes, flags);
}

int connect(int fd, const sockaddr* address, socklen_t bytes) {
    static auto* const real = next<int(int, const sockaddr*, socklen_t)>("connect");
    return passed_on(real, "connect", Errors{EADDRNOTAVAIL, EPERM, ENETUNREACH}, -1, fd, address, bytes);
}

int getsockopt(int fd, int level, int option, void* value, socklen_t* bytes) noexcept {
    static auto* const real = next<int(int, int, int, void*, socklen_t*)>("getsockopt");
    return passed_on(real, "getsockopt", Errors{ENOBUFS, EPERM, ENOPROTOOPT}, -1, fd, level, option, value, bytes);
}

int setsockopt(int fd, int level, int option, const void* value, socklen_t bytes) noexcept {
    static auto* const real = next<int(int, int, int, const void*, socklen_t)>("setsockopt");
    return passed_on(real, "setsockopt", Errors{ENOBUFS, EPERM, ENOPROTOOPT}, -1, fd, level, option, value, bytes);
}

int getsockname(int fd, sockaddr* address, socklen_t* bytes) noexcept {
    static auto* const real = next<int(int, sockaddr*, socklen_t*)>("getsockname");
    return passed_on(real, "getsockname", Errors{ENOBUFS}, -1, fd, address, bytes);
}

int getpeername(int fd, sockaddr* address, socklen_t* bytes) noexcept {
    static auto* const real = next<int(int, sockaddr*, socklen_t*)>("getpeername");
    return passed_on(real, "getpeername", Errors{ENOBUFS, EPERM, ENOBUFS}, -1, fd, address, bytes);
}

ssize_t sendmsg(int fd, const msghdr* message, int flags) {
    static auto* const real = next<ssize_t(int, const msghdr*, int)>("sendmsg");
    return passed_on_or_interrupted(real, "sendmsg", Errors{ENOBUFS, EPERM, ETOOMANYREFS}, fd, message, flags);
}

ssize_t recvmsg(int fd, msghdr* message, int flags) {
    static auto* const real = next<ssize_t(int, msghdr*, int)>("recvmsg");
    return passed_on_or_interrupted(real, "recvmsg", Errors{ENOMEM, EPERM, ECONNRESET}, fd, message, flags);
}

ssize_t send(int fd, const void* bytes, size_t count, int flags) {
    static auto* const real = next<ssize_t(int, const void*, size_t, int)>("send");
    return passed_on_or_interrupted(real, "send", Errors{ENOBUFS, EPERM, ENOMEM}, fd, bytes, count, flags);
}

ssize_t recv(int fd, void* bytes, size_t count, int flags) {
    static auto* const real = next<ssize_t(int, void*, size_t, int)>("recv");
    return passed_on_or_interrupted(real, "recv", Errors{ENOMEM, EPERM, ECONNRESET}, fd, bytes, count, flags);
}

int shutdown(int fd, int direction) noexcept {
    static auto* const real = next<int(int, int)>("shutdown");
    return passed_on(real, "shutdown", Errors{ENOTCONN}, -1, fd, direction);
}

ssize_t read(int fd, void* bytes, size_t count) {
    static auto* const real = next<ssize_t(int, void*, size_t)>("read");
    return passed_on_unless_interrupted(real, fd, bytes, count);
}

ssize_t write(int fd, const void* bytes, size_t count) {
    static auto* const real = next<ssize_t(int, const void*, size_t)>("write");
    return passed_on_unless_interrupted(real, fd, bytes, count);
}

int poll(pollfd* entries, nfds_t count, int timeout_ms) {
    static auto* const real = next<int(pollfd*, nfds_t, int)>("poll");
    return passed_on_unless_interrupted(real, entries, count, timeout_ms);
}

int epoll_wait(int epoll, epoll_event* events, int most, int timeout_ms) {
    static auto* const real = next<int(int, epoll_event*, int, int)>("epoll_wait");
    return passed_on_unless_interrupted(real, epoll, events, most, timeout_ms);
}

ssize_t readlink(const char* path, char* target, size_t bytes) noexcept {
    static auto* const real = next<ssize_t(const char*, char*, size_t)>("readlink");
    return passed_on(real, "readlink", Errors{ENOMEM, EACCES, ENOENT}, ssize_t{-1}, path, target, bytes);
}

ssize_t getrandom(void* bytes, size_t count, unsigned flags) {
    static auto* const real = next<ssize_t(void*, size_t, unsigned)>("getrandom");
    return passed_on_or_interrupted(real, "getrandom", Errors{EAGAIN}, bytes, count, flags);
}

ssize_t preadv2(int fd, const iovec* parts, int count, off_t offset, int flags) {
    static auto* const real = next<ssize_t(int, const iovec*, int, off_t, int)>("preadv2");
    return passed_on(real, "preadv2", Errors{ENOMEM, EPERM, EOPNOTSUPP}, ssize_t{-1}, fd, parts, count, offset, flags);
}

int madvise(void* address, size_t bytes, int advice) noexcept {
    static auto* const real = next<int(void*, size_t, int)>("madvise");
    return passed_on(real, "madvise", Errors{ENOMEM, EPERM, EINVAL}, -1, address, bytes, advice);
}

int getifaddrs(ifaddrs** list) noexcept {
    static auto* const real = next<int(ifaddrs**)>("getifaddrs");
    return passed_on(real, "getifaddrs", Errors{EMFILE, EPERM, EAFNOSUPPORT}, -1, list);
}

ssize_t process_vm_readv(pid_t pid, const iovec* local, unsigned long local_count, const iovec* remote,
                         unsigned long remote_count, unsigned long flags) noexcept {
    static auto* const real =
        next<ssize_t(pid_t, const iovec*, unsigned long, const iovec*, unsigned long, unsigned long)>(
            "process_vm_readv");
    return passed_on(real, "process_vm_readv", Errors{ENOMEM}, ssize_t{-1}, pid, local, local_count, remote,
                     remote_count, flags);
}

ssize_t process_vm_writev(pid_t pid, const iovec* local, unsigned long local_count, const iovec* remote,
                          unsigned long remote_count, unsigned long flags) noexcept {
    static auto* const real =
        next<ssize_t(pid_t, const iovec*, unsigned long, const iovec*, unsigned long, unsigned long)>(
            "process_vm_writev");
    return passed_on(real, "process_vm_writev", Errors{ENOMEM}, ssize_t{-1}, pid, local, local_count, remote,
                     remote_count, flags);
}

}  // extern "C"
#pragma GCC visibility pop
