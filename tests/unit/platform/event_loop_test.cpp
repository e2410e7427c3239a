// SPDX-License-Identifier: MIT
// The service thread: watchers, posted functions, timers, and their ends.
#include "platform/thread/event_loop.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <future>
#include <latch>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "platform/descriptor/doorbell.h"
#include "unit/platform/open_descriptors.h"

namespace opennd {
namespace {

using namespace std::chrono_literals;

class FunctionWatcher : public EventLoop::Watcher {
public:
    explicit FunctionWatcher(std::function<void(std::uint32_t)> function) : function_(std::move(function)) {}
    void on_ready(std::uint32_t epoll_events) override { function_(epoll_events); }

private:
    std::function<void(std::uint32_t)> function_;
};

class EventLoopTest : public testing::Test {
protected:
    void TearDown() override {
        loop_.reset();
        bell_ = Doorbell();
        EXPECT_EQ(open_descriptors(), descriptors_before_);
    }

    // Returns when everything posted before has run, and one turn of watchers and timers after that.
    void run_a_turn() {
        for (int i = 0; i < 2; ++i) {
            std::promise<void> done;
            loop_->post([&] { done.set_value(); });
            done.get_future().wait();
        }
    }
    Status watch(std::function<void(std::uint32_t)> function) {
        return loop_->add(bell_.descriptor(), EPOLLIN, make_ref<FunctionWatcher>(std::move(function)));
    }

    const std::size_t descriptors_before_ = open_descriptors();
    Doorbell bell_ = Doorbell::create().take();
    std::unique_ptr<EventLoop> loop_ = std::make_unique<EventLoop>();
};

TEST_F(EventLoopTest, StartsNoThreadUntilNeeded) {
    EXPECT_FALSE(loop_->on_loop_thread());
    EXPECT_EQ(open_descriptors(), descriptors_before_ + 1);  // bell_ alone
}

TEST_F(EventLoopTest, TheThreadIsNamedAndBlocksSignals) {
    std::promise<std::pair<std::string, bool>> seen;
    loop_->post([&] {
        std::array<char, 16> name{};
        ::pthread_getname_np(::pthread_self(), name.data(), name.size());
        sigset_t mask;
        ::pthread_sigmask(SIG_BLOCK, nullptr, &mask);
        seen.set_value({name.data(), ::sigismember(&mask, SIGINT) == 1 && ::sigismember(&mask, SIGTERM) == 1});
    });
    const auto [name, blocked] = seen.get_future().get();
    EXPECT_EQ(name, "opennd");
    EXPECT_TRUE(blocked);
}

TEST_F(EventLoopTest, KnowsItsThread) {
    std::promise<bool> inside;
    loop_->post([&] { inside.set_value(loop_->on_loop_thread()); });
    EXPECT_TRUE(inside.get_future().get());
    EXPECT_FALSE(loop_->on_loop_thread());
}

TEST_F(EventLoopTest, RunsPostedFunctionsInOrder) {
    std::vector<int> order;  // touched by the service thread until `done`
    std::promise<void> done;
    for (int i = 0; i < 100; ++i) loop_->post([&order, i] { order.push_back(i); });
    loop_->post([&] { done.set_value(); });
    done.get_future().wait();
    ASSERT_EQ(order.size(), 100u);
    for (int i = 0; i < 100; ++i) EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
}

TEST_F(EventLoopTest, RunsWhatManyThreadsPost) {
    constexpr int kThreads = 4;
    constexpr int kEach = 500;
    std::latch ran(kThreads * kEach);
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t)
        threads.emplace_back([&] {
            for (int i = 0; i < kEach; ++i) loop_->post([&] { ran.count_down(); });
        });
    for (std::thread& thread : threads) thread.join();
    ran.wait();
}

TEST_F(EventLoopTest, PostedFunctionsMayPost) {
    std::promise<void> done;
    loop_->post([&] { loop_->post([&] { loop_->post([&] { done.set_value(); }); }); });
    done.get_future().wait();
}

TEST_F(EventLoopTest, CallsAWatcherOnTheLoopThread) {
    std::promise<std::pair<std::uint32_t, bool>> called;
    ASSERT_EQ(watch([&](std::uint32_t events) {
                  bell_.clear();
                  called.set_value({events, loop_->on_loop_thread()});
              }),
              Status::success);
    bell_.ring();
    EXPECT_EQ(called.get_future().get(), std::pair(std::uint32_t{EPOLLIN}, true));
}

TEST_F(EventLoopTest, CallsAgainWhileReady) {
    std::latch calls(3);
    int count = 0;  // service thread only
    ASSERT_EQ(watch([&](std::uint32_t) {
                  if (++count == 3) loop_->remove(bell_.descriptor());
                  calls.count_down();
              }),
              Status::success);
    bell_.ring();
    calls.wait();
    run_a_turn();
    std::promise<int> final_count;
    loop_->post([&] { final_count.set_value(count); });
    EXPECT_EQ(final_count.get_future().get(), 3);  // none after remove() on the service thread
}

TEST_F(EventLoopTest, AWatcherMayRemoveAnotherThatIsReadyToo) {
    Doorbell other = Doorbell::create().take();
    std::atomic<int> calls{0};
    const auto remove_both = [&](std::uint32_t) {
        loop_->remove(bell_.descriptor());
        loop_->remove(other.descriptor());
        ++calls;
    };
    bell_.ring();
    other.ring();
    std::promise<void> added;
    loop_->post([&] {  // both become ready in the same turn
        EXPECT_EQ(watch(remove_both), Status::success);
        EXPECT_EQ(loop_->add(other.descriptor(), EPOLLIN, make_ref<FunctionWatcher>(remove_both)), Status::success);
        added.set_value();
    });
    added.get_future().wait();
    run_a_turn();
    EXPECT_EQ(calls, 1);
}

TEST_F(EventLoopTest, RemoveDropsTheWatcher) {
    auto held = std::make_shared<int>(0);
    ASSERT_EQ(watch([held](std::uint32_t) {}), Status::success);
    EXPECT_EQ(held.use_count(), 2);
    loop_->remove(bell_.descriptor());
    run_a_turn();
    EXPECT_EQ(held.use_count(), 1);
    loop_->remove(bell_.descriptor());  // again: no effect
}

TEST_F(EventLoopTest, ADescriptorCanBeWatchedAgain) {
    ASSERT_EQ(watch([](std::uint32_t) { ADD_FAILURE() << "removed"; }), Status::success);
    loop_->remove(bell_.descriptor());
    std::promise<void> called;
    ASSERT_EQ(watch([&](std::uint32_t) {
                  loop_->remove(bell_.descriptor());
                  called.set_value();
              }),
              Status::success);
    bell_.ring();
    called.get_future().wait();
}

// Its next watcher is told of what was there before, and the one before it of nothing.
TEST_F(EventLoopTest, ADescriptorThatWasLeftCanBeWatchedAgain) {
    ASSERT_EQ(loop_->add(bell_.descriptor(), EventLoop::kArrival,
                         make_ref<FunctionWatcher>([](std::uint32_t) { ADD_FAILURE() << "removed"; })),
              Status::success);
    loop_->remove(bell_.descriptor(), EventLoop::Known::left);
    bell_.ring();
    run_a_turn();
    std::promise<void> called;
    ASSERT_EQ(loop_->add(bell_.descriptor(), EventLoop::kArrival,
                         make_ref<FunctionWatcher>([&](std::uint32_t) { called.set_value(); }), EventLoop::Known::left),
              Status::success);
    called.get_future().wait();
    loop_->remove(bell_.descriptor());
}

TEST_F(EventLoopTest, ADescriptorThatWasLeftAndClosedGivesItsNumberToAnother) {
    const int number = bell_.descriptor();
    ASSERT_EQ(loop_->add(number, EventLoop::kArrival,
                         make_ref<FunctionWatcher>([](std::uint32_t) { ADD_FAILURE() << "removed"; })),
              Status::success);
    loop_->remove(number, EventLoop::Known::left);
    bell_ = Doorbell();
    bell_ = Doorbell::create().take();
    ASSERT_EQ(bell_.descriptor(), number);
    std::promise<void> called;
    ASSERT_EQ(loop_->add(number, EventLoop::kArrival,
                         make_ref<FunctionWatcher>([&](std::uint32_t) { called.set_value(); }), EventLoop::Known::left),
              Status::success);
    bell_.ring();
    called.get_future().wait();
    loop_->remove(number);
}

TEST_F(EventLoopTest, ModifyChangesWhatIsWaitedFor) {
    std::promise<std::uint32_t> called;
    ASSERT_EQ(loop_->add(bell_.descriptor(), 0, make_ref<FunctionWatcher>([&](std::uint32_t events) {
                             loop_->remove(bell_.descriptor());
                             called.set_value(events);
                         })),
              Status::success);
    ASSERT_EQ(loop_->modify(bell_.descriptor(), EPOLLOUT), Status::success);
    EXPECT_EQ(called.get_future().get(), std::uint32_t{EPOLLOUT});
    EXPECT_EQ(loop_->modify(bell_.descriptor(), EPOLLIN), Status::invalid_parameter);
}

TEST_F(EventLoopTest, RefusesWhatCannotBeWatched) {
    const auto ignore = make_ref<FunctionWatcher>([](std::uint32_t) {});
    EXPECT_EQ(loop_->add(-1, EPOLLIN, ignore), Status::invalid_parameter);
    char path[] = "/tmp/opennd-test-XXXXXX";
    const Descriptor file(::mkstemp(path));
    ::unlink(path);
    EXPECT_EQ(loop_->add(file.get(), EPOLLIN, ignore), Status::insufficient_resources);
    EXPECT_EQ(loop_->add(bell_.descriptor(), EPOLLIN, ignore), Status::success);
    EXPECT_EQ(loop_->add(bell_.descriptor(), EPOLLIN, ignore), Status::invalid_state);
    loop_->remove(bell_.descriptor());
}

TEST_F(EventLoopTest, RunsTimersInOrderAndNotBeforeTheirTime) {
    std::string order;  // service thread only, until `done`
    std::promise<SteadyTime> done;
    const SteadyTime start = now();
    loop_->schedule(start + 6ms, [&] { done.set_value(now()); });
    loop_->schedule(start + 4ms, [&] { order += 'b'; });
    loop_->schedule(start - 1s, [&] { order += 'a'; });
    EXPECT_GE(done.get_future().get(), start + 6ms);
    EXPECT_EQ(order, "ab");
}

TEST_F(EventLoopTest, AnEarlierTimerWakesASleepingThread) {
    loop_->schedule(now() + 1h, [] { ADD_FAILURE() << "an hour has not passed"; });
    run_a_turn();
    std::promise<void> done;
    loop_->schedule(now() + 1ms, [&] { done.set_value(); });
    done.get_future().wait();
}

TEST_F(EventLoopTest, ACancelledTimerDoesNotRun) {
    std::promise<void> later;
    std::atomic<bool> ran{false};
    const SteadyTime at = now() + 5ms;
    TimerId doomed{};
    std::promise<void> cancelled;
    loop_->post([&] {  // on the service thread, cancel() is exact
        doomed = loop_->schedule(at, [&] { ran = true; });
        loop_->cancel(doomed);
        loop_->cancel(doomed);
        cancelled.set_value();
    });
    cancelled.get_future().wait();
    loop_->schedule(at, [&] { later.set_value(); });
    later.get_future().wait();
    EXPECT_FALSE(ran);
}

TEST_F(EventLoopTest, DestructionDropsWhatHasNotRun) {
    auto held = std::make_shared<int>(0);
    loop_->schedule(now() + 1h, [held] {});
    ASSERT_EQ(watch([held](std::uint32_t) {}), Status::success);
    loop_.reset();
    EXPECT_EQ(held.use_count(), 1);
}

TEST_F(EventLoopTest, AddAndRemoveRaceWithDelivery) {
    std::atomic<int> calls{0};
    bell_.ring();
    for (int i = 0; i < 200; ++i) {
        ASSERT_EQ(watch([&](std::uint32_t) { ++calls; }), Status::success);
        if (i % 2 == 0) run_a_turn();
        loop_->remove(bell_.descriptor());
    }
    run_a_turn();
    const int after = calls;
    run_a_turn();
    EXPECT_EQ(calls, after);
    EXPECT_GT(after, 0);
}

// ---- without memory --------------------------------------------------------------------------------------------------

// Has no memory at first.
class Poor {
public:
    void run() {
        if (++calls_ <= 3) throw std::bad_alloc();
        done_.set_value();
    }
    void wait() { done_.get_future().wait(); }
    int calls() const { return calls_; }

private:
    std::atomic<int> calls_{0};
    std::promise<void> done_;
};

TEST_F(EventLoopTest, AnArrivalWhoseWatcherHasNoMemoryIsToldAgain) {
    Poor poor;
    ASSERT_EQ(loop_->add(bell_.descriptor(), EventLoop::kArrival,
                         make_ref<FunctionWatcher>([&](std::uint32_t) { poor.run(); })),
              Status::success);
    bell_.ring();
    poor.wait();
    EXPECT_EQ(poor.calls(), 4);
    loop_->remove(bell_.descriptor());
}

// Nothing is left in the descriptor for epoll to report.
TEST_F(EventLoopTest, AnArrivalThatWasReadWithoutMemoryIsToldAgain) {
    std::array<int, 2> ends{};
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends.data()), 0);
    Poor poor;
    ASSERT_EQ(loop_->add(ends[0], EventLoop::kArrival, make_ref<FunctionWatcher>([&](std::uint32_t) {
                             char octet = 0;
                             while (::read(ends[0], &octet, 1) == 1) continue;
                             poor.run();
                         })),
              Status::success);
    ASSERT_EQ(::write(ends[1], "x", 1), 1);
    poor.wait();
    EXPECT_EQ(poor.calls(), 4);
    loop_->remove(ends[0]);
    for (const int end : ends) ::close(end);
}

// It cannot be copied at first, as where there is no memory.
class PoorAttempt {
public:
    PoorAttempt(int& calls, int& missing, std::promise<void>& done) : calls_(calls), missing_(missing), done_(done) {}
    PoorAttempt(const PoorAttempt& other) : calls_(other.calls_), missing_(other.missing_), done_(other.done_) {
        if (missing_ > 0 && missing_-- > 0) throw std::bad_alloc();
    }
    bool operator()() const {
        if (++calls_ < 3) return false;
        if (calls_ == 3) done_.set_value();
        return true;
    }

private:
    int& calls_;
    int& missing_;
    std::promise<void>& done_;
};

TEST_F(EventLoopTest, RepeatsUntilAnAttemptSucceedsAndAsksForNoMemoryBeforeTheSecond) {
    int calls = 0, missing = 3;
    std::promise<void> done;
    loop_->repeat(PoorAttempt(calls, missing, done));
    done.get_future().wait();
    EXPECT_EQ(missing, 0);
    calls = 3;
    missing = 1;
    loop_->repeat(PoorAttempt(calls, missing, done));
    EXPECT_EQ(missing, 1) << "the first attempt is no copy";
    run_a_turn();
}

TEST_F(EventLoopTest, FunctionsWithoutMemoryKeepTheirOrder) {
    Poor poor;
    std::vector<int> order;
    loop_->post([&] { order.push_back(1); });
    loop_->post([&] {
        poor.run();
        order.push_back(2);
    });
    loop_->post([&] { order.push_back(3); });
    poor.wait();
    run_a_turn();
    EXPECT_EQ(order, (std::vector{1, 2, 3}));
}

TEST_F(EventLoopTest, ATimerWithoutMemoryIsDueAgain) {
    Poor poor;
    loop_->schedule(now(), [&] { poor.run(); });
    poor.wait();
    EXPECT_EQ(poor.calls(), 4);
}

TEST_F(EventLoopTest, ATimerWithoutMemoryCanBeCancelled) {
    std::promise<void> ran;
    std::atomic<int> calls{0};
    const TimerId timer = loop_->schedule(now(), [&] {
        if (++calls == 2) ran.set_value();
        throw std::bad_alloc();
    });
    ran.get_future().wait();
    loop_->post([&] { loop_->cancel(timer); });
    run_a_turn();
    const int before = calls;
    run_a_turn();
    EXPECT_EQ(calls, before);
}

// A helper leaves what had no memory to the service thread.
TEST_F(EventLoopTest, AHelperMeetsNoException) {
    run_a_turn();
    Poor poor;
    while (!loop_->try_help()) std::this_thread::yield();
    loop_->post([&] { poor.run(); });
    loop_->help(now());
    loop_->end_help();
    poor.wait();
    EXPECT_TRUE(loop_->try_help());
    loop_->end_help();
}

// ---- a watch that moves

TEST_F(EventLoopTest, AWatchThatMovesIsReportedByTheOtherLoop) {
    EventLoop other(1);
    std::promise<bool> told;
    ASSERT_EQ(watch([&](std::uint32_t) {
                  other.remove(bell_.descriptor());
                  told.set_value(other.on_loop_thread());
              }),
              Status::success);
    ASSERT_EQ(loop_->move(bell_.descriptor(), other), Status::success);
    bell_.ring();
    EXPECT_TRUE(told.get_future().get());
}

TEST_F(EventLoopTest, WhatIsThereWhenAWatchMovesIsReportedThere) {
    EventLoop other(1);
    std::promise<void> first, second;
    int reports = 0;
    const auto arrival = [&](std::uint32_t) {
        if (++reports == 1) return first.set_value();
        other.remove(bell_.descriptor());
        second.set_value();
    };
    ASSERT_EQ(loop_->add(bell_.descriptor(), EventLoop::kArrival, make_ref<FunctionWatcher>(arrival)), Status::success);
    bell_.ring();  // and nobody clears it
    first.get_future().wait();
    run_a_turn();
    ASSERT_EQ(loop_->move(bell_.descriptor(), other), Status::success);
    second.get_future().wait();
}

TEST_F(EventLoopTest, AWatchThatCannotMoveStays) {
    EventLoop other(1);
    EXPECT_EQ(loop_->move(bell_.descriptor(), other), Status::invalid_parameter) << "it is not watched";
    std::promise<void> told;
    ASSERT_EQ(watch([&](std::uint32_t) {
                  loop_->remove(bell_.descriptor());
                  told.set_value();
              }),
              Status::success);
    ASSERT_EQ(other.add(bell_.descriptor(), EPOLLIN, make_ref<FunctionWatcher>([](std::uint32_t) {})), Status::success);
    EXPECT_EQ(loop_->move(bell_.descriptor(), other), Status::invalid_state) << "the other loop watches it already";
    other.remove(bell_.descriptor());
    bell_.ring();
    told.get_future().wait();
}

TEST_F(EventLoopTest, AFurtherLoopHasItsNumberInTheNameOfItsThread) {
    EventLoop other(2);
    std::promise<std::string> seen;
    other.post([&] {
        std::array<char, 16> name{};
        ::pthread_getname_np(::pthread_self(), name.data(), name.size());
        seen.set_value(name.data());
    });
    EXPECT_EQ(seen.get_future().get(), "opennd-2");
}

}  // namespace
}  // namespace opennd
