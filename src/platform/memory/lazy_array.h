// SPDX-License-Identifier: MIT
// Memory for long, mostly empty arrays: queues, tables, buffers.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <new>
#include <type_traits>

namespace opennd {

// Releases memory of lazily_zeroed().
struct LazyRelease {
    std::size_t bytes = 0;
    void operator()(void* memory) const noexcept;
};

// Zeroed memory. From 64 KiB on its pages come from the system and become real as they are touched; malloc would reuse
// freed pages and clear them, which makes all of them real. `bytes` may be 0. Throws std::bad_alloc.
void* lazily_zeroed(std::size_t bytes);

template <typename T>
using LazyArray = std::unique_ptr<T[], LazyRelease>;

// `count` elements of zeroes, however many (ND2-ADP-LIM-02). Throws std::bad_alloc.
template <typename T>
LazyArray<T> lazily_committed(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T>);
    if (count > std::numeric_limits<std::size_t>::max() / sizeof(T)) throw std::bad_alloc();
    const std::size_t bytes = count * sizeof(T);
    return {static_cast<T*>(lazily_zeroed(bytes)), LazyRelease{bytes}};
}

}  // namespace opennd
