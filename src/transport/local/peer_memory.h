// SPDX-License-Identifier: MIT
// The ways by which this process reaches the memory of the peer on this host: as its own (one process), by mapping segments
// that the peer allocated for that, or by process_vm_readv and process_vm_writev. Once, before the first copy that counts, a
// real copy finds out whether the environment allows the last.
//
// The peer decides how long a copy by the kernel takes: a page may lie in a file system of the peer, or be left to
// userfaultfd. The same holds for the copy that finds out, but not for pages of mapped segments (docs/decisions/0033).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "base/lock.h"
#include "base/status.h"
#include "model/sge.h"
#include "platform/memory/process_memory.h"
#include "platform/memory/shared_memory.h"
#include "transport/local/link/link_end.h"
#include "transport/soft/memory/token_table.h"

namespace opennd::local {

class PeerMemory {
public:
    enum class Reach : std::uint8_t {
        same_process,  // addresses are this process's own
        process_vm,    // the kernel copies, where nothing is mapped
        mapping_only,  // process_vm is refused: only mapped segments
        untried,       // process_vm or mapping_only, not known yet which
    };
    // A known value at an address of the peer, for the copy that tests process_vm.
    struct Cookie {
        std::uint64_t address;
        std::uint64_t value;
    };

    // `ask` requests a segment from the peer; the answer comes to add(). `copies` is shared with others that have the same peer, and
    // outlives this object; null: with none.
    PeerMemory(Reach reach, pid_t pid, std::function<void(std::uint32_t segment)> ask, Cookie cookie = {},
               std::atomic<KernelCopies>* copies = nullptr);
    ~PeerMemory();
    PeerMemory(const PeerMemory&) = delete;
    PeerMemory& operator=(const PeerMemory&) = delete;

    bool same_process() const { return known_reach() == Reach::same_process; }
    // Returns the reach, which is never untried: the first call copies, and may wait for the peer's page. Any thread.
    Reach reach();
    // Returns true if read() and write() may work. Does not wait.
    bool may_copy_by_kernel() const { return known_reach() == Reach::process_vm || known_reach() == Reach::untried; }

    // Returns the address of the peer's bytes here. Null: they are not mapped (then the segment is requested, once), or
    // not inside it. Any thread; lock-free.
    std::byte* find(std::uint64_t address, std::uint64_t bytes, soft::SharedLocation location);
    // Requests a segment for a message that has no other way, also beyond the number of segments that find() requests. A peer
    // offers messages from at most kMostFetchedFrom segments.
    void ask_to_fetch(std::uint32_t segment);
    static constexpr std::size_t kMostFetchedFrom = 32;

    // Returns true if find() will never succeed: the range is not inside its mapped segment, or the segment cannot be
    // mapped.
    bool is_lost(std::uint64_t bytes, const soft::SharedLocation& location);

    // Returns true if the segment was requested. Any thread.
    bool awaits(std::uint32_t segment);
    // Adds a segment that the peer sent. Refuses it (false) if the table is full, or the peer has had kMostBytes:
    // memory in it is then copied by the kernel.
    bool add(std::uint32_t segment, SharedMemory memory);
    // Notes that a requested segment cannot be mapped.
    void give_up(std::uint32_t segment);

    // The most bytes of one peer's memory that are mapped at a time: two of the longest regions.
    static constexpr std::size_t kMostBytes = std::size_t{1} << 41;

    // Copies by the kernel, with the last bytes of a write in a copy of their own (ND2-ADP-LIM-04). access_violation:
    // the peer's memory is not there; disconnected: the peer is gone; not_supported.
    Status read(std::uint64_t address, std::span<const Sge> to, std::uint64_t skip, std::uint64_t bytes) const;
    Status write(std::uint64_t address, std::span<const Sge> from, std::uint64_t skip, std::uint64_t bytes) const;

private:
    static constexpr std::size_t kMappings = 64 + kMostFetchedFrom;
    struct Mapping {
        std::uint32_t segment;
        SharedMemory memory;
        std::atomic<Mapping*> next{nullptr};  // as first_

        // The peer's numbers are checked against the mapping here.
        bool covers(std::uint64_t offset, std::uint64_t bytes) const {
            return offset <= memory.size() && bytes <= memory.size() - offset;
        }
    };
    // Returns the mapping of the segment, or null.
    const Mapping* mapping_of(std::uint32_t segment) const;
    // Requests the segment, once. Always null: it is not mapped yet.
    [[gnu::cold, gnu::noinline]] std::byte* ask_for(std::uint32_t segment);
    enum class Expected : std::uint8_t { no, before, now };
    Expected expect(std::uint32_t segment, std::size_t most);
    Reach known_reach() const { return reach_.load(std::memory_order_relaxed); }
    Reach find_out() const;
    bool copies_by_kernel() const;

    // The known reach. Relaxed: the first result replaces `untried`, and stays.
    std::atomic<Reach> reach_;
    // Constant after construction.
    const pid_t pid_;
    const Cookie cookie_;
    const std::function<void(std::uint32_t)> ask_;
    std::atomic<KernelCopies>* const copies_;

    // The mappings: a list that grows at its end, and is never changed otherwise. A reader stops at the first null
    // (acquire pairs with the release in add).
    std::atomic<Mapping*> first_{nullptr};
    Mutex mutex_;
    std::size_t count_ GUARDED_BY(mutex_) = 0;
    std::size_t bytes_ GUARDED_BY(mutex_) = 0;  // mapped
    std::vector<std::uint32_t> awaited_ GUARDED_BY(mutex_);
    std::vector<std::uint32_t> given_up_ GUARDED_BY(mutex_);  // requested segments that cannot be mapped
    // The newest requested segment; relaxed: a second request is harmless.
    std::atomic<std::uint32_t> asked_{0};
};

}  // namespace opennd::local
