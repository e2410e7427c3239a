// SPDX-License-Identifier: MIT
// What a call of the program posts, its thread runs at the end of the call.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <latch>
#include <thread>
#include <vector>

#include "platform/thread/event_loop.h"

namespace opennd {
namespace {

// The loop of this process; like the library's it is never destroyed. Its thread runs.
EventLoop& process_loop() {
    static EventLoop* const loop = [] {
        auto* const made = new EventLoop;
        made->serve_process();
        return made;
    }();
    std::promise<void> ran;
    loop->post([&ran] { ran.set_value(); });
    ran.get_future().wait();
    return *loop;
}

// The service thread may be awake still, and take the function first; not each time.
TEST(OwnPosts, AreRunByTheirThreadAtTheEnd) {
    EventLoop& loop = process_loop();
    for (int tries = 0; tries < 100'000; ++tries) {
        std::promise<std::thread::id> ran;
        {
            const EventLoop::RunsItsPosts call;
            loop.post([&ran] { ran.set_value(std::this_thread::get_id()); });
        }
        if (ran.get_future().get() == std::this_thread::get_id()) return;
    }
    FAIL() << "the service thread runs them all";
}

TEST(OwnPosts, AreCallbacks) {
    EventLoop& loop = process_loop();
    std::promise<bool> in_turn;
    {
        const EventLoop::RunsItsPosts call;
        loop.post([&] { in_turn.set_value(loop.on_loop_thread()); });
    }
    EXPECT_TRUE(in_turn.get_future().get());
    EXPECT_FALSE(loop.on_loop_thread());
}

TEST(OwnPosts, AreLeftToAThreadThatIsInATurn) {
    EventLoop& loop = process_loop();
    std::latch busy(1), go_on(1);
    loop.post([&] {
        busy.count_down();
        go_on.wait();
    });
    busy.wait();
    std::promise<std::thread::id> ran;
    {
        const EventLoop::RunsItsPosts call;
        loop.post([&ran] { ran.set_value(std::this_thread::get_id()); });
    }
    go_on.count_down();
    EXPECT_NE(ran.get_future().get(), std::this_thread::get_id());
}

// A function may post and schedule more, of which nobody tells the service thread.
TEST(OwnPosts, WakeForWhatTheyLeave) {
    EventLoop& loop = process_loop();
    std::promise<void> posted, scheduled;
    {
        const EventLoop::RunsItsPosts call;
        loop.post([&] {
            loop.post([&] { posted.set_value(); });
            loop.schedule(now() + std::chrono::milliseconds(5), [&] { scheduled.set_value(); });
        });
    }
    posted.get_future().wait();
    scheduled.get_future().wait();
}

TEST(OwnPosts, OfACallWithinACallWaitForTheOuterOne) {
    EventLoop& loop = process_loop();
    std::promise<void> ran;
    {
        const EventLoop::RunsItsPosts call;
        {
            const EventLoop::RunsItsPosts inner;
            loop.post([&ran] { ran.set_value(); });
        }
        loop.post([] {});
    }
    ran.get_future().wait();
}

// Nobody was told of what the call posted; another thread's function is told of all the same.
TEST(OwnPosts, DoNotHoldUpThoseOfOthersForWhichTheCallWaits) {
    EventLoop& loop = process_loop();
    for (int tries = 0; tries < 1000; ++tries) {  // the service thread sleeps in most of them
        const EventLoop::RunsItsPosts call;
        loop.post([] {});
        std::promise<void> ran;
        std::thread([&] { loop.post([&ran] { ran.set_value(); }); }).join();
        ASSERT_EQ(ran.get_future().wait_for(std::chrono::seconds(10)), std::future_status::ready);
    }
}

// Calls of several threads: a function that another call's end finds in the list is run by it.
TEST(OwnPosts, OfManyThreadsAllRun) {
    EventLoop& loop = process_loop();
    std::atomic<int> ran{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&] {
            for (int calls = 0; calls < 2000; ++calls) {
                std::promise<void> done;
                {
                    const EventLoop::RunsItsPosts call;
                    loop.post([&] { ++ran, done.set_value(); });
                }
                done.get_future().wait();
            }
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(ran.load(), 8000);
}

}  // namespace
}  // namespace opennd
