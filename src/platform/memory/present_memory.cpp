// SPDX-License-Identifier: MIT
// See present_memory.h.
#include "platform/memory/present_memory.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <optional>

#include "platform/descriptor/descriptor.h"
#include "platform/memory/guarded_copy.h"
#include "platform/memory/process_memory.h"

namespace opennd {
namespace {

// PROCMAP_QUERY of linux/fs.h, which is younger than the headers that this may be built with.
struct AreaQuery {
    std::uint64_t size = sizeof(AreaQuery);
    std::uint64_t query_flags = 0;  // 0: the area that holds query_addr, with any rights
    std::uint64_t query_addr = 0;
    std::uint64_t vma_start = 0;
    std::uint64_t vma_end = 0;
    std::uint64_t vma_flags = 0;
    std::uint64_t vma_page_size = 0;
    std::uint64_t vma_offset = 0;
    std::uint64_t inode = 0;
    std::uint32_t dev_major = 0;
    std::uint32_t dev_minor = 0;
    std::uint32_t vma_name_size = 0;
    std::uint32_t build_id_size = 0;
    std::uint64_t vma_name_addr = 0;
    std::uint64_t build_id_addr = 0;
};
static_assert(sizeof(AreaQuery) == 104);
constexpr unsigned long kQueryArea = _IOWR('f', 17, AreaQuery);
constexpr std::uint64_t kAreaReadable = 1;
constexpr std::uint64_t kAreaWritable = 2;
constexpr std::uint64_t kAreaShared = 8;

// The areas of this process's address space, of which the kernel is asked one at a time. Not thread-safe. Allocates nothing.
class AddressSpace {
public:
    struct Area {
        std::uintptr_t end;  // first byte behind
        bool readable;
        bool writable;
        bool shared;  // stores go to the file
    };

    AddressSpace();

    // The area that holds `address`, or nothing if none does. False: the kernel cannot be asked (before Linux 6.11, or without /proc).
    bool find(std::uintptr_t address, std::optional<Area>& area) const;

private:
    const Descriptor fd_;
};

AddressSpace::AddressSpace() : fd_(::open("/proc/self/maps", O_RDONLY | O_CLOEXEC)) {}

bool AddressSpace::find(std::uintptr_t address, std::optional<Area>& area) const {
    AreaQuery query;
    query.query_addr = address;
    if (!fd_ || ::ioctl(fd_.get(), kQueryArea, &query) != 0) {
        area.reset();
        return fd_ && errno == ENOENT;  // nothing is mapped there
    }
    area = Area{query.vma_end, (query.vma_flags & kAreaReadable) != 0, (query.vma_flags & kAreaWritable) != 0,
                (query.vma_flags & kAreaShared) != 0};
    return true;
}

// The kernel's numbers, from Linux 5.14 on; the headers that this is built with may be older.
constexpr int kPopulateRead = 22, kPopulateWrite = 23;

std::uintptr_t page_bytes() { return static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE)); }

// Whole pages: begin and end are multiples of page_bytes().
struct Pages {
    std::uintptr_t begin, end;

    static Pages around(std::uintptr_t begin, std::uintptr_t end) {
        return {begin / page_bytes() * page_bytes(), (end - 1) / page_bytes() * page_bytes() + page_bytes()};
    }
    void* data() const { return reinterpret_cast<void*>(begin); }
    std::size_t bytes() const { return end - begin; }
    Pages first(std::size_t most) const { return {begin, begin + std::min(bytes(), most)}; }
    Pages last(std::size_t most) const { return {end - std::min(bytes(), most), end}; }
};

// access_violation: the range has a page that cannot be had so. no_memory. not_supported: the kernel, or its sandbox, does not say.
Status populate(const Pages& pages, int how) {
    if (::madvise(pages.data(), pages.bytes(), how) == 0) return Status::success;
    switch (errno) {
        case EFAULT: return Status::access_violation;
        case ENOMEM: return Status::no_memory;  // holes are found before
        case EHWPOISON: return Status::access_violation;
        case EINVAL: break;
        default: return Status::not_supported;
    }
    // The right is lacking, or the memory is a device's; or this kernel does not know the advice.
    if (how == kPopulateWrite && ok(populate(pages.first(page_bytes()), kPopulateRead)))
        return Status::access_violation;
    std::byte byte;
    const iovec here{&byte, 1}, there{pages.data(), 1};
    const Status copied = read_process_memory(own_process(), {&here, 1}, {&there, 1});
    return copied == Status::access_violation ? copied : Status::not_supported;
}

Status populate_ends(const Pages& pages, int how) {
    const Status status = populate(pages.first(page_bytes()), how);
    return ok(status) ? populate(pages.last(page_bytes()), how) : status;
}

Status read_each(const Pages& pages) {
    if (const Status status = populate(pages, kPopulateRead); status != Status::not_supported) return status;
    for (std::uintptr_t page = pages.begin; page != pages.end; page += page_bytes()) {
        std::byte byte;
        if (!copy_guarded(&byte, reinterpret_cast<const std::byte*>(page), 1)) return Status::access_violation;
    }
    return Status::success;
}

Status answered(Status status) { return status == Status::not_supported ? Status::success : status; }

Status read_through(const Pages& pages, bool writable) {
    // It only looks for holes.
    if (::msync(pages.data(), pages.bytes(), MS_ASYNC) != 0 && errno == ENOMEM) return Status::access_violation;
    const bool whole = pages.bytes() <= kMostRead;
    Status status = read_each(whole ? pages : pages.first(kMostRead / 2));
    if (ok(status) && !whole) status = read_each(pages.last(kMostRead / 2));
    return ok(status) && writable ? answered(populate_ends(pages, kPopulateWrite)) : status;
}

Status obtain(const Pages& pages, const AddressSpace::Area& area, bool writable) {
    if (area.shared) return answered(populate(pages, writable ? kPopulateWrite : kPopulateRead));
    return answered(populate_ends(pages, kPopulateRead));
}

enum class Purpose { look, obtain };

Status check(const void* address, std::size_t bytes, bool writable, Purpose purpose) {
    const auto begin = reinterpret_cast<std::uintptr_t>(address);
    std::uintptr_t end = 0;
    if (bytes == 0) return Status::success;
    if (__builtin_add_overflow(begin, bytes, &end) || end > UINTPTR_MAX - page_bytes()) return Status::access_violation;
    const Pages range = Pages::around(begin, end);
    const AddressSpace space;
    std::optional<AddressSpace::Area> area;
    for (std::uintptr_t at = range.begin; at < range.end; at = area->end) {
        if (!space.find(at, area)) return read_through({at, range.end}, writable);
        if (!area || !area->readable || (writable && !area->writable)) return Status::access_violation;
        if (purpose == Purpose::look) continue;
        const Status status = obtain({at, std::min(area->end, range.end)}, *area, writable);
        if (!ok(status)) return status;
    }
    return Status::success;
}

}  // namespace

Status check_mapped(const void* address, std::size_t bytes, bool writable) {
    return check(address, bytes, writable, Purpose::look);
}

Status obtain_memory(const void* address, std::size_t bytes, bool writable) {
    return check(address, bytes, writable, Purpose::obtain);
}

}  // namespace opennd
