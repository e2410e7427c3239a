// SPDX-License-Identifier: MIT
// See address_space.h.
#include "platform/memory/address_space.h"

#include <fcntl.h>
#include <sys/ioctl.h>

#include <cerrno>

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

}  // namespace

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

}  // namespace opennd
