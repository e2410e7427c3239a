// SPDX-License-Identifier: MIT
// See foreign_descriptor.h.
#include "platform/descriptor/foreign_descriptor.h"

#include <fcntl.h>

#include "platform/descriptor/closing_thread.h"

namespace opennd {

// The kernel checks the kind of the file first, and refuses any other kind at once.
bool ForeignDescriptor::is_memory() const { return ::fcntl(fd_.get(), F_GET_SEALS) >= 0; }

ForeignDescriptor& ForeignDescriptor::operator=(ForeignDescriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
}

ForeignDescriptor::~ForeignDescriptor() {
    if (fd_ && !is_memory()) close_apart(std::move(fd_));
}

}  // namespace opennd
