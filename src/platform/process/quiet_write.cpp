// SPDX-License-Identifier: MIT
// See quiet_write.h.
#include "platform/process/quiet_write.h"

#include <time.h>

#include <cerrno>

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
