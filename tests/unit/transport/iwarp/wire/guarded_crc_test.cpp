// SPDX-License-Identifier: MIT
// The CRC is computed by code that no sanitizer watches: octets between two pages that must not be touched show that it
// keeps to them.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <span>

#include "transport/iwarp/wire/crc32c.h"

namespace opennd::iwarp {
namespace {

class GuardedPage {
public:
    GuardedPage() : at_(::mmap(nullptr, 3 * page_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
        if (at_ == MAP_FAILED) return;
        EXPECT_EQ(::mprotect(static_cast<std::byte*>(at_) + page_, page_, PROT_READ | PROT_WRITE), 0);
    }
    ~GuardedPage() {
        if (at_ != MAP_FAILED) ::munmap(at_, 3 * page_);
    }
    GuardedPage(const GuardedPage&) = delete;
    GuardedPage& operator=(const GuardedPage&) = delete;

    bool mapped() const { return at_ != MAP_FAILED; }
    std::span<const std::byte> octets() const { return {static_cast<const std::byte*>(at_) + page_, page_}; }

private:
    const std::size_t page_ = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    void* const at_;
};

TEST(GuardedCrc, ReadsTheOctetsAndNoneBesideThem) {
    const GuardedPage page;
    ASSERT_TRUE(page.mapped());
    const auto octets = page.octets();
    for (std::size_t bytes = 0; bytes <= 1600; ++bytes) {
        Crc32c first(bytes), last(bytes);
        first.add(octets.first(bytes));
        last.add(octets.last(bytes));
        ASSERT_EQ(first.value(), last.value()) << bytes;
    }
}

}  // namespace
}  // namespace opennd::iwarp
