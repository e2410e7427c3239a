// SPDX-License-Identifier: MIT
// Memory that peers can map: allocation, location, segments.
#include "platform/memory/mappable_memory.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <cstring>
#include <limits>
#include <thread>
#include <vector>

#include "support/kernel_limits.h"
#include "unit/platform/open_descriptors.h"

namespace opennd {
namespace {

const std::size_t kPage = MemorySegment::page_size();

class MappableMemoryTest : public testing::Test {
protected:
    void TearDown() override {
        memory_ = nullptr;
        EXPECT_EQ(open_descriptors(), descriptors_before_);
    }
    std::byte* allocate(std::size_t bytes) { return static_cast<std::byte*>(memory_->allocate(bytes).value()); }
    MappableMemory::Location location(const void* address) { return memory_->locate(address, 1).value(); }
    std::size_t segment_size(std::uint32_t segment) {
        struct stat status {};
        EXPECT_EQ(::fstat(memory_->segment_descriptor(segment).take().get(), &status), 0);
        return static_cast<std::size_t>(status.st_size);
    }

    const std::size_t descriptors_before_ = open_descriptors();
    Ref<MappableMemory> memory_ = make_ref<MappableMemory>();
};

TEST_F(MappableMemoryTest, IsZeroedAlignedAndWritable) {
    std::byte* const data = allocate(10'000);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(data) % kPage, 0u);
    for (std::size_t i = 0; i < 10'000; ++i) ASSERT_EQ(data[i], std::byte{0});
    std::memset(data, 1, 10'000);
    EXPECT_EQ(memory_->free(data), Status::success);
}

TEST_F(MappableMemoryTest, APeerSeesItAtItsLocation) {
    allocate(kPage);
    std::byte* const data = allocate(100);
    std::memcpy(data, "hello", 6);
    const MappableMemory::Location where = location(data);
    Descriptor fd = memory_->segment_descriptor(where.segment).take();
    const std::size_t size = segment_size(where.segment);
    Result<SharedMemory> peer = SharedMemory::map(std::move(fd), size, SharedMemory::Access::read_write);
    ASSERT_TRUE(peer.ok());
    EXPECT_STREQ(reinterpret_cast<const char*>(peer.value().data() + where.offset), "hello");
}

TEST_F(MappableMemoryTest, LocatesOnlyRangesInsideOneLiveAllocation) {
    std::byte* const data = allocate(2 * kPage);
    allocate(kPage);
    EXPECT_TRUE(memory_->locate(data + 10, 2 * kPage - 10));
    EXPECT_EQ(memory_->locate(data + 10, 1)->offset, location(data).offset + 10);
    EXPECT_FALSE(memory_->locate(data, 2 * kPage + 1));
    EXPECT_FALSE(memory_->locate(data - 1, 1));
    EXPECT_FALSE(memory_->locate(&data, 1));
    EXPECT_FALSE(memory_->locate(nullptr, 1));
    EXPECT_EQ(memory_->free(data), Status::success);
    EXPECT_FALSE(memory_->locate(data, 1));
}

TEST_F(MappableMemoryTest, RefusesSizesThatCannotBe) {
    EXPECT_EQ(memory_->allocate(0).status(), Status::invalid_length);
    EXPECT_EQ(memory_->allocate(std::numeric_limits<std::size_t>::max()).status(), Status::no_memory);
    EXPECT_EQ(memory_->allocate(std::numeric_limits<std::size_t>::max() / 2).status(), Status::no_memory);
}

TEST_F(MappableMemoryTest, FreesOnlyWhatItGave) {
    std::byte* const data = allocate(2 * kPage);
    int local = 0;
    EXPECT_EQ(memory_->free(nullptr), Status::success);
    EXPECT_EQ(memory_->free(&local), Status::invalid_parameter);
    EXPECT_EQ(memory_->free(data + kPage), Status::invalid_parameter);
    EXPECT_EQ(memory_->free(data), Status::success);
    EXPECT_EQ(memory_->free(data), Status::invalid_parameter);
}

TEST_F(MappableMemoryTest, FreedMemoryIsZeroWhenGivenAgain) {
    if (const std::string reason = support::keeps_removed_pages(); !reason.empty()) GTEST_SKIP() << reason;
    std::byte* const first = allocate(4 * kPage);
    std::memset(first, 0xFF, 4 * kPage);
    EXPECT_EQ(memory_->free(first), Status::success);
    std::byte* const second = allocate(4 * kPage);
    ASSERT_EQ(first, second);
    for (std::size_t i = 0; i < 4 * kPage; ++i) ASSERT_EQ(second[i], std::byte{0});
}

TEST_F(MappableMemoryTest, SmallAllocationsShareASegment) {
    EXPECT_EQ(location(allocate(1)).segment, location(allocate(1 << 20)).segment);
}

TEST_F(MappableMemoryTest, ALargeAllocationHasItsOwnSegment) {
    std::byte* const large = allocate(MappableMemory::kSegmentBytes + 1);
    std::byte* const small = allocate(1);
    const std::uint32_t segment = location(large).segment;
    EXPECT_NE(segment, location(small).segment);
    EXPECT_EQ(segment_size(segment), MappableMemory::kSegmentBytes + kPage);
    large[MappableMemory::kSegmentBytes] = std::byte{1};
    EXPECT_EQ(memory_->free(large), Status::success);
    EXPECT_EQ(memory_->segment_descriptor(segment).status(), Status::invalid_parameter);
}

TEST_F(MappableMemoryTest, KeepsOneEmptySegmentAndReusesNoId) {
    std::byte* const first = allocate(MappableMemory::kSegmentBytes);
    std::byte* const second = allocate(MappableMemory::kSegmentBytes);
    const std::uint32_t first_id = location(first).segment;
    const std::uint32_t second_id = location(second).segment;
    EXPECT_NE(first_id, second_id);
    EXPECT_EQ(memory_->free(first), Status::success);
    EXPECT_TRUE(memory_->segment_descriptor(first_id).ok());
    EXPECT_EQ(memory_->free(second), Status::success);
    EXPECT_FALSE(memory_->segment_descriptor(second_id).ok());

    EXPECT_EQ(location(allocate(1)).segment, first_id);
    EXPECT_GT(location(allocate(MappableMemory::kSegmentBytes)).segment, second_id);
}

TEST_F(MappableMemoryTest, ServesManyThreads) {
    if (const std::string reason = support::keeps_removed_pages(); !reason.empty()) GTEST_SKIP() << reason;
    std::vector<std::thread> threads;
    for (int t = 1; t <= 3; ++t)
        threads.emplace_back([this, t] {
            for (int i = 0; i < 300; ++i) {
                const std::size_t bytes = kPage * static_cast<std::size_t>(1 + (i * t) % 5);
                const Result<void*> mine = memory_->allocate(bytes);
                ASSERT_TRUE(mine.ok());
                auto* const data = static_cast<std::byte*>(mine.value());
                EXPECT_EQ(data[0], std::byte{0});
                std::memset(data, t, bytes);
                EXPECT_TRUE(memory_->locate(data, bytes));
                EXPECT_EQ(data[bytes - 1], static_cast<std::byte>(t));
                EXPECT_EQ(memory_->free(data), Status::success);
            }
        });
    for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace opennd
