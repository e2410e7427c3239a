// SPDX-License-Identifier: MIT
// Spin locks of all forms and fast mutexes: exclusion, levels, and releases by other threads.
#include <thread>

#include "support/requirement.h"
#include "wdm/violations.h"

namespace opennd {
namespace {

constexpr int kThreads = 4;
constexpr int kRounds = 2'000;

template <typename Work>
void in_threads(Work work) {
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i)
        threads.emplace_back([&] {
            for (int round = 0; round < kRounds; ++round) work();
        });
    for (std::thread& thread : threads) thread.join();
}

TEST(SpinLock, ExcludesOthersAndRaisesTheLevel) {
    support::proves("NDK-HOST-40");
    KSPIN_LOCK lock;
    KeInitializeSpinLock(&lock);
    int count = 0;
    in_threads([&] {
        KIRQL before = DISPATCH_LEVEL;
        KeAcquireSpinLock(&lock, &before);
        EXPECT_EQ(before, PASSIVE_LEVEL);
        EXPECT_EQ(KeGetCurrentIrql(), DISPATCH_LEVEL);
        ++count;
        KeReleaseSpinLock(&lock, before);
        EXPECT_EQ(KeGetCurrentIrql(), PASSIVE_LEVEL);
    });
    EXPECT_EQ(count, kThreads * kRounds);
}

TEST(SpinLock, OneThatIsZeroIsFree) {
    static KSPIN_LOCK lock;
    const KIRQL before = KeRaiseIrqlToDpcLevel();
    EXPECT_TRUE(KeTryToAcquireSpinLockAtDpcLevel(&lock));
    std::thread([&] {
        const KIRQL inner = KeRaiseIrqlToDpcLevel();
        EXPECT_FALSE(KeTryToAcquireSpinLockAtDpcLevel(&lock));
        KeLowerIrql(inner);
    }).join();
    KeReleaseSpinLockFromDpcLevel(&lock);
    KeLowerIrql(before);
}

TEST(QueuedSpinLock, ExcludesOthersAndUndoesWhatItDid) {
    KSPIN_LOCK lock;
    KeInitializeSpinLock(&lock);
    int count = 0;
    in_threads([&] {
        KLOCK_QUEUE_HANDLE handle;
        KeAcquireInStackQueuedSpinLock(&lock, &handle);
        EXPECT_EQ(KeGetCurrentIrql(), DISPATCH_LEVEL);
        ++count;
        KeReleaseInStackQueuedSpinLock(&handle);
        EXPECT_EQ(KeGetCurrentIrql(), PASSIVE_LEVEL);
    });
    const KIRQL before = KeRaiseIrqlToDpcLevel();
    KLOCK_QUEUE_HANDLE handle;
    KeAcquireInStackQueuedSpinLockAtDpcLevel(&lock, &handle);
    ++count;
    KeReleaseInStackQueuedSpinLockFromDpcLevel(&handle);
    EXPECT_EQ(KeGetCurrentIrql(), DISPATCH_LEVEL);
    KeAcquireSpinLockAtDpcLevel(&lock);
    KeReleaseSpinLockFromDpcLevel(&lock);
    KeLowerIrql(before);
    EXPECT_EQ(count, kThreads * kRounds + 1);
}

TEST(FastMutex, ExcludesOthersAtApcLevel) {
    FAST_MUTEX mutex;
    ExInitializeFastMutex(&mutex);
    int count = 0;
    in_threads([&] {
        ExAcquireFastMutex(&mutex);
        EXPECT_EQ(KeGetCurrentIrql(), APC_LEVEL);
        ++count;
        ExReleaseFastMutex(&mutex);
        EXPECT_EQ(KeGetCurrentIrql(), PASSIVE_LEVEL);
    });
    EXPECT_EQ(count, kThreads * kRounds);
    EXPECT_TRUE(ExTryToAcquireFastMutex(&mutex));
    EXPECT_EQ(KeGetCurrentIrql(), APC_LEVEL);
    std::thread([&] { EXPECT_FALSE(ExTryToAcquireFastMutex(&mutex)); }).join();
    ExReleaseFastMutex(&mutex);
    EXPECT_EQ(KeGetCurrentIrql(), PASSIVE_LEVEL);
}

TEST(FastMutex, AtDispatchLevelIsReported) {
    Violations violations;
    FAST_MUTEX mutex;
    ExInitializeFastMutex(&mutex);
    const KIRQL before = KeRaiseIrqlToDpcLevel();
    ExAcquireFastMutex(&mutex);
    EXPECT_TRUE(violations.was_only(OPENND_WDM_RULE_IRQL, "fast mutex", &mutex));
    ExReleaseFastMutex(&mutex);
    EXPECT_EQ(KeGetCurrentIrql(), DISPATCH_LEVEL);
    KeLowerIrql(before);
}

class BrokenLock : public testing::Test {
protected:
    BrokenLock() { KeInitializeSpinLock(&lock_); }

    Violations violations_;
    KSPIN_LOCK lock_;
};

TEST_F(BrokenLock, ReleasedByAnotherThreadIsReportedAndStaysHeld) {
    const KIRQL before = KeAcquireSpinLockRaiseToDpc(&lock_);
    std::thread([&] {
        const KIRQL inner = KeRaiseIrqlToDpcLevel();
        KeReleaseSpinLock(&lock_, inner);
    }).join();
    EXPECT_TRUE(violations_.was_only(OPENND_WDM_RULE_LOCK, "spin lock", &lock_));
    KeReleaseSpinLock(&lock_, before);
    EXPECT_TRUE(violations_.were_none());
}

TEST_F(BrokenLock, ReleasedByNobodysHolderIsReported) {
    const KIRQL before = KeRaiseIrqlToDpcLevel();
    KeReleaseSpinLock(&lock_, before);
    EXPECT_TRUE(violations_.was_only(OPENND_WDM_RULE_LOCK, "spin lock", &lock_));
}

TEST_F(BrokenLock, TakenTwiceByOneThreadIsReportedInsteadOfWaitingForEver) {
    const KIRQL before = KeAcquireSpinLockRaiseToDpc(&lock_);
    KeAcquireSpinLockAtDpcLevel(&lock_);
    EXPECT_TRUE(violations_.was_only(OPENND_WDM_RULE_LOCK, "spin lock", &lock_));
    KeReleaseSpinLock(&lock_, before);
}

TEST_F(BrokenLock, AtDpcLevelWithoutTheLevelIsReported) {
    KeAcquireSpinLockAtDpcLevel(&lock_);
    EXPECT_TRUE(violations_.was_only(OPENND_WDM_RULE_IRQL, "spin lock", &lock_));
    KeReleaseSpinLockFromDpcLevel(&lock_);
    EXPECT_TRUE(violations_.was_only(OPENND_WDM_RULE_IRQL, "spin lock", &lock_));
}

TEST_F(BrokenLock, ReleasedAtAnotherLevelIsReported) {
    const KIRQL before = KeAcquireSpinLockRaiseToDpc(&lock_);
    KeLowerIrql(PASSIVE_LEVEL);
    KeReleaseSpinLock(&lock_, before);
    EXPECT_TRUE(violations_.was_only(OPENND_WDM_RULE_IRQL, "spin lock", &lock_));
}

TEST(Irql, RisesAndFallsAndNotTheOtherWay) {
    support::proves("NDK-HOST-40");
    Violations violations;
    KIRQL before = DISPATCH_LEVEL;
    KeRaiseIrql(APC_LEVEL, &before);
    EXPECT_EQ(before, PASSIVE_LEVEL);
    EXPECT_EQ(KeGetCurrentIrql(), APC_LEVEL);
    EXPECT_TRUE(violations.were_none());
    KeRaiseIrql(PASSIVE_LEVEL, &before);
    EXPECT_EQ(before, APC_LEVEL);
    EXPECT_TRUE(violations.was_only(OPENND_WDM_RULE_IRQL, "thread"));
    KeLowerIrql(DISPATCH_LEVEL);
    EXPECT_TRUE(violations.was_only(OPENND_WDM_RULE_IRQL, "thread"));
    KeLowerIrql(PASSIVE_LEVEL);
    std::thread([] { EXPECT_EQ(KeGetCurrentIrql(), PASSIVE_LEVEL); }).join();
}

TEST(Irql, OfACallbackIsDispatchLevelFromBeginningToEnd) {
    Violations violations;
    const KIRQL before = opennd_wdm_callback_begins();
    EXPECT_EQ(KeGetCurrentIrql(), DISPATCH_LEVEL);
    opennd_wdm_callback_ends(before, "connect callback");
    EXPECT_EQ(KeGetCurrentIrql(), PASSIVE_LEVEL);
    EXPECT_TRUE(violations.were_none());
    const KIRQL again = opennd_wdm_callback_begins();
    KeLowerIrql(PASSIVE_LEVEL);
    opennd_wdm_callback_ends(again, "connect callback");
    EXPECT_TRUE(violations.was_only(OPENND_WDM_RULE_IRQL, "connect callback"));
}

}  // namespace
}  // namespace opennd
