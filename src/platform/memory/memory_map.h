// SPDX-License-Identifier: MIT
// The areas of this process's address space, read from /proc/self/maps. Part of check_mapped (process_memory.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/status.h"
#include "platform/descriptor/descriptor.h"

namespace opennd {

// One walk, in ascending order of addresses. Not thread-safe. Allocates nothing.
class MemoryMapReader {
public:
    struct Area {
        std::uintptr_t start;
        std::uintptr_t end;  // first byte behind
        bool readable;
        bool writable;
    };

    // The failure to open the file (no /proc in this container, no descriptor left): insufficient_resources, no_memory.
    Status open();

    // The next area; nothing at the end, or when the file makes no sense any more.
    std::optional<Area> next();

    // Instead of walking: the area that holds `address`. False: the kernel cannot be asked for one (before Linux 6.11).
    bool find(std::uintptr_t address, std::optional<Area>& area) const;

private:
    int get();
    bool read_address(char terminator, std::uintptr_t& address);
    void skip_line();
    bool refill();

    // The kernel hands out at most about a page per read.
    std::array<char, 4096> buffer_;
    std::size_t position_ = 0;
    std::size_t filled_ = 0;
    Descriptor fd_;
};

}  // namespace opennd
