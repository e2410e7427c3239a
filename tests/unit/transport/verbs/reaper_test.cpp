// SPDX-License-Identifier: MIT
// The threads for calls that block: made when all are busy, ended when idle.
#include "transport/verbs/device/reaper.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <latch>
#include <memory>
#include <set>
#include <thread>

namespace opennd::verbs {
namespace {

// Longer than a test lasts, or none.
constexpr std::chrono::milliseconds kStays{60000}, kGoes{1};

TEST(Reaper, HasNoThreadBeforeTheFirstCall) {
    EventLoop loop;
    EXPECT_EQ(make_ref<Reaper>(loop)->threads(), 0u);
}

TEST(Reaper, StartsAThreadWhenAllOthersAreBusy) {
    EventLoop loop;
    const auto reaper = make_ref<Reaper>(loop, kStays);
    std::latch all_run(3), go_on(1), all_done(3);
    for (int i = 0; i < 3; ++i)
        reaper->run([&] {
            all_run.count_down();
            go_on.wait();
            all_done.count_down();
        });
    all_run.wait();  // no call waits for another
    EXPECT_EQ(reaper->threads(), 3u);
    go_on.count_down();
    all_done.wait();
}

TEST(Reaper, GivesAnIdleThreadTheNextCall) {
    EventLoop loop;
    const auto reaper = make_ref<Reaper>(loop, kStays);
    std::set<std::thread::id> threads{std::this_thread::get_id()};
    for (int i = 0; i < 200; ++i) {
        std::latch done(1);
        reaper->run([&] {
            threads.insert(std::this_thread::get_id());
            done.count_down();
        });
        done.wait();
    }
    EXPECT_GE(threads.size(), 2u);
    EXPECT_LE(threads.size(), 1 + Reaper::kMostThreads);
}

TEST(Reaper, RunsAtMostItsNumberOfCallsAtATimeAndTheRestLater) {
    EventLoop loop;
    const auto reaper = make_ref<Reaper>(loop, kStays);
    std::latch full(Reaper::kMostThreads), go_on(1), all_done(Reaper::kMostThreads + 8);
    std::atomic<int> running{0};
    for (std::size_t i = 0; i < Reaper::kMostThreads + 8; ++i)
        reaper->run([&, i] {
            ++running;
            if (i < Reaper::kMostThreads) {
                full.count_down();
                go_on.wait();
            }
            all_done.count_down();
        });
    full.wait();
    EXPECT_EQ(reaper->threads(), Reaper::kMostThreads);
    EXPECT_EQ(running.load(), static_cast<int>(Reaper::kMostThreads));
    go_on.count_down();
    all_done.wait();
}

TEST(Reaper, EndsItsThreadsWhenTheyHaveNothingToDo) {
    EventLoop loop;
    const auto reaper = make_ref<Reaper>(loop, kGoes);
    std::latch done(1);
    reaper->run([&] { done.count_down(); });
    done.wait();
    while (reaper->threads() != 0) std::this_thread::yield();
    std::latch again(1);
    reaper->run([&] { again.count_down(); });
    again.wait();  // it starts another one
}

TEST(Reaper, LetsGoWhatACallHoldsBeforeItWaitsForTheNext) {
    EventLoop loop;
    const auto reaper = make_ref<Reaper>(loop, kStays);
    std::latch gone(1);
    const auto tells = [&](int*) { gone.count_down(); };
    int held = 0;
    reaper->run([kept = std::shared_ptr<int>(&held, tells)] {});
    gone.wait();
}

// The last reference goes on the reaper's own thread.
TEST(Reaper, OutlivesItsOwnerWhileACallRuns) {
    EventLoop loop;
    std::latch begun(1), go_on(1), done(1);
    {
        const auto reaper = make_ref<Reaper>(loop, kGoes);
        reaper->run([&] {
            begun.count_down();
            go_on.wait();
            done.count_down();
        });
        begun.wait();
    }
    go_on.count_down();
    done.wait();
}

}  // namespace
}  // namespace opennd::verbs
