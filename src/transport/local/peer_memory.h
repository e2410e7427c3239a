// SPDX-License-Identifier: MIT
// How this process reaches the memory of the peer on this host: as its own (one process), by mapping what the peer
// allocated for that, or by process_vm_readv and process_vm_writev. What the environment refuses is found out once, with
// a real copy, before the first one that counts.
//
// A copy by the kernel takes as long as the peer wants: a page of its may lie in a file system of its own, or be left to
// userfaultfd. So does the copy that finds out. What is mapped here comes when it is touched (docs/decisions/0033).
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/lock.h"
#include "base/status.h"
#include "model/sge.h"
#include "platform/memory/process_memory.h"
#include "platform/memory/shared_memory.h"
#include "transport/soft/memory/token_table.h"

namespace opennd::local {

class PeerMemory {
public:
    enum class Reach : std::uint8_t {
        same_process,  // addresses are this process's own
        process_vm,    // the kernel copies, where nothing is mapped
        mapping_only,  // process_vm is refused: only mapped segments
        untried,       // one of the two before
    };
    // A known value at an address of the peer, for the copy that tests process_vm.
    struct Cookie {
        std::uint64_t address;
        std::uint64_t value;
    };

    // `ask` requests a segment from the peer; the answer comes to add().
    PeerMemory(Reach reach, pid_t pid, std::function<void(std::uint32_t segment)> ask, Cookie cookie = {});

    bool same_process() const { return known_reach() == Reach::same_process; }
    // Never untried: the first call copies, as long as the peer wants. Any thread.
    Reach reach();
    // read() and write() may help. Waits for nothing.
    bool may_copy_by_kernel() const { return known_reach() == Reach::process_vm || known_reach() == Reach::untried; }

    // Where the peer's bytes lie here, or null: not mapped (then the segment is asked for, once), or not inside it. Any
    // thread; lock-free.
    std::byte* find(std::uint64_t address, std::uint64_t bytes, const soft::SharedLocation& location);
    // A message lies there that has no other way: asks also where find() does not, because much is mapped. A peer lets
    // its messages be fetched from kMostFetchedFrom segments.
    void ask_to_fetch(std::uint32_t segment);
    static constexpr std::size_t kMostFetchedFrom = 32;

    // It never can be found: the range is not inside its segment, which is mapped, or the segment cannot be.
    bool is_lost(std::uint64_t bytes, const soft::SharedLocation& location);

    // The segment was asked for. Any thread.
    bool awaits(std::uint32_t segment);
    // A segment that the peer sent. Refused (false) if the table is full, or the peer has had kMostBytes: memory in it is
    // then copied by the kernel.
    bool add(std::uint32_t segment, SharedMemory memory);
    // It was asked for, and cannot be mapped.
    void give_up(std::uint32_t segment);

    // Of one peer's memory, mapped at a time: two of the longest regions.
    static constexpr std::size_t kMostBytes = std::size_t{1} << 41;

    // By the kernel, with the last bytes of a write in a copy of their own (ND2-ADP-LIM-04).
    // access_violation: the peer's memory is not there; disconnected: the peer is gone; not_supported.
    Status read(std::uint64_t address, std::span<const Sge> to, std::uint64_t skip, std::uint64_t bytes) const;
    Status write(std::uint64_t address, std::span<const Sge> from, std::uint64_t skip, std::uint64_t bytes) const;

private:
    static constexpr std::size_t kMappings = 64 + kMostFetchedFrom;
    struct Mapping {
        std::uint32_t segment;
        SharedMemory memory;

        // The peer's numbers are checked against the mapping here.
        bool covers(std::uint64_t offset, std::uint64_t bytes) const {
            return offset <= memory.size() && bytes <= memory.size() - offset;
        }
    };
    // Null: not mapped.
    const Mapping* mapping_of(std::uint32_t segment) const;
    // Asks for it, if it was not. Null: nothing of it is mapped yet.
    [[gnu::cold, gnu::noinline]] std::byte* ask_for(std::uint32_t segment);
    enum class Expected : std::uint8_t { no, before, now };
    Expected expect(std::uint32_t segment, std::size_t most);
    Reach known_reach() const { return reach_.load(std::memory_order_relaxed); }
    Reach find_out() const;

    // Relaxed: untried until it is known, and everybody finds the same.
    std::atomic<Reach> reach_;
    // Constant after construction.
    const pid_t pid_;
    const Cookie cookie_;
    const std::function<void(std::uint32_t)> ask_;

    // Filled from the front, never changed: a reader stops at the first null (acquire pairs with the release in add).
    std::array<std::atomic<Mapping*>, kMappings> mappings_{};
    Mutex mutex_;
    std::array<std::unique_ptr<Mapping>, kMappings> owned_ GUARDED_BY(mutex_);
    std::size_t count_ GUARDED_BY(mutex_) = 0;
    std::size_t bytes_ GUARDED_BY(mutex_) = 0;  // mapped
    std::array<std::uint32_t, kMappings> awaited_ GUARDED_BY(mutex_){};
    std::size_t awaited_count_ GUARDED_BY(mutex_) = 0;
    std::vector<std::uint32_t> given_up_ GUARDED_BY(mutex_);  // of those
    // The newest segment asked for; relaxed: asking twice is harmless.
    std::atomic<std::uint32_t> asked_{0};
};

}  // namespace opennd::local
