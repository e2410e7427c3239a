// SPDX-License-Identifier: MIT
// A queue whose memory grows to the most elements that were in it at once, and is then used again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

namespace opennd::iwarp {

// Not thread-safe.
template <typename T>
class GrowingRing {
public:
    // Throws std::bad_alloc.
    GrowingRing() : ring_(kFirstRoom) {}

    bool empty() const { return oldest_ == next_; }
    std::size_t size() const { return next_ - oldest_; }

    // The next push() has room. False: the system has no memory, and nothing has changed.
    [[nodiscard]] bool make_room() {
        if (size() != ring_.size()) [[likely]]
            return true;
        try {
            grow();
        } catch (const std::bad_alloc&) {
            return false;
        }
        return true;
    }
    // Only after make_room().
    void push(const T& element) { at(next_++) = element; }

    // The oldest; only if not empty().
    T& front() { return at(oldest_); }
    const T& front() const { return ring_[oldest_ & (ring_.size() - 1)]; }
    void pop() { ++oldest_; }
    // `place` 0: the oldest.
    const T& operator[](std::size_t place) const {
        return ring_[(oldest_ + static_cast<std::uint32_t>(place)) & (ring_.size() - 1)];
    }

private:
    static constexpr std::size_t kFirstRoom = 4;

    T& at(std::uint32_t number) { return ring_[number & (ring_.size() - 1)]; }
    void grow() {
        std::vector<T> larger(2 * ring_.size());
        for (std::uint32_t number = oldest_; number != next_; ++number)
            larger[number & (larger.size() - 1)] = at(number);
        ring_.swap(larger);
    }

    std::vector<T> ring_;  // a power of two
    std::uint32_t oldest_ = 0, next_ = 0;
};

}  // namespace opennd::iwarp
