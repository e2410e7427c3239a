// SPDX-License-Identifier: MIT
// A file that one process at a time writes from its beginning.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "base/result.h"
#include "platform/descriptor/descriptor.h"

namespace opennd {

// Move-only. Not thread-safe.
class WrittenFile {
public:
    WrittenFile() = default;
    // Opens `path`, which is empty then and readable by this user alone if it is new. A pipe is opened if a reader has it open.
    // address_in_use: another WrittenFile has the file. Otherwise as append(). `reason`: of a failure, in the system's words.
    static Result<WrittenFile> open(const std::string& path, std::string& reason);

    // All octets, or none: those of a write that fails half way are taken out again, where the file is no pipe. May wait for the
    // device, or for the reader of a pipe. As status_from_errno(); insufficient_resources: the disk is full.
    Status append(std::span<const std::byte> octets, std::string& reason);
    std::uint64_t bytes() const { return bytes_; }
    explicit operator bool() const { return static_cast<bool>(descriptor_); }

private:
    explicit WrittenFile(Descriptor descriptor) : descriptor_(std::move(descriptor)) {}

    Descriptor descriptor_;
    std::uint64_t bytes_ = 0;
};

// Without effect if it is not there.
void remove_file(const std::string& path);

}  // namespace opennd
