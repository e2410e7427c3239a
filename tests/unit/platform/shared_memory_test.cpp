// SPDX-License-Identifier: MIT
// Shared memory: a peer can map it, and a hostile peer's files are refused.
#include "platform/memory/shared_memory.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <sys/mman.h>
#include <unistd.h>
#include "support/kernel_limits.h"
#include "support/sanitizer.h"

#include <cstring>
#include <limits>
#include <utility>

#include "unit/platform/open_descriptors.h"

namespace opennd {
namespace {

constexpr std::size_t kBytes = 3 * 4096;
constexpr int kFixedSize = F_SEAL_SHRINK | F_SEAL_GROW;

Descriptor duplicate(int fd) { return Descriptor(::fcntl(fd, F_DUPFD_CLOEXEC, 0)); }

Descriptor memfd(std::size_t bytes, int seals) {
    Descriptor fd(::memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    EXPECT_EQ(::ftruncate(fd.get(), static_cast<off_t>(bytes)), 0);
    EXPECT_EQ(::fcntl(fd.get(), F_ADD_SEALS, seals), 0);
    return fd;
}

class SharedMemoryTest : public testing::Test {
protected:
    void TearDown() override { expect_all_closed(descriptors_before_); }

private:
    const std::size_t descriptors_before_ = open_descriptors();
};

TEST_F(SharedMemoryTest, IsZeroAndWritable) {
    Result<SharedMemory> memory = SharedMemory::create("test", kBytes);
    ASSERT_TRUE(memory.ok());
    EXPECT_EQ(memory.value().size(), kBytes);
    EXPECT_EQ(memory.value().data()[kBytes - 1], std::byte{0});
    memory.value().data()[kBytes - 1] = std::byte{7};
}

TEST_F(SharedMemoryTest, ASecondMappingSeesTheSameBytes) {
    Result<SharedMemory> ours = SharedMemory::create("test", kBytes);
    Result<SharedMemory> theirs =
        SharedMemory::map(duplicate(ours.value().descriptor()), kBytes, SharedMemory::Access::read_write);
    ASSERT_TRUE(theirs.ok());
    EXPECT_EQ(theirs.value().size(), kBytes);
    std::memcpy(theirs.value().data(), "hello", 6);
    EXPECT_STREQ(reinterpret_cast<const char*>(ours.value().data()), "hello");
}

TEST_F(SharedMemoryTest, CannotBeResized) {
    Result<SharedMemory> memory = SharedMemory::create("test", kBytes);
    EXPECT_NE(::ftruncate(memory.value().descriptor(), 0), 0);
    EXPECT_NE(::ftruncate(memory.value().descriptor(), 2 * kBytes), 0);
    EXPECT_NE(::fcntl(memory.value().descriptor(), F_ADD_SEALS, F_SEAL_WRITE), 0);
}

TEST_F(SharedMemoryTest, RefusesSizesThatCannotBe) {
    EXPECT_EQ(SharedMemory::create("test", 0).status(), Status::invalid_length);
    EXPECT_EQ(SharedMemory::create("test", std::numeric_limits<std::size_t>::max()).status(), Status::invalid_length);
}

TEST_F(SharedMemoryTest, TheMappingOutlivesTheDescriptor) {
    Result<SharedMemory> memory = SharedMemory::create("test", kBytes);
    memory.value().close_descriptor();
    EXPECT_EQ(memory.value().descriptor(), -1);
    memory.value().data()[0] = std::byte{1};
}

TEST_F(SharedMemoryTest, MoveLeavesNothingBehind) {
    SharedMemory first = SharedMemory::create("test", kBytes).take();
    std::byte* const data = first.data();
    SharedMemory second(std::move(first));
    EXPECT_EQ(first.data(), nullptr);  // NOLINT(bugprone-use-after-move): moved-from owns nothing
    EXPECT_EQ(first.size(), 0u);
    EXPECT_EQ(second.data(), data);
    second = SharedMemory();
    EXPECT_EQ(second.data(), nullptr);
}

TEST_F(SharedMemoryTest, RefusesAFileThatMayShrink) {
    EXPECT_EQ(SharedMemory::map(memfd(kBytes, 0), kBytes, SharedMemory::Access::read_only).status(),
              Status::access_violation);
    EXPECT_EQ(SharedMemory::map(memfd(kBytes, F_SEAL_GROW), kBytes, SharedMemory::Access::read_only).status(),
              Status::access_violation);
}

// Sent, grown and sent again, it would be taken for longer than its mapping.
TEST_F(SharedMemoryTest, RefusesAFileThatMayGrow) {
    EXPECT_EQ(SharedMemory::map(memfd(kBytes, F_SEAL_SHRINK), kBytes, SharedMemory::Access::read_write).status(),
              Status::access_violation);
}

TEST_F(SharedMemoryTest, RefusesAFileOfAnotherSize) {
    EXPECT_EQ(SharedMemory::map(memfd(kBytes, kFixedSize), kBytes + 1, SharedMemory::Access::read_only).status(),
              Status::access_violation);
    EXPECT_EQ(SharedMemory::map(memfd(kBytes, kFixedSize), kBytes - 1, SharedMemory::Access::read_only).status(),
              Status::access_violation);
    EXPECT_EQ(SharedMemory::map(memfd(kBytes, kFixedSize), {1, kBytes - 1}, SharedMemory::Access::read_only).status(),
              Status::access_violation);
    EXPECT_TRUE(SharedMemory::map(memfd(kBytes, kFixedSize), {1, kBytes}, SharedMemory::Access::read_only).ok());
    EXPECT_EQ(SharedMemory::map(memfd(0, kFixedSize), 0, SharedMemory::Access::read_only).status(),
              Status::access_violation);
}

TEST_F(SharedMemoryTest, MapsOnlySoMuchOfPeersAtATime) {
    if (support::kThreadSanitizer) GTEST_SKIP() << "the thread sanitizer has the address space";
    if (const std::string reason = support::charges_for_addresses(); !reason.empty()) GTEST_SKIP() << reason;
    constexpr std::size_t kLarge = SharedMemory::kMostOfPeers / 2;
    const auto map = [] {
        return SharedMemory::map(memfd(kLarge, kFixedSize), {1, kLarge}, SharedMemory::Access::read_write);
    };
    const Result<SharedMemory> first = map();
    {
        const Result<SharedMemory> second = map();
        ASSERT_TRUE(first.ok() && second.ok());
        EXPECT_EQ(map().status(), Status::no_memory);
    }
    EXPECT_TRUE(map().ok());
}

TEST_F(SharedMemoryTest, RefusesWhatIsNoMemory) {
    int ends[2];
    ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    const Descriptor write_end(ends[1]);
    EXPECT_EQ(SharedMemory::map(Descriptor(ends[0]), 1, SharedMemory::Access::read_only).status(),
              Status::access_violation);
    EXPECT_EQ(SharedMemory::map(Descriptor(), 1, SharedMemory::Access::read_only).status(), Status::access_violation);
    EXPECT_EQ(SharedMemory::map(Descriptor(::open("/proc/self/exe", O_RDONLY | O_CLOEXEC)),
                                {1, SharedMemory::kMostOfPeers}, SharedMemory::Access::read_only)
                  .status(),
              Status::access_violation);
}

TEST_F(SharedMemoryTest, RefusesHugePages) {
    Descriptor fd(::memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_HUGETLB));
    if (!fd) GTEST_SKIP() << "this kernel has no huge-page memfd";
    ASSERT_EQ(::ftruncate(fd.get(), 2 << 20), 0);
    ASSERT_EQ(::fcntl(fd.get(), F_ADD_SEALS, kFixedSize), 0);
    EXPECT_EQ(SharedMemory::map(std::move(fd), 2 << 20, SharedMemory::Access::read_only).status(),
              Status::access_violation);
}

TEST_F(SharedMemoryTest, HonoursASealAgainstWriting) {
    const Descriptor fd = memfd(kBytes, kFixedSize | F_SEAL_WRITE);
    EXPECT_EQ(SharedMemory::map(duplicate(fd.get()), kBytes, SharedMemory::Access::read_write).status(),
              Status::access_violation);
    EXPECT_TRUE(SharedMemory::map(duplicate(fd.get()), kBytes, SharedMemory::Access::read_only).ok());
}

TEST_F(SharedMemoryTest, PeersOfReadOnlyMemoryCannotWriteIt) {
    Result<SharedMemory> ours = SharedMemory::create("test", kBytes, SharedMemory::Peers::read_only);
    ASSERT_TRUE(ours.ok());
    const int fd = ours.value().descriptor();
    EXPECT_EQ(SharedMemory::map(duplicate(fd), kBytes, SharedMemory::Access::read_write).status(),
              Status::access_violation);
    Result<SharedMemory> theirs = SharedMemory::map(duplicate(fd), kBytes, SharedMemory::Access::read_only);
    ASSERT_TRUE(theirs.ok());
    ours.value().data()[0] = std::byte{9};
    EXPECT_EQ(theirs.value().data()[0], std::byte{9});
}

}  // namespace
}  // namespace opennd
