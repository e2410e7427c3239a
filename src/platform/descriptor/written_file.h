// SPDX-License-Identifier: MIT
// A file that one process at a time writes from its beginning.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "platform/descriptor/descriptor.h"

namespace opennd {

// Move-only. Not thread-safe.
class WrittenFile {
public:
    WrittenFile() = default;
    // Opens `path`, which is empty then. A new one is this user's alone; one that was there is taken only if it is this user's, and a
    // symbolic link never, so that no other user chooses the file, or reads it. A pipe is opened if a reader has it open;
    // devices are taken as they are.
    // address_in_use: another WrittenFile has the file. access_violation: it is another user's, or a link. Otherwise as append().
    // `reason`: of a failure, in the system's words.
    static Result<WrittenFile> open(const std::string& path, std::string& reason);
    // A descriptor that somebody else opened, to go on where it stands. invalid_parameter: it cannot be written to.
    static Result<WrittenFile> adopt(Descriptor descriptor, std::string& reason);
    // The standard output of this process.
    static Result<WrittenFile> standard_output(std::string& reason);

    // All octets, or none: those of a write that fails half way are taken out again, where the file is no pipe. May wait for the
    // device, or for the reader of a pipe. As status_from_errno(); insufficient_resources: the disk is full.
    Status append(std::span<const std::byte> octets, std::string& reason);
    // May wait, as the last close of some files does.
    void close() { descriptor_.reset(); }
    std::uint64_t bytes() const { return bytes_; }
    // Borrowed, to be sent to another process.
    int descriptor() const { return descriptor_.get(); }
    explicit operator bool() const { return static_cast<bool>(descriptor_); }

private:
    WrittenFile(Descriptor descriptor, std::int64_t begin) : descriptor_(std::move(descriptor)), begin_(begin) {}

    Descriptor descriptor_;
    std::int64_t begin_ = 0;  // where its first octet stands; -1: nothing can be taken out again
    std::uint64_t bytes_ = 0;
};

// Removes the file, if it is there.
void remove_file(const std::string& path);

// Replaces a file as a whole: readers of `path` see the old file or the new one, whole; only this user may read the new one. False: errno says why, and the old
// one stays; EPERM: the old one is another user's. It is written beside the old one, by a name that no other user can have taken before. Throws std::bad_alloc.
bool replace_file(const std::string& path, std::string_view text);

}  // namespace opennd
