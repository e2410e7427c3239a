// SPDX-License-Identifier: MIT
// Every lock excludes.
#include "base/lock.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "platform/thread/asymmetric_barrier.h"
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

// ---- looks that turn no owner out

constexpr int kTurns = 1000;  // of a thread inside, for another that is not to come further

TEST(BiasedLockTest, AThreadInsideIsWaitedFor) {
    if (!asymmetric_barrier_available()) GTEST_SKIP() << "each look takes the lock";
    for (const bool as_owner : {false, true}) {
        BiasedLock lock;
        if (as_owner) use_alone(lock);
        std::atomic<bool> begun{false}, seen_left{false};
        std::thread waiter;
        {
            const Held held(lock);
            waiter = std::thread([&] {
                heavy_barrier();
                begun = true;
                EXPECT_TRUE(lock.wait_until_left());
                seen_left = true;
            });
            while (!begun) std::this_thread::yield();
            for (int turn = 0; turn < kTurns; ++turn) {
                std::this_thread::yield();
                EXPECT_FALSE(seen_left) << (as_owner ? "the owner" : "another") << " is inside";
            }
        }
        waiter.join();
    }
}

TEST(BiasedLockTest, NothingIsToldOfAHolderThatSteppedOut) {
    if (!asymmetric_barrier_available()) GTEST_SKIP() << "each look takes the lock";
    BiasedLock lock;
    use_alone(lock);
    const auto left = [&] {
        bool told = false;
        std::thread([&] { told = lock.wait_until_left(); }).join();
        return told;
    };
    lock.lock();
    lock.step_out();
    EXPECT_FALSE(left());
    std::thread([&] {
        lock.lock();
        lock.step_out();  // a second one
        lock.step_in();
        lock.unlock();
    }).join();
    EXPECT_FALSE(left()) << "the first is out still";
    lock.step_in();
    lock.unlock();
    EXPECT_TRUE(left());
}

TEST(BiasedLockTest, AVisitIsAlone) {
    BiasedLock lock;
    use_alone(lock);
    const auto visit = [&] {
        bool entered = false;
        std::thread([&] { entered = BiasedLock::Visit(lock).has_entered(); }).join();
        return entered;
    };
    {
        const Held held(lock);
        EXPECT_FALSE(visit()) << "the owner is inside";
    }
    EXPECT_TRUE(visit());
    const BiasedLock::Visit own(lock);
    EXPECT_TRUE(own.has_entered());
    EXPECT_FALSE(visit()) << "another visitor is inside";
}

// The visitor sees both counts, or none, of each entry.
TEST(BiasedLockTest, AVisitSeesTheWholeOfEachEntry) {
    BiasedLock lock;
    std::uint64_t first = 0, second = 0;
    std::atomic<bool> over{false};
    std::thread visitor([&] {
        for (int visits = 0; visits < kTurns;) {
            const BiasedLock::Visit visit(lock);
            if (!visit.has_entered()) continue;
            EXPECT_EQ(first, second);
            ++visits;
        }
        over = true;
    });
    while (!over) {
        const Held held(lock);
        ++first;
        std::atomic_signal_fence(std::memory_order_seq_cst);  // two stores
        ++second;
    }
    visitor.join();
}

}  // namespace
}  // namespace opennd
