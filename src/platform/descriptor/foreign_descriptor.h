// SPDX-License-Identifier: MIT
// A descriptor that another process sent. It may be of any file, so most calls on it may take as long as that process
// likes.
#pragma once

#include <utility>

#include "base/log.h"
#include "base/status.h"
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

// Closes `fd` soon, on a thread for this alone, because close() can wait for another process, which chose the file: the last close of a
// FUSE file waits for the file's server, that of a TCP socket with SO_LINGER for the peer to read the remaining bytes. Any thread; never waits, but without memory for the list it closes `fd`
// itself.
void close_apart(Descriptor fd) noexcept;

// Called before descriptors are taken from other processes, since each descriptor may have to be closed. Any thread.
//   insufficient_resources  at least kMostWaiting descriptors wait to be closed; reported
Status closing_keeps_up(LogCause cause);

}  // namespace opennd
