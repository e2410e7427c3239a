// SPDX-License-Identifier: MIT
// Threads that wait for events and ports while one of them helps the service thread: no wake-up is lost, in any order.
#include "platform/waiting/wait_point.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <future>
#include <thread>
#include <vector>

#include "platform/descriptor/doorbell.h"
#include "platform/thread/event_loop.h"
#include "platform/waiting/completion_port.h"
#include "platform/waiting/event.h"

namespace opennd {
namespace {

using namespace std::chrono_literals;

// The loop of this process; like the library's it is never destroyed.
EventLoop& process_loop() {
    static EventLoop* const loop = [] {
        auto* const made = new EventLoop;
        made->serve_process();
        return made;
    }();
    return *loop;
}

class FunctionWatcher : public EventLoop::Watcher {
public:
    explicit FunctionWatcher(std::function<void()> function) : function_(std::move(function)) {}
    void on_ready(std::uint32_t) override { function_(); }

private:
    const std::function<void()> function_;
};

// A doorbell that a loop, that of the process unless said, answers by calling a function.
class WatchedBell {
public:
    explicit WatchedBell(std::function<void()> function, EventLoop& loop = process_loop()) : loop_(loop) {
        const Status status = loop_.add(bell_.descriptor(), EventLoop::kArrival,
                                        make_ref<FunctionWatcher>([this, function = std::move(function)] {
                                            bell_.clear();
                                            function();
                                        }));
        EXPECT_EQ(status, Status::success);
    }
    ~WatchedBell() {
        loop_.remove(bell_.descriptor());
        // A call that began before may still be running: the next function runs after it.
        std::promise<void> over;
        loop_.post([&] { over.set_value(); });
        over.get_future().wait();
    }
    void ring() { bell_.ring(); }

private:
    EventLoop& loop_;
    Doorbell bell_ = Doorbell::create().take();
};

Ref<Event> make_event(EventReset reset) { return make_ref<Event>(reset, false); }

// Waits for a bell of `loop` until the waiting thread was the one that answered it.
void expect_that_the_waiter_is_woken(EventLoop& loop) {
    const Ref<Event> event = make_event(EventReset::automatic);
    std::atomic<std::thread::id> caller;
    WatchedBell bell(
        [&] {
            caller = std::this_thread::get_id();
            event->set();
        },
        loop);
    // Whether the waiter sleeps already when the bell rings is up to the scheduler: now and then it does.
    for (bool woken = false; !woken;) {
        std::thread ringer([&] {
            std::this_thread::yield();
            bell.ring();
        });
        EXPECT_EQ(event->wait(std::nullopt), Status::success);
        ringer.join();
        woken = caller.load() == std::this_thread::get_id();
    }
}

TEST(WaitPoint, TheWaitingThreadIsTheOneThatIsWoken) {
    // There the turns may all be alike, and the service thread is always the last to fall asleep.
    if (std::thread::hardware_concurrency() == 1) GTEST_SKIP() << "one processor for this process";
    expect_that_the_waiter_is_woken(process_loop());
}

TEST(WaitPoint, AThreadWithALoopOfItsOwnHelpsThatOne) {
    if (std::thread::hardware_concurrency() == 1) GTEST_SKIP() << "one processor for this process";
    (void)process_loop();
    static EventLoop* const own = new EventLoop(1);  // lives for good
    own->serve_thread();
    EXPECT_TRUE(EventLoop::thread_has_own());
    expect_that_the_waiter_is_woken(*own);
}

TEST(WaitPoint, ASignalOfAnotherThreadRecallsTheHelper) {
    (void)process_loop();
    const Ref<Event> ping = make_event(EventReset::automatic), pong = make_event(EventReset::automatic);
    constexpr int kRounds = 2000;
    std::thread other([&] {
        for (int i = 0; i < kRounds; ++i) {
            EXPECT_EQ(ping->wait(std::nullopt), Status::success);
            pong->set();
        }
    });
    for (int i = 0; i < kRounds; ++i) {
        ping->set();
        EXPECT_EQ(pong->wait(std::nullopt), Status::success);
    }
    other.join();
}

TEST(WaitPoint, AHelperKeepsItsDeadline) {
    (void)process_loop();
    const Ref<Event> event = make_event(EventReset::manual);
    const SteadyTime deadline = now() + 20ms;
    EXPECT_EQ(event->wait(deadline), Status::timed_out);
    EXPECT_GE(now(), deadline);
}

TEST(WaitPoint, WhatAHelperLeavesBehindIsDone) {
    const Ref<Event> event = make_event(EventReset::automatic);
    std::promise<void> posted, timed;
    WatchedBell bell([&] {
        process_loop().post([&] { process_loop().post([&] { posted.set_value(); }); });
        process_loop().schedule(now() + 5ms, [&] { timed.set_value(); });
        event->set();
    });
    bell.ring();
    EXPECT_EQ(event->wait(std::nullopt), Status::success);
    posted.get_future().wait();
    timed.get_future().wait();
}

TEST(WaitPoint, ACallbackDoesNotHelp) {
    std::promise<bool> helped;
    process_loop().post([&] { helped.set_value(process_loop().try_help()); });
    EXPECT_FALSE(helped.get_future().get());
}

// Some wait for events that bells bring, others for packets, all at once; only one helps at a time.
TEST(WaitPoint, ManyWaitersLoseNothing) {
    constexpr int kRounds = 500;
    constexpr std::size_t kPairs = 3;
    struct Pair {
        Ref<Event> event = make_event(EventReset::automatic);
        WatchedBell bell{[this] { event->set(); }};
    };
    std::array<Pair, kPairs> pairs;
    const Ref<CompletionPort> port = CompletionPort::create().take();
    WatchedBell packets([&] {
        port->post({});
        port->post({});
    });
    std::atomic<int> taken{0};
    std::vector<std::thread> threads;
    for (Pair& pair : pairs)
        threads.emplace_back([&pair] {
            for (int i = 0; i < kRounds; ++i) {
                pair.bell.ring();
                EXPECT_EQ(pair.event->wait(std::nullopt), Status::success);
            }
        });
    for (int t = 0; t < 2; ++t)
        threads.emplace_back([&] {
            CompletionPacket packet;
            for (int i = 0; i < kRounds; ++i) {
                packets.ring();
                if (port->wait({&packet, 1}, now() + 1ms).ok()) taken.fetch_add(1);
            }
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_GT(taken.load(), 0);
}

}  // namespace
}  // namespace opennd
