// SPDX-License-Identifier: MIT
// JSON trees, which end without memory: nlohmann's destructors take some for a list of the values below, and may not throw.
#pragma once

#include <cstddef>
#include <new>

#include <nlohmann/json.hpp>

#include "base/until_memory.h"

// Lists of values: those of arrays, and those of destructors. Any thread; waits for memory.
template <>
struct std::allocator<nlohmann::ordered_json> {
    using value_type = nlohmann::ordered_json;

    constexpr allocator() noexcept = default;
    template <typename Other>
    constexpr allocator(const allocator<Other>&) noexcept {}

    value_type* allocate(std::size_t count) {
        void* memory = nullptr;
        opennd::until_memory([&] { memory = ::operator new(count * sizeof(value_type)); });
        return static_cast<value_type*>(memory);
    }
    void deallocate(value_type* values, std::size_t count) noexcept {
        ::operator delete(values, count * sizeof(value_type));
    }
    template <typename Other>
    constexpr bool operator==(const allocator<Other>&) const noexcept {
        return true;
    }
};

namespace opennd {

using nlohmann::ordered_json;

}  // namespace opennd
