// SPDX-License-Identifier: MIT
//
// This program's operator new, which a test can let fail: the library in it has no other.
#pragma once

#include <cstddef>

namespace opennd::process {

// While it lives, the first `granted` allocations of this thread succeed and the others throw std::bad_alloc.
class AllocationLimit {
public:
    explicit AllocationLimit(std::size_t granted);
    AllocationLimit(const AllocationLimit&) = delete;
    AllocationLimit& operator=(const AllocationLimit&) = delete;
    ~AllocationLimit();
};

// Allocations minus deallocations of this thread so far.
long live_allocations();

}  // namespace opennd::process
