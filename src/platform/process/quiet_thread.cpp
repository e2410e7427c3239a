// SPDX-License-Identifier: MIT
// See quiet_thread.h.
#include "platform/process/quiet_thread.h"

#include <signal.h>

#include <cstring>
#include <utility>

#include "base/log.h"

namespace opennd {

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

}  // namespace opennd
