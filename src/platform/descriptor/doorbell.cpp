// SPDX-License-Identifier: MIT
// eventfd as a doorbell; see doorbell.h.
#include "platform/descriptor/doorbell.h"

#include <sys/eventfd.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "base/explanation.h"
#include "platform/process/errno_status.h"

namespace opennd {

Result<Doorbell> Doorbell::create() {
    Descriptor fd = Descriptor::made([] { return ::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); });
    if (!fd) {
        const int error = errno;
        return explain(resource_status(error), {.object = "doorbell",
                                                .operation = "creation",
                                                .asked = "a descriptor (eventfd)",
                                                .limit = std::strerror(error),
                                                .remedy = "raise the limit on open files (ulimit -n)",
                                                .requirement = "ND2-GEN-02"});
    }
    return Doorbell(std::move(fd));
}

void Doorbell::ring() {
    const std::uint64_t one = 1;
    rings_.fetch_add(1, std::memory_order_release);
    // EAGAIN: the counter is full, so it is readable. Other failures: there is no doorbell.
    while (::write(fd_.get(), &one, sizeof one) < 0 && errno == EINTR) {
    }
}

// RWF_NOWAIT: another process that shares the descriptor may have cleared O_NONBLOCK.
void Doorbell::clear() {
    std::uint64_t count = 0;
    const iovec room{&count, sizeof count};
    ssize_t got = 0;
    do got = ::preadv2(fd_.get(), &room, 1, -1, RWF_NOWAIT);
    while (got < 0 && errno == EINTR);
    if (got < 0 && errno == EOPNOTSUPP) {  // before Linux 5.8
        do got = ::read(fd_.get(), &count, sizeof count);
        while (got < 0 && errno == EINTR);
    }
    rings_.load(std::memory_order_acquire);
}

}  // namespace opennd
