// SPDX-License-Identifier: MIT
// Bytes on their way: put in at the end, taken from the front.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace opennd::simulation {

class ByteQueue {
public:
    bool empty() const { return size() == 0; }
    std::size_t size() const { return bytes_.size() - begin_; }
    std::span<const std::byte> at(std::size_t offset, std::size_t count) const {
        return std::span(bytes_).subspan(begin_ + offset, count);
    }

    void put(std::span<const std::byte> bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }
    // Erases the taken bytes once they are as many as the rest, so that a byte costs the same in a long queue.
    void drop(std::size_t count) {
        begin_ += count;
        if (begin_ < size()) return;
        bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(begin_));
        begin_ = 0;
    }
    void clear() {
        bytes_.clear();
        begin_ = 0;
    }

private:
    std::vector<std::byte> bytes_;
    std::size_t begin_ = 0;
};

}  // namespace opennd::simulation
