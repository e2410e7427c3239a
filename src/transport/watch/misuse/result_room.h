// SPDX-License-Identifier: MIT
// The room of a completion queue for results, and how many may come.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/ref.h"

namespace opennd::watch {

// Any thread. Relaxed: the numbers guard nothing.
class ResultRoom final : public RefCounted {
public:
    explicit ResultRoom(std::uint32_t depth) : depth_(depth) {}

    std::uint32_t number() const { return number_.load(std::memory_order_relaxed); }
    void set_number(std::uint32_t number) { number_.store(number, std::memory_order_relaxed); }
    std::uint32_t depth() const { return depth_.load(std::memory_order_relaxed); }
    void set_depth(std::uint32_t depth) { depth_.store(depth, std::memory_order_relaxed); }

    // One more request that will have a result here. How many there are then.
    std::uint32_t expect() { return expected_.fetch_add(1, std::memory_order_relaxed) + 1; }
    // One of them has been taken, or will never come.
    void settle() { expected_.fetch_sub(1, std::memory_order_relaxed); }

private:
    std::atomic<std::uint32_t> number_{0};
    std::atomic<std::uint32_t> depth_;
    std::atomic<std::uint32_t> expected_{0};
};

}  // namespace opennd::watch
