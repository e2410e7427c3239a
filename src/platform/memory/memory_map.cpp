// SPDX-License-Identifier: MIT
// A reader of "start-end rwxp ..." lines; the format is proc_pid_maps(5).
#include "platform/memory/memory_map.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "platform/process/errno_status.h"

namespace opennd {
namespace {

constexpr int kEnd = -1;

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

}  // namespace

Status MemoryMapReader::open() {
    fd_.reset(::open("/proc/self/maps", O_RDONLY | O_CLOEXEC));
    return fd_ ? Status::success : resource_status(errno);
}

std::optional<MemoryMapReader::Area> MemoryMapReader::next() {
    Area area{};
    if (!read_address('-', area.start) || !read_address(' ', area.end)) return std::nullopt;
    area.readable = get() == 'r';
    area.writable = get() == 'w';
    skip_line();
    return area;
}

bool MemoryMapReader::find(std::uintptr_t address, std::optional<Area>& area) const {
    AreaQuery query;
    query.query_addr = address;
    if (::ioctl(fd_.get(), kQueryArea, &query) != 0) {
        area.reset();
        return errno == ENOENT;  // nothing is mapped there
    }
    area = Area{query.vma_start, query.vma_end, (query.vma_flags & kAreaReadable) != 0,
                (query.vma_flags & kAreaWritable) != 0};
    return true;
}

// Hexadecimal digits up to `terminator`, which is consumed.
bool MemoryMapReader::read_address(char terminator, std::uintptr_t& address) {
    address = 0;
    for (;;) {
        const int character = get();
        if (character == terminator) return true;
        std::uintptr_t digit = 0;
        if (character >= '0' && character <= '9')
            digit = static_cast<std::uintptr_t>(character - '0');
        else if (character >= 'a' && character <= 'f')
            digit = static_cast<std::uintptr_t>(character - 'a' + 10);
        else
            return false;
        address = address << 4 | digit;
    }
}

// Lines end in a path of any length, so a line may span several fills.
void MemoryMapReader::skip_line() {
    do {
        const char* const from = buffer_.data() + position_;
        if (const void* newline = std::memchr(from, '\n', filled_ - position_)) {
            position_ += static_cast<std::size_t>(static_cast<const char*>(newline) - from) + 1;
            return;
        }
    } while (refill());
}

int MemoryMapReader::get() {
    if (position_ == filled_ && !refill()) return kEnd;
    return static_cast<unsigned char>(buffer_[position_++]);
}

bool MemoryMapReader::refill() {
    ssize_t got = 0;
    while ((got = ::read(fd_.get(), buffer_.data(), buffer_.size())) < 0 && errno == EINTR) {
    }
    position_ = 0;
    filled_ = got > 0 ? static_cast<std::size_t>(got) : 0;
    return filled_ > 0;
}

}  // namespace opennd
