// SPDX-License-Identifier: MIT
// See signals.h.
#include "platform/process/signals.h"

#include <signal.h>
#include <time.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/log.h"

namespace opennd {
namespace {

constexpr int kRaised[] = {SIGXFSZ, SIGPIPE};

sigset_t raised() {
    sigset_t all;
    ::sigemptyset(&all);
    for (const int signal : kRaised) ::sigaddset(&all, signal);
    return all;
}

}  // namespace

Status QuietThread::start(const char* name, void* (*main)(void*), void* argument) {
    sigset_t all;
    sigset_t before;
    ::sigfillset(&all);
    for (const int fault : {SIGSEGV, SIGBUS}) ::sigdelset(&all, fault);  // they end copies (fault_handlers.h)
    ::pthread_sigmask(SIG_SETMASK, &all, &before);                       // the new thread inherits the mask
    const int error = ::pthread_create(&thread_, nullptr, main, argument);
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (error != 0) {
        log(LogLevel::error,
            "thread {}: it cannot be started: {}; raise the limit on threads of this user or container", name,
            std::strerror(error));
        return Status::insufficient_resources;
    }
    (void)::pthread_setname_np(thread_, name);
    started_ = true;
    return Status::success;
}

void QuietThread::join() {
    if (std::exchange(started_, false)) (void)::pthread_join(thread_, nullptr);
}

void QuietThread::detach() {
    if (std::exchange(started_, false)) (void)::pthread_detach(thread_);
}

QuietWrite::QuietWrite() noexcept {
    const sigset_t blocked = raised();
    ::pthread_sigmask(SIG_BLOCK, &blocked, &before_);
    ::sigpending(&pending_);
}

// Both signals go to the thread whose call raised them.
QuietWrite::~QuietWrite() {
    const int error = errno;
    for (const int signal : kRaised) {
        if (::sigismember(&pending_, signal) != 0) continue;
        sigset_t one;
        ::sigemptyset(&one);
        ::sigaddset(&one, signal);
        const timespec at_once{};
        while (::sigtimedwait(&one, nullptr, &at_once) < 0 && errno == EINTR) continue;
    }
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    errno = error;
}

}  // namespace opennd
