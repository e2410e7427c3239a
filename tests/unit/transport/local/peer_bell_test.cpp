// SPDX-License-Identifier: MIT
// A peer is rung while it changes its word: two threads at once, in many rounds.
#include "transport/local/peer_bell.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>
#include <cstdint>
#include <thread>

#include "platform/thread/asymmetric_barrier.h"
#include "transport/local/arena/names.h"

namespace opennd::local {
namespace {

// One call on each thread a round, one a little earlier or later than the other.
class PeerBellTest : public testing::Test {
protected:
    static constexpr int kRounds = 200'000;

    // `word`: the peer's when a round begins.
    template <typename Here, typename There>
    void in_rounds(std::uint32_t word, Here here, There there) {
        cpu_set_t allowed;
        CPU_ZERO(&allowed);
        (void)::sched_getaffinity(0, sizeof allowed, &allowed);
        stay_on(allowed, 0);
        std::thread other([&] {
            stay_on(allowed, 1);
            for (int round = 1; round <= kRounds; ++round) {
                wait_for(begun_, round);
                there();
                ended_.store(round);
            }
        });
        for (int round = 1; round <= kRounds; ++round) {
            word_.store(word);
            store(frame_, 0);
            seen_ = false;
            begun_.store(round);
            for (int step = round % 256; step > 0; --step) std::atomic_signal_fence(std::memory_order_seq_cst);
            here();
            wait_for(ended_, round);
            missed_ += seen_ || LaneWish::attention(word_.load()) == kAsleepRung ? 0 : 1;
        }
        other.join();
        (void)::sched_setaffinity(0, sizeof allowed, &allowed);
    }
    // This thread stays on one processor, each number on another if the process may run on several.
    static void stay_on(const cpu_set_t& allowed, int number) {
        cpu_set_t one;
        CPU_ZERO(&one);
        for (int processor = 0; processor < CPU_SETSIZE && number >= 0; ++processor) {
            if (!CPU_ISSET(processor, &allowed)) continue;
            CPU_ZERO(&one);
            CPU_SET(processor, &one);
            --number;
        }
        (void)::sched_setaffinity(0, sizeof one, &one);
    }
    // A relaxed store in every build: without optimisation those of std::atomic are in order.
    static void store(int& word, int value) { __atomic_store_n(&word, value, __ATOMIC_RELAXED); }
    static void wait_for(const std::atomic<int>& word, int round) {
        for (int look = 0; word.load() != round; ++look)
            if (look > 1000) std::this_thread::yield();
    }

    Lane lane_{};
    std::atomic<std::uint32_t>& word_ = lane_.wishes.attention;
    PeerBell bell_{lane_, nullptr};
    // Payload before the frame. The other thread writes it last, so that the stores here take their time.
    struct alignas(kLine) Line {
        int word = 0;
    };
    Line payload_[16];
    alignas(kLine) int frame_ = 0;
    alignas(kLine) std::atomic<int> begun_{0};
    alignas(kLine) std::atomic<int> ended_{0};
    bool seen_ = false;  // by the other thread
    int missed_ = 0;
};

TEST_F(PeerBellTest, RingsASleeperThatChangesItsCrowdsMeanwhile) {
    in_rounds(
        LaneWish::with(kAsleep, 1), [&] { bell_.ring(); },
        [&] { seen_ = LaneWish::attention(word_.exchange(LaneWish::with(kAsleep, 3))) == kAsleepRung; });
    EXPECT_EQ(missed_, 0);
}

// tests/protocols/attention.pml: the peer looks once more after it said that it sleeps.
TEST_F(PeerBellTest, RingsOneThatFallsAsleepMeanwhileUnlessItSeesTheFrame) {
    in_rounds(
        LaneWish::with(static_cast<std::uint32_t>(soft::Attention::awake), 0),
        [&] {
            for (Line& line : payload_) store(line.word, 1);
            store(frame_, 1);
            bell_.ring();
        },
        [&] {
            word_.store(LaneWish::with(kAsleep, 0), std::memory_order_relaxed);
            full_barrier();
            seen_ = __atomic_load_n(&frame_, __ATOMIC_RELAXED) != 0;
            for (Line& line : payload_) store(line.word, 0);
        });
    EXPECT_EQ(missed_, 0);
}

}  // namespace
}  // namespace opennd::local
