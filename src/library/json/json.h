// SPDX-License-Identifier: MIT
// JSON trees, which end without memory: nlohmann's destructors take some for a list of the values below, and may not throw.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/until_memory.h"

namespace opennd {

// Any thread; waits for memory.
template <typename Value>
struct WaitingAllocator {
    using value_type = Value;

    constexpr WaitingAllocator() noexcept = default;
    template <typename Other>
    constexpr WaitingAllocator(const WaitingAllocator<Other>&) noexcept {}

    Value* allocate(std::size_t count) {
        void* memory = nullptr;
        until_memory([&] { memory = ::operator new(count * sizeof(Value)); });
        return static_cast<Value*>(memory);
    }
    void deallocate(Value* values, std::size_t) noexcept { ::operator delete(values); }
    template <typename Other>
    constexpr bool operator==(const WaitingAllocator<Other>&) const noexcept {
        return true;
    }
};

// A type of the library's own: programs have nlohmann's as it is.
using ordered_json = nlohmann::basic_json<nlohmann::ordered_map, std::vector, std::string, bool, std::int64_t,
                                          std::uint64_t, double, WaitingAllocator>;

}  // namespace opennd

// The destructor's list has the standard allocator, whatever the allocator of the tree.
template <>
struct std::allocator<opennd::ordered_json> : opennd::WaitingAllocator<opennd::ordered_json> {
    using WaitingAllocator::WaitingAllocator;
};
