// SPDX-License-Identifier: MIT
// Interlocked functions on every type that programs use them with.
#include <gtest/gtest.h>
#include <windows.h>

#include <atomic>
#include <map>
#include <thread>

namespace opennd {
namespace {

template <typename Integer>
class Interlocked : public testing::Test {};
using Integers = testing::Types<LONG, long, int, unsigned, unsigned long, DWORD, LONG64, volatile LONG, volatile long>;
TYPED_TEST_SUITE(Interlocked, Integers);

TYPED_TEST(Interlocked, GiveTheNewValueOrTheOldOne) {
    TypeParam number = 5;
    EXPECT_EQ(InterlockedIncrement(&number), 6u);
    EXPECT_EQ(InterlockedDecrement(&number), 5u);
    EXPECT_EQ(InterlockedAdd(&number, 2), 7u);
    EXPECT_EQ(InterlockedExchangeAdd(&number, 3), 7u);
    EXPECT_EQ(InterlockedExchange(&number, 12), 10u);
    EXPECT_EQ(InterlockedCompareExchange(&number, 3, 11), 12u);
    EXPECT_EQ(number, 12u);
    EXPECT_EQ(InterlockedCompareExchange(&number, 6, 12), 12u);
    EXPECT_EQ(InterlockedAnd(&number, 3), 6u);
    EXPECT_EQ(InterlockedOr(&number, 4), 2u);
    EXPECT_EQ(InterlockedXor(&number, 1), 6u);
    EXPECT_EQ(number, 7u);
}

TEST(InterlockedForms, OfTheirOwnNames) {
    std::map<int, LONG> numbers;
    EXPECT_EQ(InterlockedIncrement(&numbers[3]), 1);
    LONG64 wide = LONG64{1} << 40;
    EXPECT_EQ(InterlockedIncrement64(&wide), (LONG64{1} << 40) + 1);
    EXPECT_EQ(InterlockedExchangeAdd64(&wide, -1), (LONG64{1} << 40) + 1);
    EXPECT_EQ(InterlockedCompareExchange64(&wide, 0, LONG64{1} << 40), LONG64{1} << 40);
    EXPECT_EQ(wide, 0);
    int one = 0;
    PVOID pointer = nullptr;
    EXPECT_EQ(InterlockedExchangePointer(&pointer, &one), nullptr);
    EXPECT_EQ(InterlockedCompareExchangePointer(&pointer, nullptr, &one), &one);
    EXPECT_EQ(pointer, nullptr);
    MemoryBarrier();
    _ReadWriteBarrier();
    _mm_pause();
}

TEST(InterlockedForms, Of128Bits) {
    alignas(16) LONG64 target[2] = {1, 2};
    LONG64 comparand[2] = {1, 3};
    EXPECT_EQ(InterlockedCompareExchange128(target, 8, 9, comparand), 0);
    EXPECT_EQ(comparand[1], 2) << "what was there";
    EXPECT_EQ(InterlockedCompareExchange128(target, 8, 9, comparand), 1);
    EXPECT_EQ(target[0], 9);
    EXPECT_EQ(target[1], 8);
}

TEST(InterlockedForms, ThreadsLoseNoIncrement) {
    LONG count = 0;
    const auto work = [&count] {
        for (int i = 0; i < 10'000; ++i) InterlockedIncrement(&count);
    };
    std::thread other(work);
    work();
    other.join();
    EXPECT_EQ(count, 20'000);
}

// Each thread stores, changes a number of its own, and looks at the other's store: a full barrier lets no two of them miss each other.
TEST(InterlockedForms, ComeBetweenAStoreAndALoad) {
    constexpr int kRounds = 20'000;
    struct alignas(128) Side {
        std::atomic<int> stored{0};  // relaxed: a plain store and load of the program's
        LONG number = 0;
        int seen = 0;
    } sides[2];
    std::atomic<int> arrived{0};
    const auto meet = [&arrived, meetings = 0]() mutable {
        meetings += 2;
        for (arrived.fetch_add(1); arrived.load() < meetings;) std::this_thread::yield();
    };
    int missed = 0;
    const auto play = [&](int own) {
        auto all = meet;
        for (int round = 1; round <= kRounds; ++round) {
            all();
            sides[own].stored.store(round, std::memory_order_relaxed);
            InterlockedExchange(&sides[own].number, round);
            sides[own].seen = sides[1 - own].stored.load(std::memory_order_relaxed);
            all();
            if (own == 0 && sides[0].seen != round && sides[1].seen != round) ++missed;
        }
    };
    std::thread other(play, 1);
    play(0);
    other.join();
    EXPECT_EQ(missed, 0);
}

}  // namespace
}  // namespace opennd
