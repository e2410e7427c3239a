// SPDX-License-Identifier: MIT
// Buffers that are lent: the warm one first, a few kept, all of them usable.
#include "transport/iwarp/socket_buffers.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <set>
#include <vector>

namespace opennd::iwarp {
namespace {

// msync fails where nothing is mapped.
bool is_mapped(std::byte* buffer) {
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    void* const address = reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(buffer) / page * page);
    return ::msync(address, page, MS_ASYNC) == 0;
}

class SocketBuffersTest : public testing::Test {
protected:
    const Ref<SocketBuffers> buffers_ = make_ref<SocketBuffers>();
};

TEST_F(SocketBuffersTest, LendsTheOneThatCameBackLast) {
    std::byte* const first = buffers_->borrow();
    std::byte* const second = buffers_->borrow();
    EXPECT_NE(first, second);
    buffers_->give_back(first);
    buffers_->give_back(second);
    EXPECT_EQ(buffers_->borrow(), second);
    EXPECT_EQ(buffers_->borrow(), first);
    buffers_->give_back(first);
    buffers_->give_back(second);
}

TEST_F(SocketBuffersTest, LendsEachToOne) {
    std::set<std::byte*> lent;
    for (std::size_t i = 0; i < 3 * SocketBuffers::kMostKept; ++i) {
        std::byte* const buffer = buffers_->borrow();
        ASSERT_NE(buffer, nullptr);
        std::memset(buffer, 0xAB, SocketBuffers::kBytes);
        EXPECT_TRUE(lent.insert(buffer).second);
    }
    for (std::byte* const buffer : lent) buffers_->give_back(buffer);
}

TEST_F(SocketBuffersTest, KeepsAFew) {
    std::vector<std::byte*> lent;
    for (std::size_t i = 0; i < 2 * SocketBuffers::kMostKept; ++i) lent.push_back(buffers_->borrow());
    for (std::byte* const buffer : lent) buffers_->give_back(buffer);
    std::size_t mapped = 0;
    for (std::byte* const buffer : lent) mapped += is_mapped(buffer) ? 1 : 0;
    EXPECT_EQ(mapped, SocketBuffers::kMostKept);
}

TEST_F(SocketBuffersTest, BeginsInTheMiddleOfAPage) {
    BorrowedBuffer buffer(*buffers_);
    ASSERT_TRUE(buffer.borrow());
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.get()) % 4096, 2048u);
}

TEST_F(SocketBuffersTest, IsBorrowedOnceAndGivenBackOnce) {
    std::byte* memory = nullptr;
    {
        BorrowedBuffer buffer(*buffers_);
        EXPECT_EQ(buffer.get(), nullptr);
        ASSERT_TRUE(buffer.borrow());
        memory = buffer.get();
        ASSERT_TRUE(buffer.borrow());
        EXPECT_EQ(buffer.get(), memory);
        buffer.give_back();
        buffer.give_back();
        EXPECT_EQ(buffer.get(), nullptr);
        ASSERT_TRUE(buffer.borrow());
    }
    BorrowedBuffer next(*buffers_), other(*buffers_);
    ASSERT_TRUE(next.borrow() && other.borrow());
    EXPECT_EQ(next.get(), memory);
    EXPECT_NE(other.get(), memory);
}

}  // namespace
}  // namespace opennd::iwarp
