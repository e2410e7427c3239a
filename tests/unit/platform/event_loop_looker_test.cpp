// SPDX-License-Identifier: MIT
// Lookers: a loop that expects something soon does not sleep.
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <future>
#include <memory>
#include <thread>

#include "platform/descriptor/doorbell.h"
#include "unit/platform/event_loop_fixture.h"

namespace opennd {
namespace {

using namespace std::chrono_literals;

class FunctionLooker final : public EventLoop::Looker {
public:
    explicit FunctionLooker(std::function<bool()> function) : function_(std::move(function)) {}
    bool look() override { return function_(); }

private:
    const std::function<bool()> function_;
};

class EventLoopLookerTest : public test::EventLoopFixture {
protected:
    void look_with(std::function<bool()> function) {
        run([&] { EXPECT_TRUE(loop_->keep_looking(make_ref<FunctionLooker>(function))); });
    }

    // Before the variables go that a looker knows.
    void stop() { loop_.reset(); }
};

TEST_F(EventLoopLookerTest, LooksUntilTheLookerGivesUp) {
    std::promise<bool> on_loop;
    std::atomic<int> looks{0};
    look_with([&] {
        if (++looks < 1000) return true;
        on_loop.set_value(loop_->on_loop_thread());
        return false;
    });
    EXPECT_TRUE(on_loop.get_future().get());
    run([] {});
    EXPECT_EQ(looks, 1000);
}

TEST_F(EventLoopLookerTest, DropsALookerThatGaveUp) {
    auto held = std::make_shared<int>(0);
    look_with([held] { return false; });
    run([] {});  // its turn looks first
    run([] {});
    EXPECT_EQ(held.use_count(), 1);
}

TEST_F(EventLoopLookerTest, GoesOnWithFunctionsTimersAndDescriptors) {
    class Rung final : public EventLoop::Watcher {
    public:
        explicit Rung(std::promise<void>& rung) : rung_(rung) {}
        void on_ready(std::uint32_t) override { rung_.set_value(); }

    private:
        std::promise<void>& rung_;
    };
    look_with([] { return true; });
    run([] {});
    std::promise<void> due, rung;
    loop_->schedule(now() + 1ms, [&] { due.set_value(); });
    due.get_future().wait();
    Doorbell bell = Doorbell::create().take();
    ASSERT_EQ(loop_->add(bell.descriptor(), EventLoop::kArrival, make_ref<Rung>(rung)), Status::success);
    bell.ring();
    rung.get_future().wait();
    loop_->remove(bell.descriptor());
    stop();
}

TEST_F(EventLoopLookerTest, HasAFewLookersAtATime) {
    std::atomic<bool> look{true};
    const auto looks = [&] { return look.load(); };
    for (std::size_t i = 0; i < EventLoop::kMostLookers; ++i) look_with(looks);
    run([&] { EXPECT_FALSE(loop_->keep_looking(make_ref<FunctionLooker>(looks))); });
    look = false;
    run([] {});
    run([] {});
    look_with(looks);
    stop();
}

TEST_F(EventLoopLookerTest, AHelperLooksAndHandsOverWhenItLeaves) {
    run([] {});
    ASSERT_TRUE(loop_->try_help());
    std::promise<void> by_helper, by_service;
    std::atomic<int> stage{0};
    const std::thread::id helper = std::this_thread::get_id();
    const auto look = [&] {
        const bool is_helper = std::this_thread::get_id() == helper;
        if (is_helper && stage == 0) {
            stage = 1;
            by_helper.set_value();
        }
        if (is_helper || stage == 0) return true;
        by_service.set_value();
        return false;
    };
    // A function runs in the turn of whoever takes it: the looker is the helper's.
    std::atomic<bool> begun{false};
    while (!begun) {
        loop_->post([&] {
            if (begun || std::this_thread::get_id() != helper) return;
            begun = loop_->keep_looking(make_ref<FunctionLooker>(look));
        });
        loop_->help(now() + 10ms);
    }
    by_helper.get_future().wait();
    for (int turn = 0; turn < 10; ++turn) loop_->help(now() + 1h);  // does not sleep
    EXPECT_EQ(stage, 1);
    loop_->end_help();
    by_service.get_future().wait();
}

TEST_F(EventLoopLookerTest, AHelperLeavesTheServiceThreadsLookersAlone) {
    std::promise<void> enough;
    std::atomic<bool> helping{false};
    std::atomic<int> looks{0}, elsewhere{0};
    std::thread::id service;
    run([&] { service = std::this_thread::get_id(); });
    look_with([&] {
        if (std::this_thread::get_id() != service) ++elsewhere;
        if (!helping) return true;
        if (++looks < 1000) return true;
        enough.set_value();
        return false;
    });
    ASSERT_TRUE(loop_->try_help());
    helping = true;
    for (int i = 0; i < 10; ++i) {
        loop_->post([] {});
        loop_->help(now() + 1ms);
    }
    loop_->end_help();
    enough.get_future().wait();
    EXPECT_EQ(elsewhere, 0);
}

TEST_F(EventLoopLookerTest, DestructionDropsLookers) {
    auto held = std::make_shared<int>(0);
    look_with([held] { return true; });
    stop();
    EXPECT_EQ(held.use_count(), 1);
}

}  // namespace
}  // namespace opennd
