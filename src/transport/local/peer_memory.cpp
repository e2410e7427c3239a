// SPDX-License-Identifier: MIT
// PeerMemory: see peer_memory.h.
#include "transport/local/peer_memory.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/until_memory.h"
#include "platform/memory/process_memory.h"
#include "platform/thread/asymmetric_barrier.h"
#include "transport/soft/memory/ordered_copy.h"

namespace opennd::local {
namespace {

std::vector<iovec> stretches(std::span<const Sge> sges, std::uint64_t skip, std::uint64_t bytes) {
    std::vector<iovec> list;
    until_memory([&] { list.reserve(sges.size()); });
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

// Stores are seen in the order in which a processor makes them.
#if defined(__x86_64__)
constexpr bool kStoresInOrder = true;
#else
constexpr bool kStoresInOrder = false;
#endif

}  // namespace

PeerMemory::PeerMemory(Reach reach, pid_t pid, std::function<void(std::uint32_t)> ask, Cookie cookie,
                       std::atomic<KernelCopies>* copies)
    : reach_(reach), pid_(pid), cookie_(cookie), ask_(std::move(ask)), copies_(copies) {}

PeerMemory::~PeerMemory() {
    for (Mapping* mapping = first_; mapping != nullptr;) delete std::exchange(mapping, mapping->next.load());
}

PeerMemory::Reach PeerMemory::reach() {
    if (known_reach() != Reach::untried) return known_reach();
    const Reach found = find_out();
    Reach before = Reach::untried;
    if (reach_.compare_exchange_strong(before, found, std::memory_order_relaxed) && found == Reach::mapping_only)
        log(LogLevel::info, LogCause::peer,
            "connection: process_vm is refused here; memory that is not from opennd_memory_allocate travels by frames");
    return known_reach();
}

PeerMemory::Reach PeerMemory::find_out() const {
    const KernelCopies known = copies_ ? copies_->load(std::memory_order_relaxed) : KernelCopies::untried;
    const bool works = known == KernelCopies::untried ? copies_by_kernel() : known == KernelCopies::work;
    if (copies_) copies_->store(works ? KernelCopies::work : KernelCopies::refused, std::memory_order_relaxed);
    return works ? Reach::process_vm : Reach::mapping_only;
}

bool PeerMemory::copies_by_kernel() const {
    if (pid_ <= 0) return false;  // a process that this pid namespace does not show
    std::uint64_t seen = 0;
    const iovec local{&seen, sizeof seen};
    const iovec remote{pointer(cookie_.address), sizeof seen};
    const Status status = read_process_memory(pid_, {&local, 1}, {&remote, 1});
    return ok(status) && seen == cookie_.value;
}

inline const PeerMemory::Mapping* PeerMemory::mapping_of(std::uint32_t segment) const {
    const Mapping* mapping = first_.load(std::memory_order_acquire);
    while (mapping && mapping->segment != segment) mapping = mapping->next.load(std::memory_order_acquire);
    return mapping;
}

std::byte* PeerMemory::find(std::uint64_t address, std::uint64_t bytes, soft::SharedLocation location) {
    if (same_process()) return static_cast<std::byte*>(pointer(address));
    if (location.segment == 0) return nullptr;
    if (const Mapping* const mapping = mapping_of(location.segment))
        return mapping->covers(location.offset, bytes) ? mapping->memory.data() + location.offset : nullptr;
    return ask_for(location.segment);
}

std::byte* PeerMemory::ask_for(std::uint32_t segment) {
    const bool asked = asked_.exchange(segment, std::memory_order_relaxed) == segment;
    if (!asked && expect(segment, kMappings - kMostFetchedFrom) != Expected::no) until_memory([&] { ask_(segment); });
    return nullptr;
}

void PeerMemory::ask_to_fetch(std::uint32_t segment) {
    if (expect(segment, kMappings) == Expected::now) until_memory([&] { ask_(segment); });
}

// Expects a segment, unless `most` are expected already: one beyond the table could not be mapped.
PeerMemory::Expected PeerMemory::expect(std::uint32_t segment, std::size_t most) {
    const Held lock(mutex_);
    if (std::find(awaited_.begin(), awaited_.end(), segment) != awaited_.end()) return Expected::before;
    if (awaited_.size() >= most) return Expected::no;
    append_until_memory(awaited_, segment);
    return Expected::now;
}

bool PeerMemory::awaits(std::uint32_t segment) {
    const Held lock(mutex_);
    return std::find(awaited_.begin(), awaited_.end(), segment) != awaited_.end();
}

bool PeerMemory::is_lost(std::uint64_t bytes, const soft::SharedLocation& location) {
    if (const Mapping* const mapping = mapping_of(location.segment)) return !mapping->covers(location.offset, bytes);
    const Held lock(mutex_);
    return std::find(given_up_.begin(), given_up_.end(), location.segment) != given_up_.end();
}

void PeerMemory::give_up(std::uint32_t segment) {
    const Held lock(mutex_);
    append_until_memory(given_up_, segment);
}

bool PeerMemory::add(std::uint32_t segment, SharedMemory memory) {
    const Held lock(mutex_);
    if (count_ == kMappings || memory.size() > kMostBytes - bytes_) return false;
    std::atomic<Mapping*>* end = &first_;
    for (Mapping* mapping = *end; mapping; end = &mapping->next, mapping = *end)
        if (mapping->segment == segment) return true;
    memory.close_descriptor();
    bytes_ += memory.size();
    end->store(new Mapping{segment, std::move(memory)}, std::memory_order_release);
    ++count_;
    return true;
}

Status PeerMemory::read(std::uint64_t address, std::span<const Sge> to, std::uint64_t skip, std::uint64_t bytes) const {
    const auto local = stretches(to, skip, bytes);
    const iovec remote{pointer(address), bytes};
    return read_process_memory(pid_, local, {&remote, 1});
}

Status PeerMemory::write(std::uint64_t address, std::span<const Sge> from, std::uint64_t skip,
                         std::uint64_t bytes) const {
    // The last bytes, which programs poll, come last: by an entry of their own, since the kernel copies one after the other, or by a
    // call of their own behind a barrier.
    const std::uint64_t tail = bytes % 8 == 0 ? 8 : 1, before = bytes - tail;
    const std::array<iovec, 2> remote{iovec{pointer(address), before}, iovec{pointer(address + before), tail}};
    const std::span<const iovec> parts(remote);
    if (kStoresInOrder || before == 0)
        return write_process_memory(pid_, stretches(from, skip, bytes), before == 0 ? parts.subspan(1) : parts);
    const Status status = write_process_memory(pid_, stretches(from, skip, before), parts.first(1));
    if (!ok(status)) return status;
    full_barrier();
    return write_process_memory(pid_, stretches(from, skip + before, tail), parts.subspan(1));
}

}  // namespace opennd::local
