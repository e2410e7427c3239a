// SPDX-License-Identifier: MIT
// Timers with times given by the test.
#include "platform/thread/timer_queue.h"

#include <gtest/gtest.h>

#include <string>

namespace opennd {
namespace {

using std::chrono::seconds;

class TimerQueueTest : public testing::Test {
protected:
    TimerId add(int at_s, char letter) {
        return timers_.add(SteadyTime(seconds(at_s)), [this, letter] { ran_ += letter; });
    }
    std::string run_until(int at_s) {
        ran_.clear();
        while (const auto function = timers_.take_due(SteadyTime(seconds(at_s))).function) function();
        return ran_;
    }

    TimerQueue timers_;
    std::string ran_;
};

TEST_F(TimerQueueTest, RunsInOrderOfTime) {
    add(30, 'c');
    add(10, 'a');
    add(20, 'b');
    EXPECT_EQ(timers_.earliest(), SteadyTime(seconds(10)));
    EXPECT_EQ(run_until(9), "");
    EXPECT_EQ(run_until(20), "ab");
    EXPECT_EQ(run_until(100), "c");
    EXPECT_EQ(timers_.earliest(), std::nullopt);
}

TEST_F(TimerQueueTest, EqualTimesRunInTheOrderAdded) {
    for (const char letter : std::string("abcde")) add(5, letter);
    EXPECT_EQ(run_until(5), "abcde");
}

TEST_F(TimerQueueTest, ACancelledOneDoesNotRun) {
    const TimerId first = add(1, 'a');
    add(2, 'b');
    EXPECT_TRUE(timers_.cancel(first));
    EXPECT_FALSE(timers_.cancel(first));
    EXPECT_FALSE(timers_.cancel(TimerId{0}));
    EXPECT_EQ(run_until(3), "b");
}

TEST_F(TimerQueueTest, CancellingWhatRanDoesNothing) {
    const TimerId first = add(1, 'a');
    EXPECT_EQ(run_until(1), "a");
    EXPECT_FALSE(timers_.cancel(first));
}

}  // namespace
}  // namespace opennd
