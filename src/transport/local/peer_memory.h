// SPDX-License-Identifier: MIT
// How this process reaches the memory of the peer on this host: as its own (one process), by mapping what the peer
// allocated for that, or by process_vm_readv and process_vm_writev. What the environment refuses is found out once, with
// a real copy, when the connection is made.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "base/lock.h"
#include "base/status.h"
#include "model/sge.h"
#include "platform/process_memory.h"
#include "platform/shared_memory.h"
#include "transport/soft/token_table.h"

namespace opennd::local {

class PeerMemory {
public:
    enum class Reach {
        same_process,  // addresses are this process's own
        process_vm,    // the kernel copies, where nothing is mapped
        mapping_only,  // process_vm is refused: only mapped segments
    };

    // `ask` requests a segment from the peer; the answer comes to add().
    PeerMemory(Reach reach, pid_t pid, std::function<void(std::uint32_t segment)> ask);

    // Proves with a copy of `cookie` from `cookie_address` at the peer that process_vm works.
    static Reach probe(pid_t pid, std::uint64_t cookie_address, std::uint64_t cookie);

    Reach reach() const { return reach_; }
    bool same_process() const { return reach_ == Reach::same_process; }
    bool kernel_copies() const { return reach_ == Reach::process_vm; }

    // Where the peer's bytes lie here, or null: not mapped (then the segment is asked for, once), or not inside it. Any
    // thread; lock-free.
    std::byte* find(std::uint64_t address, std::uint64_t bytes, const soft::SharedLocation& location);

    // The range is not inside its segment, which is mapped: it never can be found.
    bool is_outside(std::uint64_t bytes, const soft::SharedLocation& location) const;

    // The segment was asked for. Any thread.
    bool awaits(std::uint32_t segment);
    // A segment that the peer sent. Refused (false) if the table is full, or the peer has had kMostBytes: memory in it is
    // then copied by the kernel.
    bool add(std::uint32_t segment, SharedMemory memory);

    // Of one peer's memory, mapped at a time: two of the longest regions.
    static constexpr std::size_t kMostBytes = std::size_t{1} << 41;

    // By the kernel, with the last bytes of a write in a copy of their own (ND2-ADP-LIM-04).
    // access_violation: the peer's memory is not there; disconnected: the peer is gone; not_supported.
    Status read(std::uint64_t address, std::span<const Sge> to, std::uint64_t skip, std::uint64_t bytes) const;
    Status write(std::uint64_t address, std::span<const Sge> from, std::uint64_t bytes) const;

private:
    static constexpr std::size_t kMappings = 64;
    struct Mapping {
        std::uint32_t segment;
        SharedMemory memory;

        // The peer's word is checked against what is mapped here.
        bool covers(std::uint64_t offset, std::uint64_t bytes) const {
            return offset <= memory.size() && bytes <= memory.size() - offset;
        }
    };
    // Null: not mapped.
    const Mapping* mapping_of(std::uint32_t segment) const;
    [[gnu::cold]] void ask_for(std::uint32_t segment);

    // Constant after construction.
    const Reach reach_;
    const pid_t pid_;
    const std::function<void(std::uint32_t)> ask_;

    // Filled from the front, never changed: a reader stops at the first null (acquire pairs with the release in add).
    std::array<std::atomic<Mapping*>, kMappings> mappings_{};
    Mutex mutex_;
    std::array<std::unique_ptr<Mapping>, kMappings> owned_ GUARDED_BY(mutex_);
    std::size_t count_ GUARDED_BY(mutex_) = 0;
    std::size_t bytes_ GUARDED_BY(mutex_) = 0;  // mapped
    std::array<std::uint32_t, kMappings> awaited_ GUARDED_BY(mutex_){};
    std::size_t awaited_count_ GUARDED_BY(mutex_) = 0;
    // The newest segment asked for; relaxed: asking twice is harmless.
    std::atomic<std::uint32_t> asked_{0};
};

}  // namespace opennd::local
