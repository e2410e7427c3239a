// SPDX-License-Identifier: MIT
// PeerMemory: see peer_memory.h.
#include "transport/local/peer_memory.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "platform/process_memory.h"
#include "transport/soft/ordered_copy.h"

namespace opennd::local {
namespace {

std::vector<iovec> stretches(std::span<const Sge> sges, std::uint64_t skip, std::uint64_t bytes) {
    std::vector<iovec> list;
    list.reserve(sges.size());
    soft::SgeCursor cursor(sges);
    cursor.skip(skip);
    while (bytes > 0) {
        const auto part = cursor.next(bytes);
        if (part.empty()) break;
        list.push_back({part.data(), part.size()});
        bytes -= part.size();
    }
    return list;
}

void* pointer(std::uint64_t address) { return reinterpret_cast<void*>(address); }

}  // namespace

PeerMemory::PeerMemory(Reach reach, pid_t pid, std::function<void(std::uint32_t)> ask)
    : reach_(reach), pid_(pid), ask_(std::move(ask)) {}

PeerMemory::Reach PeerMemory::probe(pid_t pid, std::uint64_t cookie_address, std::uint64_t cookie) {
    if (pid <= 0) return Reach::mapping_only;  // a process that this pid namespace does not show
    std::uint64_t seen = 0;
    const iovec local{&seen, sizeof seen};
    const iovec remote{pointer(cookie_address), sizeof seen};
    const Status status = read_process_memory(pid, {&local, 1}, {&remote, 1});
    return ok(status) && seen == cookie ? Reach::process_vm : Reach::mapping_only;
}

inline const PeerMemory::Mapping* PeerMemory::mapping_of(std::uint32_t segment) const {
    for (const auto& slot : mappings_) {
        const Mapping* const mapping = slot.load(std::memory_order_acquire);
        if (!mapping) break;
        if (mapping->segment == segment) return mapping;
    }
    return nullptr;
}

std::byte* PeerMemory::find(std::uint64_t address, std::uint64_t bytes, const soft::SharedLocation& location) {
    if (reach_ == Reach::same_process) return static_cast<std::byte*>(pointer(address));
    if (location.segment == 0) return nullptr;
    if (const Mapping* const mapping = mapping_of(location.segment))
        return mapping->covers(location.offset, bytes) ? mapping->memory.data() + location.offset : nullptr;
    ask_for(location.segment);
    return nullptr;
}

// What is beyond the table could not be mapped.
void PeerMemory::ask_for(std::uint32_t segment) {
    if (asked_.exchange(segment, std::memory_order_relaxed) == segment) return;
    {
        const Held lock(mutex_);
        const auto end = awaited_.begin() + static_cast<std::ptrdiff_t>(awaited_count_);
        if (std::find(awaited_.begin(), end, segment) == end) {
            if (awaited_count_ == kMappings) return;
            awaited_[awaited_count_++] = segment;
        }
    }
    ask_(segment);
}

bool PeerMemory::awaits(std::uint32_t segment) {
    const Held lock(mutex_);
    const auto end = awaited_.begin() + static_cast<std::ptrdiff_t>(awaited_count_);
    return std::find(awaited_.begin(), end, segment) != end;
}

bool PeerMemory::is_outside(std::uint64_t bytes, const soft::SharedLocation& location) const {
    const Mapping* const mapping = mapping_of(location.segment);
    return mapping && !mapping->covers(location.offset, bytes);
}

bool PeerMemory::add(std::uint32_t segment, SharedMemory memory) {
    const Held lock(mutex_);
    if (count_ == kMappings || memory.size() > kMostBytes - bytes_) return false;
    for (std::size_t i = 0; i < count_; ++i)
        if (owned_[i]->segment == segment) return true;
    memory.close_descriptor();
    bytes_ += memory.size();
    owned_[count_] = std::make_unique<Mapping>(Mapping{segment, std::move(memory)});
    mappings_[count_].store(owned_[count_].get(), std::memory_order_release);
    ++count_;
    return true;
}

Status PeerMemory::read(std::uint64_t address, std::span<const Sge> to, std::uint64_t skip, std::uint64_t bytes) const {
    const auto local = stretches(to, skip, bytes);
    const iovec remote{pointer(address), bytes};
    return read_process_memory(pid_, local, {&remote, 1});
}

Status PeerMemory::write(std::uint64_t address, std::span<const Sge> from, std::uint64_t bytes) const {
    const auto local = stretches(from, 0, bytes);
    // The kernel copies one entry after the other: the bytes that programs poll get an entry of their own.
    const std::uint64_t tail = bytes % 8 == 0 ? 8 : 1;
    const std::array<iovec, 2> remote{iovec{pointer(address), bytes - tail},
                                      iovec{pointer(address + bytes - tail), tail}};
    const std::span<const iovec> parts(remote);
    return write_process_memory(pid_, local, bytes == tail ? parts.subspan(1) : parts);
}

}  // namespace opennd::local
