// SPDX-License-Identifier: MIT
// eventfd as a doorbell; see doorbell.h.
#include "platform/doorbell.h"

#include <fcntl.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/format.h"

#include "base/log.h"
#include "platform/errno_status.h"

namespace opennd {

Result<Doorbell> Doorbell::create() {
    Descriptor fd(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
    if (!fd) {
        const int error = errno;
        log(LogLevel::warn, "doorbell: eventfd failed: {}; raise the limit on open files if it is reached",
            std::strerror(error));
        return status_from_errno(error);
    }
    return Doorbell(std::move(fd));
}

Result<Doorbell> Doorbell::adopt_from_peer(Descriptor fd) {
    std::array<char, 64> target{};
    const ssize_t length = ::readlink(format("/proc/self/fd/{}", fd.get()).c_str(), target.data(), target.size());
    if (length < 0) {
        log(LogLevel::warn, "doorbell of a peer: /proc/self/fd/{} cannot be read: {}", fd.get(), std::strerror(errno));
        return Status::not_supported;
    }
    const std::string_view kind(target.data(), static_cast<std::size_t>(length));
    const int flags = ::fcntl(fd.get(), F_GETFL);
    if (kind != "anon_inode:[eventfd]" || flags < 0 || ::fcntl(fd.get(), F_SETFL, flags | O_NONBLOCK) != 0) {
        log(LogLevel::warn, "doorbell of a peer refused: descriptor {} is \"{}\", no eventfd", fd.get(), kind);
        return Status::access_violation;
    }
    return Doorbell(std::move(fd));
}

void Doorbell::ring() {
    const std::uint64_t one = 1;
    // EAGAIN: the counter is full, so it is readable. Other failures: there is no doorbell.
    while (::write(fd_.get(), &one, sizeof one) < 0 && errno == EINTR) {
    }
}

void Doorbell::clear() {
    std::uint64_t count = 0;
    while (::read(fd_.get(), &count, sizeof count) < 0 && errno == EINTR) {
    }
}

}  // namespace opennd
