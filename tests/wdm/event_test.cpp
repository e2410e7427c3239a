// SPDX-License-Identifier: MIT
// Events, and waiting for them with every kind of time limit.
#include <atomic>
#include <thread>

#include "support/requirement.h"
#include "wdm/violations.h"

namespace opennd {
namespace {

constexpr LONGLONG kMillisecond = 10'000;  // units of 100 ns

NTSTATUS wait(KEVENT& event, LONGLONG units) {
    LARGE_INTEGER limit;
    limit.QuadPart = units;
    return KeWaitForSingleObject(&event, Executive, KernelMode, FALSE, &limit);
}

NTSTATUS wait(KEVENT& event) { return KeWaitForSingleObject(&event, Executive, KernelMode, FALSE, nullptr); }

TEST(NotificationEvent, StaysSignalledUntilItIsReset) {
    support::proves("NDK-HOST-40");
    KEVENT event;
    KeInitializeEvent(&event, NotificationEvent, FALSE);
    EXPECT_EQ(KeReadStateEvent(&event), 0);
    EXPECT_EQ(KeSetEvent(&event, IO_NO_INCREMENT, FALSE), 0);
    EXPECT_NE(KeSetEvent(&event, IO_NO_INCREMENT, FALSE), 0);
    EXPECT_EQ(wait(event), STATUS_SUCCESS);
    EXPECT_EQ(wait(event), STATUS_SUCCESS);
    EXPECT_NE(KeResetEvent(&event), 0);
    EXPECT_EQ(KeResetEvent(&event), 0);
    KeSetEvent(&event, 0, FALSE);
    KeClearEvent(&event);
    EXPECT_EQ(KeReadStateEvent(&event), 0);
}

TEST(SynchronizationEvent, LetsOneWaitPass) {
    KEVENT event;
    KeInitializeEvent(&event, SynchronizationEvent, TRUE);
    EXPECT_EQ(wait(event, 0), STATUS_SUCCESS);
    EXPECT_EQ(wait(event, 0), STATUS_TIMEOUT);
}

TEST(Wait, EndsAtItsLimit) {
    KEVENT event;
    KeInitializeEvent(&event, NotificationEvent, FALSE);
    LARGE_INTEGER start;
    KeQuerySystemTime(&start);
    EXPECT_EQ(wait(event, 0), STATUS_TIMEOUT);
    EXPECT_EQ(wait(event, -20 * kMillisecond), STATUS_TIMEOUT);
    LARGE_INTEGER now;
    KeQuerySystemTime(&now);
    EXPECT_GE(now.QuadPart - start.QuadPart, 20 * kMillisecond);
    EXPECT_EQ(wait(event, now.QuadPart + 20 * kMillisecond), STATUS_TIMEOUT) << "a point in time";
    EXPECT_EQ(wait(event, now.QuadPart - 20 * kMillisecond), STATUS_TIMEOUT) << "one that has passed";
}

TEST(Wait, TakesTheLargestLimitAsNone) {
    KEVENT event;
    KeInitializeEvent(&event, SynchronizationEvent, FALSE);
    std::thread setter([&] { KeSetEvent(&event, 0, FALSE); });
    EXPECT_EQ(wait(event, INT64_MIN + 1), STATUS_SUCCESS);
    setter.join();
}

TEST(Wait, LeavesTheEventToItsOwner) {
    // The waiter's frame is gone as soon as the wait has ended: the sanitizers see a later access by the setter.
    for (int i = 0; i < 2'000; ++i) {
        auto* const event = new KEVENT;
        KeInitializeEvent(event, i % 2 != 0 ? NotificationEvent : SynchronizationEvent, FALSE);
        std::thread setter([=] { KeSetEvent(event, 0, FALSE); });
        EXPECT_EQ(wait(*event), STATUS_SUCCESS);
        delete event;
        setter.join();
    }
}

TEST(SynchronizationEvent, GivesEachSignalToOneWaiter) {
    constexpr int kThreads = 4;
    constexpr int kRounds = 500;
    KEVENT event;
    KEVENT taken;
    KeInitializeEvent(&event, SynchronizationEvent, FALSE);
    KeInitializeEvent(&taken, SynchronizationEvent, FALSE);
    int count = 0;
    std::vector<std::thread> waiters;
    for (int i = 0; i < kThreads; ++i)
        waiters.emplace_back([&] {
            for (int round = 0; round < kRounds; ++round) {
                EXPECT_EQ(wait(event), STATUS_SUCCESS);
                ++count;  // nobody else is here: the next signal follows `taken`
                KeSetEvent(&taken, 0, FALSE);
            }
        });
    for (int i = 0; i < kThreads * kRounds; ++i) {
        KeSetEvent(&event, 0, FALSE);
        EXPECT_EQ(wait(taken), STATUS_SUCCESS);
    }
    for (std::thread& waiter : waiters) waiter.join();
    EXPECT_EQ(count, kThreads * kRounds);
}

TEST(NotificationEvent, LetsGoOfThoseWhoWaitEvenIfItIsResetAtOnce) {
    KEVENT event;
    KeInitializeEvent(&event, NotificationEvent, FALSE);
    KEVENT begun;
    KeInitializeEvent(&begun, SynchronizationEvent, FALSE);
    std::atomic<bool> done{false};
    std::thread waiter([&] {
        KeSetEvent(&begun, 0, FALSE);
        EXPECT_EQ(wait(event), STATUS_SUCCESS);
        done = true;
    });
    wait(begun);
    while (!done) {
        KeSetEvent(&event, 0, FALSE);
        KeResetEvent(&event);
    }
    waiter.join();
}

TEST(Event, ThatWasNotInitialisedIsReported) {
    Violations violations;
    KEVENT event{};
    EXPECT_EQ(KeSetEvent(&event, 0, FALSE), 0);
    EXPECT_TRUE(violations.was_only(OPENND_WDM_RULE_INITIALIZED, "event", &event));
    EXPECT_EQ(wait(event, 0), STATUS_INVALID_PARAMETER);
    EXPECT_TRUE(violations.was_only(OPENND_WDM_RULE_INITIALIZED, "event", &event));
    KeClearEvent(&event);
    EXPECT_EQ(KeResetEvent(&event), 0);
    EXPECT_EQ(KeReadStateEvent(&event), 0);
    EXPECT_EQ(violations.take_all().size(), 3u);
}

TEST(Wait, AtDispatchLevelIsReportedUnlessItDoesNotWait) {
    Violations violations;
    KEVENT event;
    KeInitializeEvent(&event, NotificationEvent, TRUE);
    const KIRQL before = KeRaiseIrqlToDpcLevel();
    EXPECT_EQ(wait(event, 0), STATUS_SUCCESS);
    EXPECT_TRUE(violations.were_none());
    EXPECT_EQ(wait(event), STATUS_SUCCESS);
    EXPECT_TRUE(violations.was_only(OPENND_WDM_RULE_IRQL, "event", &event));
    KeSetEvent(&event, 0, TRUE);
    EXPECT_TRUE(violations.was_only(OPENND_WDM_RULE_IRQL, "event", &event));
    KeLowerIrql(before);
}

}  // namespace
}  // namespace opennd
