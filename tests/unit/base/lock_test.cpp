// SPDX-License-Identifier: MIT
// Both locks exclude.
#include "base/lock.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace opennd {
namespace {

template <typename L>
class Lock : public testing::Test {};

using Locks = testing::Types<SpinLock, Mutex>;
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

}  // namespace
}  // namespace opennd
