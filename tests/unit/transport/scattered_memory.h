// SPDX-License-Identifier: MIT
// Pages that do not lie in their order, for tests of memory that is named by an index.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "model/page_list.h"

namespace opennd::test {

class ScatteredMemory {
public:
    // Every other page of the list, from the last one down, with a gap between two of them; then those between.
    explicit ScatteredMemory(std::size_t pages)
        : memory_(static_cast<std::byte*>(std::aligned_alloc(kPageBytes, 2 * pages * kPageBytes)), &std::free) {
        std::memset(memory_.get(), 0, 2 * pages * kPageBytes);
        for (std::size_t page = 0; page < pages; ++page)
            pages_.push_back(reinterpret_cast<std::uint64_t>(memory_.get()) +
                             (page % 3 == 0 ? 2 * pages - 1 - page : page) * kPageBytes);
    }

    // Byte 0 of the list is the one at `first_byte` of the first page, and is named `base`.
    PageList list(std::uint64_t base, std::uint32_t first_byte, std::uint64_t length) const {
        return {pages_, first_byte, base, length};
    }
    const std::vector<std::uint64_t>& pages() const { return pages_; }

    std::byte& at(std::uint64_t offset) const {
        return *(reinterpret_cast<std::byte*>(pages_[offset / kPageBytes]) + offset % kPageBytes);
    }
    std::vector<std::byte> read(std::uint64_t from, std::size_t bytes) const {
        std::vector<std::byte> data(bytes);
        for (std::size_t i = 0; i < bytes; ++i) data[i] = at(from + i);
        return data;
    }
    void write(std::uint64_t from, const std::vector<std::byte>& data) const {
        for (std::size_t i = 0; i < data.size(); ++i) at(from + i) = data[i];
    }

private:
    std::unique_ptr<std::byte, decltype(&std::free)> memory_;
    std::vector<std::uint64_t> pages_;
};

}  // namespace opennd::test
