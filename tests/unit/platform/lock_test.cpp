// SPDX-License-Identifier: MIT
// Every lock excludes.
#include "base/lock.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "platform/thread/biased_lock.h"

namespace opennd {
namespace {

template <typename L>
class Lock : public testing::Test {};

using Locks = testing::Types<SpinLock, Mutex, BiasedLock>;
TYPED_TEST_SUITE(Lock, Locks);

// More threads than processors, so that a holder loses its processor now and then.
TYPED_TEST(Lock, LetsOneThreadInAtATime) {
    constexpr int kThreads = 6;
    constexpr int kRounds = 5000;
    TypeParam lock;
    int counter = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t)
        threads.emplace_back([&] {
            for (int i = 0; i < kRounds; ++i) {
                const Held held(lock);
                ++counter;
            }
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(counter, kThreads * kRounds);
}

TYPED_TEST(Lock, TryLockFailsWhileHeld) {
    TypeParam lock;
    bool taken = true;
    {
        const Held held(lock);
        std::thread([&] { taken = lock.try_lock(); }).join();
    }
    EXPECT_FALSE(taken);
    if (lock.try_lock())
        lock.unlock();
    else
        ADD_FAILURE() << "the lock is free again";
}

// Often enough for this thread to own the lock.
void use_alone(BiasedLock& lock) {
    for (int i = 0; i < 5000; ++i) const Held held(lock);
}

TEST(BiasedLockTest, LetsOthersInWhileItsOwnerGoesOn) {
    BiasedLock lock;
    std::uint64_t counter = 0, expected = 0;
    constexpr std::uint64_t kRounds = 40, kOthers = 3, kEntries = 20;
    for (std::uint64_t round = 0; round < kRounds; ++round) {
        use_alone(lock);
        std::atomic<std::uint64_t> running{kOthers};
        std::vector<std::thread> others;
        for (std::uint64_t t = 0; t < kOthers; ++t)
            others.emplace_back([&] {
                for (std::uint64_t i = 0; i < kEntries; ++i) {
                    const Held held(lock);
                    ++counter;
                }
                running.fetch_sub(1);
            });
        for (; running.load() != 0; ++expected) {
            const Held held(lock);
            ++counter;
        }
        for (std::thread& other : others) other.join();
        expected += kOthers * kEntries;
        ASSERT_EQ(counter, expected);
    }
}

TEST(BiasedLockTest, TryLockFailsWhileTheOwnerIsInside) {
    BiasedLock lock;
    use_alone(lock);
    bool taken = true;
    {
        const Held held(lock);
        std::thread([&] { taken = lock.try_lock(); }).join();
    }
    EXPECT_FALSE(taken);
    std::thread([&] {
        if (!lock.try_lock()) return;
        taken = true;
        lock.unlock();
    }).join();
    EXPECT_TRUE(taken) << "the owner is outside";
}

}  // namespace
}  // namespace opennd
