// SPDX-License-Identifier: MIT
// Copying and closing a descriptor; see descriptor.h.
#include "platform/descriptor/descriptor.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace opennd {

Descriptor Descriptor::copy_of(int fd) { return Descriptor(::fcntl(fd, F_DUPFD_CLOEXEC, 0)); }

void Descriptor::reset(int fd) {
    if (fd_ >= 0 && fd_ != fd) {
        const int saved = errno;
        // Not repeated on EINTR: Linux has freed the number by then, and another thread may own it already.
        ::close(fd_);
        errno = saved;
    }
    fd_ = fd;
}

}  // namespace opennd
