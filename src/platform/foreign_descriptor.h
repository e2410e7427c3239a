// SPDX-License-Identifier: MIT
// A descriptor that another process sent. It may be of any file, so that most calls on it take as long as that process wants.
#pragma once

#include <utility>

#include "platform/descriptor.h"

namespace opennd {

// Move-only. Not thread-safe.
class ForeignDescriptor {
public:
    ForeignDescriptor(Descriptor fd) : fd_(std::move(fd)) {}
    ForeignDescriptor(ForeignDescriptor&&) noexcept = default;
    ForeignDescriptor& operator=(ForeignDescriptor&& other) noexcept;
    // Memory is closed at once, and anything else by a thread of its own.
    ~ForeignDescriptor();

    // Borrowed; -1: none.
    int get() const { return fd_.get(); }
    // It is memory (memfd_create), on which no call waits for another process. Asks no file system.
    bool is_memory() const;
    // Only memory.
    Descriptor take_memory() { return std::move(fd_); }

private:
    Descriptor fd_;
};

}  // namespace opennd
