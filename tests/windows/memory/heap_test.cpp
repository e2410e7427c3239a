// SPDX-License-Identifier: MIT
// Heaps: small blocks and large ones, which come from elsewhere.
#include <gtest/gtest.h>
#include <windows.h>

#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

namespace opennd {
namespace {

class HeapBlocks : public testing::TestWithParam<SIZE_T> {
protected:
    ~HeapBlocks() override { HeapDestroy(heap_); }
    HANDLE heap_ = HeapCreate(0, 4096, 0);
};

TEST_P(HeapBlocks, AreAlignedSizedAndZeroedOnDemand) {
    for (const HANDLE heap : {heap_, GetProcessHeap()}) {
        auto* const block = static_cast<unsigned char*>(HeapAlloc(heap, HEAP_ZERO_MEMORY, GetParam()));
        ASSERT_NE(block, nullptr);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % 16, 0u);
        EXPECT_EQ(HeapSize(heap, 0, block), GetParam());
        for (SIZE_T i = 0; i < GetParam(); i += 97) ASSERT_EQ(block[i], 0);
        std::memset(block, 1, GetParam());
        EXPECT_TRUE(HeapValidate(heap, 0, block));
        EXPECT_FALSE(HeapValidate(heap == heap_ ? GetProcessHeap() : heap_, 0, block));
        EXPECT_TRUE(HeapFree(heap, 0, block));
    }
}

TEST_P(HeapBlocks, GrowWithWhatIsInThem) {
    auto* block = static_cast<unsigned char*>(HeapAlloc(heap_, 0, GetParam()));
    std::memset(block, 7, GetParam());
    const SIZE_T bytes = GetParam() * 3 + 100'000;
    block = static_cast<unsigned char*>(HeapReAlloc(heap_, HEAP_ZERO_MEMORY, block, bytes));
    ASSERT_NE(block, nullptr);
    EXPECT_EQ(HeapSize(heap_, 0, block), bytes);
    if (GetParam() != 0) {
        EXPECT_EQ(block[GetParam() - 1], 7);
    }
    EXPECT_EQ(block[GetParam()], 0);
    EXPECT_EQ(block[bytes - 1], 0);
    EXPECT_EQ(HeapReAlloc(heap_, HEAP_REALLOC_IN_PLACE_ONLY, block, bytes * 4), nullptr);
    EXPECT_EQ(GetLastError(), DWORD{ERROR_NOT_ENOUGH_MEMORY});
    EXPECT_EQ(HeapReAlloc(heap_, HEAP_REALLOC_IN_PLACE_ONLY, block, 10), block);
    EXPECT_EQ(HeapSize(heap_, 0, block), 10u);
}
INSTANTIATE_TEST_SUITE_P(Sizes, HeapBlocks, testing::Values(0, 1, 24, 4096, 65'535, 65'536, 1 << 20, 64 << 20));

TEST(Heap, RefusesWhatIsNotItsOwn) {
    const HANDLE heap = HeapCreate(0, 0, 0);
    alignas(16) char local[128] = {};
    EXPECT_TRUE(HeapFree(heap, 0, nullptr));
    EXPECT_FALSE(HeapFree(heap, 0, local + 64));
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_PARAMETER});
    EXPECT_EQ(HeapSize(heap, 0, local + 64), static_cast<SIZE_T>(-1));
    EXPECT_EQ(HeapAlloc(heap, HEAP_GENERATE_EXCEPTIONS, 1), nullptr);
    EXPECT_EQ(HeapAlloc(nullptr, 0, 1), nullptr);
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_HANDLE});
    EXPECT_EQ(HeapAlloc(heap, 0, SIZE_MAX), nullptr);
    EXPECT_EQ(GetLastError(), DWORD{ERROR_NOT_ENOUGH_MEMORY});
    EXPECT_FALSE(HeapDestroy(GetProcessHeap()));
    EXPECT_EQ(HeapCreate(0, 0, 4096), nullptr);
    EXPECT_TRUE(HeapDestroy(heap));
}

TEST(Heap, ListsItsBlocksWhileLocked) {
    const HANDLE heap = HeapCreate(0, 0, 0);
    for (const SIZE_T bytes : {10u, 20u, 100'000u}) HeapAlloc(heap, 0, bytes);
    EXPECT_TRUE(HeapLock(heap));
    PROCESS_HEAP_ENTRY entry{};
    DWORD total = 0;
    while (HeapWalk(heap, &entry)) total += entry.cbData;
    EXPECT_EQ(GetLastError(), DWORD{ERROR_NO_MORE_ITEMS});
    EXPECT_EQ(total, 100'030u);
    EXPECT_TRUE(HeapUnlock(heap));
    EXPECT_TRUE(HeapValidate(heap, 0, nullptr));
    EXPECT_TRUE(HeapDestroy(heap)) << "frees what was left";
}

TEST(Heap, ServesThreadsAtOnce) {
    const HANDLE heap = HeapCreate(0, 0, 0);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([heap] {
            for (SIZE_T bytes = 1; bytes < 70'000; bytes = bytes * 3 / 2 + 1) {
                void* const block = HeapAlloc(heap, 0, bytes);
                std::memset(block, 1, bytes);
                EXPECT_TRUE(HeapFree(heap, 0, block));
            }
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_TRUE(HeapDestroy(heap));
}

}  // namespace
}  // namespace opennd
