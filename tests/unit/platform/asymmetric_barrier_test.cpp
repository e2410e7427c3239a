// SPDX-License-Identifier: MIT
// The store-load pattern of asymmetric_barrier.h: never do both sides miss each other.
#include "platform/thread/asymmetric_barrier.h"

#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <thread>

namespace opennd {
namespace {

TEST(AsymmetricBarrier, AnswersTheSameEveryTime) {
    const bool available = asymmetric_barrier_available();
    EXPECT_EQ(asymmetric_barrier_available(), available);
}

TEST(AsymmetricBarrier, OneSideAlwaysSeesTheOther) {
    constexpr int kRounds = 2000;
    const bool asymmetric = asymmetric_barrier_available();
    std::atomic<int> item{0};
    std::atomic<int> sleeper{0};
    int sleeper_seen = 0;
    int item_seen = 0;
    int both_missed = 0;
    std::barrier rendezvous(2);

    std::thread hot([&] {
        for (int round = 1; round <= kRounds; ++round) {
            rendezvous.arrive_and_wait();
            item.store(round, std::memory_order_relaxed);
            asymmetric ? light_barrier() : full_barrier();
            sleeper_seen = sleeper.load(std::memory_order_relaxed);
            rendezvous.arrive_and_wait();
        }
    });
    for (int round = 1; round <= kRounds; ++round) {
        rendezvous.arrive_and_wait();
        sleeper.store(round, std::memory_order_relaxed);
        heavy_barrier();
        item_seen = item.load(std::memory_order_relaxed);
        rendezvous.arrive_and_wait();
        if (sleeper_seen != round && item_seen != round) ++both_missed;
    }
    hot.join();
    EXPECT_EQ(both_missed, 0);
}

}  // namespace
}  // namespace opennd
