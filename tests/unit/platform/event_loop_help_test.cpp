// SPDX-License-Identifier: MIT
// A thread of the program that helps takes the arrivals; the service thread stands by, and loses nothing when the helper leaves.
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <future>
#include <memory>
#include <thread>
#include <vector>

#include "platform/descriptor/doorbell.h"
#include "unit/platform/event_loop_fixture.h"

namespace opennd {
namespace {

using namespace std::chrono_literals;

class HelpedWatcher final : public EventLoop::Watcher {
public:
    explicit HelpedWatcher(std::function<void()> function) : function_(std::move(function)) {}
    void on_ready(std::uint32_t) override { function_(); }

private:
    const std::function<void()> function_;
};

class FunctionErrand final : public RefCounted, public EventLoop::Errand {
public:
    explicit FunctionErrand(std::function<void()> function) : function_(std::move(function)) {}
    void before_sleep() override { function_(); }

private:
    const std::function<void()> function_;
};

class EventLoopHelpTest : public test::EventLoopFixture {
protected:
    void watch(Doorbell& bell, std::function<void()> function) {
        ASSERT_EQ(loop_->add(bell.descriptor(), EventLoop::kArrival, make_ref<HelpedWatcher>(std::move(function))),
                  Status::success);
    }
    // Until a turn of this thread, which helps, has run it.
    void run_as_helper(const std::function<void()>& function) {
        const std::thread::id helper = std::this_thread::get_id();
        for (bool ran = false; !ran;) {
            loop_->post([&] {
                if (ran || std::this_thread::get_id() != helper) return;
                function();
                ran = true;
            });
            loop_->help(now() + 10ms);
        }
    }

    // This thread helps, and has put off the errand: it tries again if the scheduler made its calls lie too far apart.
    void help_and_put_off(const Ref<FunctionErrand>& errand) {
        for (bool put_off = false; !put_off;) {
            for (int i = 0; i < 2; ++i) {
                ASSERT_TRUE(loop_->try_help());
                loop_->end_help();
            }
            ASSERT_TRUE(loop_->try_help());
            run_as_helper([&] { put_off = loop_->put_off(errand, *errand); });
            if (!put_off) loop_->end_help();
        }
    }
};

// Each turn brings the next arrival while its thread is busy.
TEST_F(EventLoopHelpTest, TakesTheArrivalsOfItsOwnTurns) {
    constexpr int kArrivals = 500;
    Doorbell bell = Doorbell::create().take();
    std::atomic<int> here{0}, elsewhere{0};
    const std::thread::id helper = std::this_thread::get_id();
    watch(bell, [&] {
        bell.clear();
        ++(std::this_thread::get_id() == helper ? here : elsewhere);
        if (here + elsewhere < kArrivals) bell.ring();
        // The service thread has the time to come, if it does.
        for (int i = 0; i < 100; ++i) std::this_thread::yield();
    });
    ASSERT_TRUE(loop_->try_help());
    bell.ring();
    while (here + elsewhere < kArrivals) loop_->help(now() + 10ms);
    loop_->end_help();
    EXPECT_LE(elsewhere, 1);  // one arrival may find it in its sleep
    loop_->remove(bell.descriptor());
    loop_.reset();
}

TEST_F(EventLoopHelpTest, LeavesWhatComesBehindItToTheServiceThread) {
    Doorbell bell = Doorbell::create().take();
    std::promise<std::thread::id> heard;
    std::atomic<bool> waits{false};
    std::atomic<int> heard_helping{0};
    watch(bell, [&] {
        bell.clear();
        ++heard_helping;
        if (waits.exchange(false)) heard.set_value(std::this_thread::get_id());
    });
    for (int i = 0; i < 50; ++i) {
        ASSERT_TRUE(loop_->try_help());
        heard_helping = 0;
        bell.ring();
        while (heard_helping == 0) loop_->help(now() + 10ms);
        // Now and then the helper stays for long, and the service thread sleeps for as long.
        if (i % 2 == 0) loop_->help(now() + 1ms);
        loop_->end_help();
        heard = {};
        waits = true;
        bell.ring();
        EXPECT_NE(heard.get_future().get(), std::this_thread::get_id());
    }
    loop_->remove(bell.descriptor());
    loop_.reset();
}

TEST_F(EventLoopHelpTest, WakesForATimerThatAnotherThreadSchedules) {
    run([] {});
    std::atomic<bool> due{false}, helps{false};
    std::thread other([&] {
        while (!helps) std::this_thread::yield();
        for (int i = 0; i < 20; ++i) {
            std::promise<void> ran;
            loop_->schedule(now() + 1ms, [&] { ran.set_value(); });
            ran.get_future().wait();
        }
        loop_->schedule(now(), [&] { due = true; });
    });
    ASSERT_TRUE(loop_->try_help());
    helps = true;
    while (!due) loop_->help(std::nullopt);
    loop_->end_help();
    other.join();
}

TEST_F(EventLoopHelpTest, RunsErrandsBeforeItSleeps) {
    run([] {});
    std::atomic<int> runs{0};
    const auto errand = make_ref<FunctionErrand>([&] {
        EXPECT_TRUE(loop_->on_loop_thread());
        ++runs;
    });
    help_and_put_off(errand);
    const int before = runs;
    run_as_helper([&] {
        EXPECT_TRUE(loop_->put_off(errand, *errand));
        EXPECT_TRUE(loop_->put_off(errand, *errand));  // twice is once
    });
    EXPECT_EQ(runs, before + 1);  // the first one, before the turn of the second
    loop_->help(now() + 1ms);
    EXPECT_EQ(runs, before + 2);
    loop_->help(now() + 1ms);
    EXPECT_EQ(runs, before + 2);
    loop_->end_help();
    loop_.reset();
}

TEST_F(EventLoopHelpTest, LeavesErrandsToTheServiceThread) {
    run([] {});
    std::promise<std::thread::id> ran;
    help_and_put_off(make_ref<FunctionErrand>([&] { ran.set_value(std::this_thread::get_id()); }));
    loop_->end_help();
    EXPECT_NE(ran.get_future().get(), std::this_thread::get_id());
}

TEST_F(EventLoopHelpTest, HasAFewErrandsAndNoneOfTheServiceThread) {
    const auto errand = make_ref<FunctionErrand>([] {});
    run([&] { EXPECT_FALSE(loop_->put_off(errand, *errand)); });
    std::atomic<std::size_t> runs{0};
    std::vector<Ref<FunctionErrand>> errands;
    for (std::size_t i = 0; i < EventLoop::kMostErrands; ++i)
        errands.push_back(make_ref<FunctionErrand>([&] { ++runs; }));
    help_and_put_off(errand);
    run_as_helper([&] {
        for (const auto& each : errands) EXPECT_TRUE(loop_->put_off(each, *each));
        EXPECT_FALSE(loop_->put_off(errand, *errand));
    });
    loop_->help(now());
    EXPECT_EQ(runs, EventLoop::kMostErrands);
    loop_->end_help();
    loop_.reset();
}

TEST_F(EventLoopHelpTest, DestructionDropsErrands) {
    run([] {});
    auto held = std::make_shared<int>(0);
    help_and_put_off(make_ref<FunctionErrand>([held] {}));
    loop_->end_help();
    loop_.reset();
    EXPECT_EQ(held.use_count(), 1);
}

}  // namespace
}  // namespace opennd
