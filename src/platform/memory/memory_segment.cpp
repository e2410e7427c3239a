// SPDX-License-Identifier: MIT
// First-fit allocation of pages in one segment; see memory_segment.h.
#include "platform/memory/memory_segment.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/log.h"

namespace opennd {
namespace {

// Pages go back as holes, which read as zero.
void give_pages_back(const SharedMemory& memory, std::size_t offset, std::size_t bytes) {
    if (memory.give_back(offset, bytes)) return;
    log(LogLevel::warn, "mappable memory: {} bytes cannot be returned to the kernel: {}; they are zeroed instead",
        bytes, std::strerror(errno));
    std::memset(memory.data() + offset, 0, bytes);
}

}  // namespace

std::size_t MemorySegment::page_size() { return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)); }

MemorySegment::MemorySegment(SharedMemory memory) : memory_(std::move(memory)) { free_.emplace(0, memory_.size()); }

std::optional<std::uint64_t> MemorySegment::allocate(std::size_t bytes) {
    for (auto range = free_.begin(); range != free_.end(); ++range) {
        const auto [offset, length] = *range;
        if (length < bytes) continue;
        // The insertion that can throw comes first; then the range's own entry moves to the other map.
        if (length > bytes) free_.emplace(offset + bytes, length - bytes);
        auto entry = free_.extract(range);
        entry.mapped() = bytes;
        live_.insert(std::move(entry));
        return offset;
    }
    return std::nullopt;
}

bool MemorySegment::free(std::uint64_t offset) {
    auto entry = live_.extract(offset);
    if (!entry) return false;
    give_pages_back(memory_, offset, entry.mapped());
    add_free_range(std::move(entry));
    return true;
}

// Joins the range with its free neighbours. Needs no memory: giving back never fails.
void MemorySegment::add_free_range(Ranges::node_type range) {
    auto after = free_.lower_bound(range.key());
    if (after != free_.end() && after->first == range.key() + range.mapped()) {
        range.mapped() += after->second;
        after = free_.erase(after);
    }
    if (after != free_.begin()) {
        const auto before = std::prev(after);
        if (before->first + before->second == range.key()) {
            before->second += range.mapped();
            return;
        }
    }
    free_.insert(std::move(range));
}

bool MemorySegment::holds(std::uint64_t offset, std::size_t bytes) const {
    auto next = live_.upper_bound(offset);
    if (next == live_.begin()) return false;
    const auto& [start, length] = *std::prev(next);
    const std::uint64_t inside = offset - start;
    return inside < length && bytes <= length - inside;
}

}  // namespace opennd
