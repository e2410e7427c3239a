// SPDX-License-Identifier: MIT
// Rundown protection: users, the thread that takes it down, and counts that do not fit.
#include <atomic>
#include <thread>

#include "support/requirement.h"
#include "wdm/violations.h"

namespace opennd {
namespace {

TEST(Rundown, LetsNobodyInOnceItIsTakenDown) {
    support::proves("NDK-HOST-40");
    EX_RUNDOWN_REF reference;
    ExInitializeRundownProtection(&reference);
    EXPECT_TRUE(ExAcquireRundownProtection(&reference));
    EXPECT_TRUE(ExAcquireRundownProtectionEx(&reference, 3));
    ExReleaseRundownProtectionEx(&reference, 2);
    ExReleaseRundownProtectionEx(&reference, 2);
    ExWaitForRundownProtectionRelease(&reference);
    EXPECT_FALSE(ExAcquireRundownProtection(&reference));
    ExRundownCompleted(&reference);
    EXPECT_FALSE(ExAcquireRundownProtectionEx(&reference, 2));
    ExReInitializeRundownProtection(&reference);
    EXPECT_TRUE(ExAcquireRundownProtection(&reference));
    ExReleaseRundownProtection(&reference);
}

TEST(Rundown, WaitsForTheLastAndNotLonger) {
    for (int i = 0; i < 500; ++i) {
        auto* const reference = new EX_RUNDOWN_REF;
        ExInitializeRundownProtection(reference);
        std::atomic<int> inside{0};
        std::atomic<bool> begun{false};
        std::vector<std::thread> users;
        for (int user = 0; user < 2; ++user)
            users.emplace_back([&, reference] {
                while (!begun) std::this_thread::yield();
                if (!ExAcquireRundownProtection(reference)) return;
                ++inside;
                --inside;
                ExReleaseRundownProtection(reference);
            });
        EXPECT_TRUE(ExAcquireRundownProtection(reference));
        begun = true;
        std::thread last([&, reference] { ExReleaseRundownProtection(reference); });
        ExWaitForRundownProtectionRelease(reference);
        EXPECT_EQ(inside, 0);
        for (std::thread& user : users) user.join();
        last.join();
        delete reference;
    }
}

TEST(Rundown, ReleasedTooOftenIsReportedAndChangesNothing) {
    Violations violations;
    EX_RUNDOWN_REF reference;
    ExInitializeRundownProtection(&reference);
    ExReleaseRundownProtection(&reference);
    EXPECT_TRUE(violations.was_only(OPENND_WDM_RULE_REFERENCE_COUNT, "rundown protection", &reference));
    EXPECT_TRUE(ExAcquireRundownProtection(&reference));
    ExReleaseRundownProtectionEx(&reference, 2);
    EXPECT_TRUE(violations.was_only(OPENND_WDM_RULE_REFERENCE_COUNT, "rundown protection", &reference));
    ExReInitializeRundownProtection(&reference);
    EXPECT_TRUE(violations.was_only(OPENND_WDM_RULE_IN_USE, "rundown protection", &reference));
}

TEST(Rundown, WaitedForAtDispatchLevelIsReported) {
    Violations violations;
    EX_RUNDOWN_REF reference;
    ExInitializeRundownProtection(&reference);
    const KIRQL before = KeRaiseIrqlToDpcLevel();
    ExWaitForRundownProtectionRelease(&reference);
    KeLowerIrql(before);
    EXPECT_TRUE(violations.was_only(OPENND_WDM_RULE_IRQL, "rundown protection", &reference));
}

}  // namespace
}  // namespace opennd
