// SPDX-License-Identifier: MIT
// The areas of this process's address space, of which the kernel is asked one at a time. Part of present_memory.h.
#pragma once

#include <cstdint>
#include <optional>

#include "platform/descriptor/descriptor.h"

namespace opennd {

// Not thread-safe. Allocates nothing.
class AddressSpace {
public:
    struct Area {
        std::uintptr_t end;  // first byte behind
        bool readable;
        bool writable;
        bool shared;  // stores go to the file
    };

    AddressSpace();

    // The area that holds `address`, or nothing if none does. False: the kernel cannot be asked (before Linux 6.11, or without /proc).
    bool find(std::uintptr_t address, std::optional<Area>& area) const;

private:
    const Descriptor fd_;
};

}  // namespace opennd
