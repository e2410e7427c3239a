// SPDX-License-Identifier: MIT
// The queue pairs of a crowded completion queue that have something to do, oldest first, each once. Read ready_source.h first.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace opennd::soft {

// Names a queue pair of a crowded completion queue, to that queue and its sources: a small number, which another queue pair has
// later.
enum class Place : std::uint32_t {};

// Not thread-safe: the completion queue's list lock guards it.
class ReadyList {
public:
    // Makes room for the places below `count`. Throws std::bad_alloc. The list stays as it is.
    void reserve(std::size_t count) {
        if (count <= listed_.size()) return;
        const std::size_t room = std::bit_ceil(count);
        std::vector<Place> ring(room);
        listed_.reserve(room);
        for (std::size_t i = 0; i < size_; ++i) ring[i] = ring_[(first_ + i) & (ring_.size() - 1)];
        listed_.resize(room, false);
        ring_.swap(ring);
        first_ = 0;
    }

    bool empty() const { return size_ == 0; }
    std::size_t size() const { return size_; }

    // Lists `place`, which is visited soon. No effect if it is listed already, or is none: a peer may have chosen the
    // number.
    void add(Place place) {
        const auto number = static_cast<std::size_t>(place);
        if (number >= listed_.size() || listed_[number]) return;
        listed_[number] = true;
        ring_[(first_ + size_++) & (ring_.size() - 1)] = place;
    }

    // Takes the oldest out. Not empty.
    Place take() {
        const Place oldest = ring_[first_];
        first_ = (first_ + 1) & (ring_.size() - 1);
        --size_;
        listed_[static_cast<std::size_t>(oldest)] = false;
        return oldest;
    }

    void clear() {
        while (!empty()) (void)take();
    }

private:
    std::vector<Place> ring_;   // of a power of two: no more are listed than there are places
    std::vector<bool> listed_;  // by place
    std::size_t first_ = 0, size_ = 0;
};

}  // namespace opennd::soft
