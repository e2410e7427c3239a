// SPDX-License-Identifier: MIT
// Reports: their sinks, their texts, and their effect on the process.
#include <csignal>
#include <cstdlib>
#include <string>

#include <opennd.h>

#include "support/requirement.h"
#include "wdm/violations.h"

namespace opennd {
namespace {

void break_a_rule() { opennd_wdm_assertion_failed("1 == 2", "file.c", 7); }

class Checking : public testing::Test {
protected:
    ~Checking() override { opennd_wdm_set_checking(OPENND_WDM_CHECKING_REPORT); }
};

TEST_F(Checking, GoesToTheLogWithoutASink) {
    support::proves("NDK-HOST-40");
    std::vector<std::string> lines;
    const auto take = [](void* context, opennd_log_level level, const char* line) {
        EXPECT_EQ(level, OPENND_LOG_ERROR);
        static_cast<std::vector<std::string>*>(context)->push_back(line);
    };
    ASSERT_EQ(opennd_log_sink(take, &lines, OPENND_LOG_ERROR), 0);
    const ULONG64 before = opennd_wdm_violation_count();
    break_a_rule();
    opennd_log_sink(nullptr, nullptr, OPENND_LOG_ERROR);
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_EQ(lines[0], "consumer: assertion: 1 == 2 does not hold in file.c:7 (rule: the consumer's assertions hold)");
    EXPECT_EQ(opennd_wdm_violation_count(), before + 1);
}

TEST_F(Checking, OffSaysNothingAndStillCounts) {
    Violations violations;
    opennd_wdm_set_checking(OPENND_WDM_CHECKING_OFF);
    const ULONG64 before = opennd_wdm_violation_count();
    break_a_rule();
    EXPECT_TRUE(violations.were_none());
    EXPECT_EQ(opennd_wdm_violation_count(), before + 1);
}

using CheckingDeathTest = Checking;

TEST_F(CheckingDeathTest, AbortsWhereTheProgramChoseSo) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(
        {
            opennd_wdm_set_checking(OPENND_WDM_CHECKING_ABORT);
            break_a_rule();
        },
        testing::KilledBySignal(SIGABRT), "1 == 2 does not hold");
}

TEST_F(CheckingDeathTest, AbortsWhereTheEnvironmentSaysSo) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    setenv("OPENND_WDM_CHECKING", "abort", 1);  // read by the process that the test starts
    EXPECT_EXIT(break_a_rule(), testing::KilledBySignal(SIGABRT), "1 == 2 does not hold");
    unsetenv("OPENND_WDM_CHECKING");
}

TEST(Assertions, AreExpressionsThatReport) {
    Violations violations;
    EXPECT_TRUE(NT_ASSERT(1 + 1 == 2));
    EXPECT_TRUE(NT_VERIFY(true));
    ASSERT(violations.were_none());
    EXPECT_FALSE(NT_VERIFY(1 + 1 == 3));
    EXPECT_TRUE(violations.was_only(OPENND_WDM_RULE_ASSERTION, "assertion"));
    NT_ASSERTMSG("sums", 1 + 1 == 3);
    ASSERTMSG("sums", 1 + 1 == 3);
    EXPECT_EQ(violations.take_all().size(), 2u);
}

TEST(PagedCode, AtDispatchLevelIsReported) {
    Violations violations;
    PAGED_CODE();
    EXPECT_TRUE(violations.were_none());
    const KIRQL before = KeRaiseIrqlToDpcLevel();
    PAGED_CODE();
    KeLowerIrql(before);
    EXPECT_TRUE(violations.was_only(OPENND_WDM_RULE_IRQL, "pageable code"));
}

TEST(Leaks, AreReportedWithWhatAndWhere) {
    Violations violations;
    ASSERT_EQ(opennd_wdm_report_leaks(), 0u);
    void* const block = ExAllocatePoolWithTag(NonPagedPoolNx, 100, 'kael');
    PMDL const mdl = IoAllocateMdl(block, 100, FALSE, FALSE, nullptr);
    EXPECT_EQ(opennd_wdm_report_leaks(), 2u);
    const auto all = violations.take_all();
    ASSERT_EQ(all.size(), 2u);
    const std::string both = all[0].text + all[1].text;
    EXPECT_NE(both.find("100 bytes, tag 'leak', made at opennd_wdm_tests"), std::string::npos) << both;
    EXPECT_NE(both.find("MDL 0x"), std::string::npos) << both;
    IoFreeMdl(mdl);
    ExFreePool(block);
    EXPECT_EQ(opennd_wdm_report_leaks(), 0u);
}

}  // namespace
}  // namespace opennd
