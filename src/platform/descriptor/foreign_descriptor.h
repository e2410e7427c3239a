// SPDX-License-Identifier: MIT
// A descriptor that another process sent. It may be of any file, so most calls on it may take as long as that process
// likes.
#pragma once

#include <utility>

#include "platform/descriptor/descriptor.h"

namespace opennd {

// Move-only. Not thread-safe.
class ForeignDescriptor {
public:
    ForeignDescriptor(Descriptor fd) : fd_(std::move(fd)) {}
    ForeignDescriptor(ForeignDescriptor&&) noexcept = default;
    ForeignDescriptor& operator=(ForeignDescriptor&& other) noexcept;
    // Memory is closed at once, any other file by the closing thread.
    ~ForeignDescriptor();

    // Borrowed; -1: none.
    int get() const { return fd_.get(); }
    // Whether the file is memory (memfd_create), on which no call waits for another process. The check asks no file
    // system.
    bool is_memory() const;
    // Only memory.
    Descriptor take_memory() { return std::move(fd_); }
    // Any file, for an owner that closes it where that may wait.
    Descriptor take() { return std::move(fd_); }

private:
    Descriptor fd_;
};

}  // namespace opennd
