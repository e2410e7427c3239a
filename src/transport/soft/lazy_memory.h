// SPDX-License-Identifier: MIT
// Memory for queues that may be deep and are rarely full.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

namespace opennd::soft {

// Zeroed memory that is committed on use, however deep the queue (ND2-ADP-LIM-02). Throws std::bad_alloc.
template <typename T>
std::unique_ptr<T[], decltype(&std::free)> lazily_committed(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T>);
    void* const memory = std::calloc(count == 0 ? 1 : count, sizeof(T));
    if (!memory) throw std::bad_alloc();
    return {static_cast<T*>(memory), &std::free};
}

}  // namespace opennd::soft
