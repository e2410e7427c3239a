// SPDX-License-Identifier: MIT
//
// Far below the addresses that the kernel gives out by itself.
#include "support/vanishing_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <stdexcept>

namespace opennd::support {
namespace {

std::size_t page_bytes() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

std::size_t whole_pages(std::size_t bytes) { return (bytes + page_bytes() - 1) / page_bytes() * page_bytes(); }

[[noreturn]] void fail(const char* step) {
    throw std::runtime_error(std::string("no vanishing memory: ") + step + ": " + std::strerror(errno));
}

// Where nothing else is mapped. Sanitizers leave a program a part of the addresses alone.
#if defined(__SANITIZE_THREAD__)
constexpr std::uintptr_t kFirstAddress = std::uintptr_t{1} << 38;
#elif defined(__SANITIZE_ADDRESS__)
constexpr std::uintptr_t kFirstAddress = std::uintptr_t{1} << 45;
#else
constexpr std::uintptr_t kFirstAddress = std::uintptr_t{1} << 40;
#endif

void* reserve_address(std::size_t bytes) {
    static std::atomic<std::uintptr_t> next{kFirstAddress};
    return reinterpret_cast<void*>(next.fetch_add(bytes + (std::size_t{1} << 21)));
}

}  // namespace

const char* name_of(Way way) {
    switch (way) {
        case Way::unmapped: return "Unmapped";
        case Way::protected_: return "Protected";
        case Way::cut_short: return "CutShort";
    }
    return "";
}

VanishingMemory::VanishingMemory(Way way, std::size_t bytes) : way_(way), bytes_(whole_pages(bytes)) {
    if (way == Way::cut_short) {
        file_ = memfd_create("vanishing", MFD_CLOEXEC);
        if (file_ < 0 || ftruncate(file_, static_cast<off_t>(bytes_)) != 0) fail("memfd");
    }
    const int flags = way == Way::cut_short ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS;
    void* const place = reserve_address(bytes_);
    void* const mapped = mmap(place, bytes_, PROT_READ | PROT_WRITE, flags | MAP_FIXED_NOREPLACE, file_, 0);
    if (mapped == MAP_FAILED) fail("mmap");
    data_ = static_cast<std::byte*>(mapped);
}

VanishingMemory::~VanishingMemory() {
    munmap(data_, bytes_);
    if (file_ >= 0) close(file_);
}

void VanishingMemory::vanish(std::size_t from) {
    from = whole_pages(from);
    bool gone = false;
    switch (way_) {
        case Way::unmapped: gone = munmap(data_ + from, bytes_ - from) == 0; break;
        case Way::protected_: gone = mprotect(data_ + from, bytes_ - from, PROT_NONE) == 0; break;
        case Way::cut_short: gone = ftruncate(file_, static_cast<off_t>(from)) == 0; break;
    }
    if (!gone) fail(name_of(way_));
}

}  // namespace opennd::support
