// SPDX-License-Identifier: MIT
// See foreign_descriptor.h.
#include "platform/foreign_descriptor.h"

#include <fcntl.h>

#include "platform/closing_thread.h"

namespace opennd {

// The kernel looks at the kind of the file and goes no further with any other.
bool ForeignDescriptor::is_memory() const { return ::fcntl(fd_.get(), F_GET_SEALS) >= 0; }

ForeignDescriptor& ForeignDescriptor::operator=(ForeignDescriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
}

ForeignDescriptor::~ForeignDescriptor() {
    if (fd_ && !is_memory()) close_apart(std::move(fd_));
}

}  // namespace opennd
