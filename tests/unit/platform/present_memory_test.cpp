// SPDX-License-Identifier: MIT
// Questions about memory of this process; tests/faults/registration_test.cpp asks in every way.
#include "platform/memory/present_memory.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <vector>

#include "unit/platform/open_descriptors.h"

namespace opennd {
namespace {

const std::size_t kPageBytes = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));

// Anonymous pages; a test changes their protection one by one.
class OwnPages {
public:
    explicit OwnPages(std::size_t count)
        : bytes_(count * kPageBytes),
          data_(static_cast<std::byte*>(
              ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {}
    ~OwnPages() { ::munmap(data_, bytes_); }
    OwnPages(const OwnPages&) = delete;
    OwnPages& operator=(const OwnPages&) = delete;

    std::byte* page(std::size_t index) const { return data_ + index * kPageBytes; }
    void protect(std::size_t index, int protection) const { ::mprotect(page(index), kPageBytes, protection); }

private:
    std::size_t bytes_;
    std::byte* data_;
};

TEST(CheckMapped, AcceptsStackHeapAndConstants) {
    static const int constant = 3;
    int local = 0;
    const std::vector<std::byte> heap(10 << 20);
    EXPECT_EQ(check_mapped(&local, sizeof local, true), Status::success);
    EXPECT_EQ(check_mapped(heap.data(), heap.size(), true), Status::success);
    EXPECT_EQ(check_mapped(&constant, sizeof constant, false), Status::success);
    EXPECT_EQ(check_mapped(&constant, sizeof constant, true), Status::access_violation);
}

TEST(CheckMapped, AcceptsARangeOverManyAreas) {
    constexpr std::size_t kCount = 200;
    const OwnPages pages(kCount);
    for (std::size_t i = 0; i < kCount; i += 2) pages.protect(i, PROT_READ);  // one area per page
    EXPECT_EQ(check_mapped(pages.page(0), kCount * kPageBytes, false), Status::success);
    EXPECT_EQ(check_mapped(pages.page(0), kCount * kPageBytes, true), Status::access_violation);
    EXPECT_EQ(check_mapped(pages.page(1), kPageBytes, true), Status::success);
}

TEST(CheckMapped, FindsAHole) {
    const OwnPages pages(3);
    pages.protect(1, PROT_NONE);
    EXPECT_EQ(check_mapped(pages.page(0), 3 * kPageBytes, false), Status::access_violation);
    EXPECT_EQ(check_mapped(pages.page(0), kPageBytes, false), Status::success);
    ::munmap(pages.page(1), kPageBytes);
    EXPECT_EQ(check_mapped(pages.page(0), 3 * kPageBytes, false), Status::access_violation);
    EXPECT_EQ(check_mapped(pages.page(0), kPageBytes + 1, false), Status::access_violation);
    EXPECT_EQ(check_mapped(pages.page(2), kPageBytes, false), Status::success);
}

TEST(CheckMapped, RefusesNullAndWrappedRanges) {
    EXPECT_EQ(check_mapped(nullptr, 1, false), Status::access_violation);
    const std::byte here{};
    EXPECT_EQ(check_mapped(&here, ~std::size_t{0}, false), Status::access_violation);
    EXPECT_EQ(check_mapped(reinterpret_cast<void*>(~std::uintptr_t{0} - 10), 10, false), Status::access_violation);
}

TEST(CheckMapped, AnEmptyRangeIsMappedAnywhere) { EXPECT_EQ(check_mapped(nullptr, 0, true), Status::success); }

TEST(CheckMapped, LeavesNoDescriptor) {
    const std::size_t before = open_descriptors();
    EXPECT_EQ(check_mapped(&before, sizeof before, false), Status::success);
    EXPECT_EQ(open_descriptors(), before);
}

}  // namespace
}  // namespace opennd
