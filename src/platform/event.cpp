// SPDX-License-Identifier: MIT
// Windows events over eventfd; see event.h. Signalled means: the counter is not zero.
#include "platform/event.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>

#include "base/explanation.h"
#include "platform/errno_status.h"

namespace opennd {
namespace {

// Until `deadline`, at least zero, as ppoll wants it.
timespec time_left(SteadyTime deadline) {
    const auto left = std::max(deadline - now(), SteadyTime::duration::zero());
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(left);
    const auto rest = std::chrono::duration_cast<std::chrono::nanoseconds>(left - seconds);
    return timespec{static_cast<time_t>(seconds.count()), static_cast<long>(rest.count())};
}

}  // namespace

Result<Ref<Event>> Event::create(EventReset reset, bool signalled) {
    Descriptor fd(::eventfd(signalled ? 1 : 0, EFD_NONBLOCK | EFD_CLOEXEC));
    if (!fd) {
        const int error = errno;
        return explain(status_from_errno(error), {.object = "event",
                                                  .operation = "opennd_event_create",
                                                  .asked = "a descriptor (eventfd)",
                                                  .limit = std::strerror(error),
                                                  .remedy = "raise the limit on open files (ulimit -n)",
                                                  .requirement = "ND2-GEN-02"});
    }
    return Ref<Event>(new Event(reset, std::move(fd)));
}

void Event::set() {
    const std::uint64_t one = 1;
    // EAGAIN: the counter is full, which is signalled too.
    while (::write(fd_.get(), &one, sizeof one) < 0 && errno == EINTR) {
    }
}

void Event::reset() { static_cast<void>(take_signal()); }

// True for exactly one of several callers: reading takes the whole counter.
bool Event::take_signal() {
    std::uint64_t count = 0;
    ssize_t got = 0;
    while ((got = ::read(fd_.get(), &count, sizeof count)) < 0 && errno == EINTR) {
    }
    return got == sizeof count;
}

Status Event::wait(std::optional<SteadyTime> deadline) {
    for (;;) {
        if (reset_ == EventReset::automatic && take_signal()) return Status::success;
        pollfd poll{fd_.get(), POLLIN, 0};
        const timespec left = deadline ? time_left(*deadline) : timespec{};
        const int ready = ::ppoll(&poll, 1, deadline ? &left : nullptr, nullptr);
        if (ready == 0) return Status::timed_out;
        if (ready < 0 && errno != EINTR) {
            log(LogLevel::error, "event: waiting failed: {}", std::strerror(errno));
            return Status::internal_error;
        }
        if (ready > 0 && reset_ == EventReset::manual) return Status::success;
    }
}

}  // namespace opennd
