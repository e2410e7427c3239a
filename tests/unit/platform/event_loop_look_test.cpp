// SPDX-License-Identifier: MIT
// A thread that helps the loop looks for work in memory before it sleeps.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "platform/thread/event_loop.h"
#include "platform/thread/look_choice.h"

namespace opennd {
namespace {

using namespace std::chrono_literals;

// Work shows as the test wants it; all calls are counted.
class CountingSpot final : public EventLoop::Spot {
public:
    void on_ready(std::uint32_t) override {}
    void begin_look() override {
        ++begun;
        at_begin();
    }
    void end_look() override {
        ++ended;
        at_end();
    }
    bool shows_work() const override { return shows; }
    void on_work() override {
        shows = false;
        ++done;
        EXPECT_EQ(begun, ended) << "a descriptor would tell of further work";
        EXPECT_TRUE(loop->on_loop_thread());
    }

    EventLoop* loop = nullptr;
    int begun = 0, ended = 0, done = 0;
    std::atomic<bool> shows{false};
    std::function<void()> at_begin = [] {}, at_end = [] {};
};

class EventLoopLookTest : public testing::Test {
protected:
    static void SetUpTestSuite() { pin_looks(true); }
    void SetUp() override {
        spot_->loop = &*loop_;
        loop_->post([] {});  // starts the service thread
        while (!loop_->try_help()) std::this_thread::yield();
    }
    void TearDown() override {
        loop_->end_help();
        loop_->forget(*spot_);
    }

    // Work that follows work at once: a look pays. A busy machine may hold this thread up between the two.
    void have_work() {
        for (bool at_once = false; !at_once;) {
            const SteadyTime begun = now();
            loop_->had_work(spot_);
            loop_->had_work(spot_);
            at_once = now() - begun <= LookPacing::kLongestDistance;
        }
    }
    // One turn that never sleeps for long.
    void help() { loop_->help(now() + 5ms); }

    const std::unique_ptr<EventLoop> loop_ = std::make_unique<EventLoop>();
    const Ref<CountingSpot> spot_ = make_ref<CountingSpot>();
};

TEST_F(EventLoopLookTest, DoesWorkThatShows) {
    have_work();
    spot_->at_begin = [&] { spot_->shows = true; };
    loop_->help({});
    EXPECT_EQ(spot_->done, 1);
}

TEST_F(EventLoopLookTest, DoesWorkThatShowsAtTheEndOfALook) {
    have_work();
    spot_->at_end = [&] { spot_->shows = true; };
    loop_->help({});
    EXPECT_EQ(spot_->done, 1);
}

TEST_F(EventLoopLookTest, DoesNotLookWithoutWorkBefore) {
    help();
    EXPECT_EQ(spot_->begun, 0);
}

TEST_F(EventLoopLookTest, DoesNotLookAfterWorkThatCameAlone) {
    loop_->had_work(spot_);
    help();
    EXPECT_EQ(spot_->begun, 0);
}

TEST_F(EventLoopLookTest, LooksInVainOnce) {
    have_work();
    help();
    EXPECT_EQ(spot_->begun, 1);
    EXPECT_EQ(spot_->ended, 1);
    help();
    EXPECT_EQ(spot_->begun, 1);
    EXPECT_EQ(spot_->done, 0);
}

TEST_F(EventLoopLookTest, EndsWhenItIsRecalled) {
    have_work();
    spot_->at_begin = [&] { std::thread([&] { loop_->recall(); }).join(); };
    loop_->help({});
    EXPECT_EQ(spot_->ended, 1);
}

TEST_F(EventLoopLookTest, IsRecalledAtItsEnd) {
    have_work();
    spot_->at_end = [&] { std::thread([&] { loop_->recall(); }).join(); };
    loop_->help({});
    EXPECT_EQ(spot_->ended, 1);
}

TEST_F(EventLoopLookTest, LooksAtSeveralSpots) {
    const Ref<CountingSpot> other = make_ref<CountingSpot>();
    other->loop = &*loop_;
    have_work();
    loop_->had_work(other);
    spot_->at_begin = [&] { spot_->shows = true; };
    other->at_begin = [&] { other->shows = true; };
    loop_->help({});
    EXPECT_EQ(spot_->done, 1);
    EXPECT_EQ(other->done, 1);
    loop_->forget(*other);
}

TEST_F(EventLoopLookTest, LooksNowhereThatIsForgotten) {
    have_work();
    loop_->forget(*spot_);
    help();
    EXPECT_EQ(spot_->begun, 0);
}

TEST_F(EventLoopLookTest, LetsGoOfSpotsThatHadWorkLongAgo) {
    have_work();
    std::vector<Ref<CountingSpot>> others;
    for (int i = 0; i < 4; ++i) {
        others.push_back(make_ref<CountingSpot>());
        loop_->had_work(others.back());
    }
    help();
    EXPECT_EQ(spot_->begun, 0);
    for (const Ref<CountingSpot>& other : others) {
        EXPECT_EQ(other->begun, 1);
        loop_->forget(*other);
    }
}

}  // namespace
}  // namespace opennd
