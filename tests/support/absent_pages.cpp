// SPDX-License-Identifier: MIT
//
// userfaultfd that also holds up the kernel's own accesses, which takes a right.
#include "support/absent_pages.h"

#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <stdexcept>

#include "support/deadline.h"

namespace opennd::support {
namespace {

int open_userfaultfd() { return static_cast<int>(syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK)); }

}  // namespace

std::string AbsentPages::unavailable() {
    const int descriptor = open_userfaultfd();
    if (descriptor < 0)
        return std::string("userfaultfd: ") + std::strerror(errno) +
               "; needs CAP_SYS_PTRACE or vm.unprivileged_userfaultfd=1";
    close(descriptor);
    return "";
}

AbsentPages::AbsentPages(std::span<std::byte> bytes) : descriptor_(open_userfaultfd()) {
    const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    const auto first = (reinterpret_cast<std::uintptr_t>(bytes.data()) + page - 1) / page * page;
    const auto end = reinterpret_cast<std::uintptr_t>(bytes.data() + bytes.size()) / page * page;
    uffdio_api api{.api = UFFD_API, .features = 0, .ioctls = 0};
    uffdio_register range{.range = {first, end - first}, .mode = UFFDIO_REGISTER_MODE_MISSING, .ioctls = 0};
    if (descriptor_ < 0 || ioctl(descriptor_, UFFDIO_API, &api) != 0 ||
        madvise(reinterpret_cast<void*>(first), end - first, MADV_DONTNEED) != 0 ||
        ioctl(descriptor_, UFFDIO_REGISTER, &range) != 0) {
        const std::string reason = std::strerror(errno);
        if (descriptor_ >= 0) close(descriptor_);
        throw std::runtime_error("no absent pages: " + reason);
    }
}

AbsentPages::~AbsentPages() { close(descriptor_); }

bool AbsentPages::are_waited_for() const {
    pollfd entry{.fd = descriptor_, .events = POLLIN, .revents = 0};
    return poll(&entry, 1, static_cast<int>(kDeadline.count())) == 1 && (entry.revents & POLLIN) != 0;
}

}  // namespace opennd::support
