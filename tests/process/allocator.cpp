// SPDX-License-Identifier: MIT
//
// The replaceable allocation functions, over malloc, with counts for each thread. Those not given here call these.
#include "process/allocator.h"

#include <cstdlib>
#include <limits>
#include <new>

namespace opennd::process {
namespace {

constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();

thread_local std::size_t granted_allocations = kUnlimited;
thread_local long allocations_alive = 0;

void* counted(void* memory) {
    if (memory == nullptr) throw std::bad_alloc();
    ++allocations_alive;
    return memory;
}

void take_grant() {
    if (granted_allocations == kUnlimited) return;
    if (granted_allocations == 0) throw std::bad_alloc();
    --granted_allocations;
}

void give_back(void* memory) {
    if (memory == nullptr) return;
    --allocations_alive;
    std::free(memory);
}

}  // namespace

AllocationLimit::AllocationLimit(std::size_t granted) { granted_allocations = granted; }
AllocationLimit::~AllocationLimit() { granted_allocations = kUnlimited; }

long live_allocations() { return allocations_alive; }

}  // namespace opennd::process

using namespace opennd::process;

void* operator new(std::size_t size) {
    take_grant();
    return counted(std::malloc(size == 0 ? 1 : size));
}

// As the C++ library's own would; a sanitizer's would not come through here.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    try {
        return operator new(size);
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

void* operator new(std::size_t size, std::align_val_t alignment) {
    take_grant();
    const auto step = static_cast<std::size_t>(alignment);
    return counted(std::aligned_alloc(step, (size + step - 1) / step * step));
}

void operator delete(void* memory) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t) noexcept { give_back(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { give_back(memory); }
