// SPDX-License-Identifier: MIT
// First-fit allocation of pages in one segment; see memory_segment.h.
#include "platform/memory_segment.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/log.h"

namespace opennd {
namespace {

// Punches a hole: the pages go back to the kernel for every process that maps them, and read as zero again.
void give_pages_back(std::byte* data, std::size_t bytes) {
    if (::madvise(data, bytes, MADV_REMOVE) == 0) return;
    log(LogLevel::warn, "mappable memory: {} bytes cannot be returned to the kernel: {}; they are zeroed instead",
        bytes, std::strerror(errno));
    std::memset(data, 0, bytes);
}

}  // namespace

std::size_t MemorySegment::page_size() {
    static const auto size = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    return size;
}

MemorySegment::MemorySegment(SharedMemory memory) : memory_(std::move(memory)) { free_.emplace(0, memory_.size()); }

std::optional<std::uint64_t> MemorySegment::allocate(std::size_t bytes) {
    for (auto range = free_.begin(); range != free_.end(); ++range) {
        const auto [offset, length] = *range;
        if (length < bytes) continue;
        free_.erase(range);
        if (length > bytes) free_.emplace(offset + bytes, length - bytes);
        live_.emplace(offset, bytes);
        return offset;
    }
    return std::nullopt;
}

bool MemorySegment::free(std::uint64_t offset) {
    const auto allocation = live_.find(offset);
    if (allocation == live_.end()) return false;
    const std::uint64_t bytes = allocation->second;
    live_.erase(allocation);
    give_pages_back(memory_.data() + offset, bytes);
    add_free_range(offset, bytes);
    return true;
}

// Joins the range with its free neighbours.
void MemorySegment::add_free_range(std::uint64_t offset, std::uint64_t bytes) {
    auto after = free_.lower_bound(offset);
    if (after != free_.end() && after->first == offset + bytes) {
        bytes += after->second;
        after = free_.erase(after);
    }
    if (after != free_.begin()) {
        const auto before = std::prev(after);
        if (before->first + before->second == offset) {
            before->second += bytes;
            return;
        }
    }
    free_.emplace(offset, bytes);
}

bool MemorySegment::holds(std::uint64_t offset, std::size_t bytes) const {
    auto next = live_.upper_bound(offset);
    if (next == live_.begin()) return false;
    const auto& [start, length] = *std::prev(next);
    const std::uint64_t inside = offset - start;
    return inside < length && bytes <= length - inside;
}

}  // namespace opennd
