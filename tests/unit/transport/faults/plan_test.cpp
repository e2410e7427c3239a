// SPDX-License-Identifier: MIT
// The line of faults: kinds, triggers, and the place of a wrong word.
#include "transport/faults/plan.h"

#include <gtest/gtest.h>

#include <string>

namespace opennd::faults {
namespace {

Plan plan_of(std::string_view line) {
    LineFault fault;
    const auto plan = parse_plan(line, fault);
    EXPECT_TRUE(plan) << describe(fault);
    return plan.value_or(Plan{});
}

std::string fault_of(std::string_view line) {
    LineFault fault;
    EXPECT_FALSE(parse_plan(line, fault)) << line;
    return describe(fault);
}

TEST(FaultPlan, HasASeedAndRulesWithTriggers) {
    const Plan plan =
        plan_of(" seed=7; connect:refused p=0.01 ;send:timeout nth=100 times=1; wire:reset after=1M every=3");
    EXPECT_EQ(plan.seed, 7u);
    ASSERT_EQ(plan.rules.size(), 3u);
    EXPECT_EQ(plan.rules[0].kind->name, "connect:refused");
    EXPECT_EQ(plan.rules[0].probability, 0.01);
    EXPECT_EQ(plan.rules[0].text, "connect:refused p=0.01");
    EXPECT_EQ(plan.rules[1].nth, 100u);
    EXPECT_EQ(plan.rules[1].times, 1u);
    EXPECT_EQ(plan.rules[2].after_bytes, 1u << 20);
    EXPECT_EQ(plan.rules[2].every, 3u);
}

TEST(FaultPlan, MayBeEmpty) {
    EXPECT_TRUE(plan_of("").rules.empty());
    EXPECT_TRUE(plan_of(" ; ;").rules.empty());
    EXPECT_EQ(plan_of("").seed, 1u);
}

TEST(FaultPlan, KnowsEachOfItsKinds) {
    for (const Kind& kind : kinds()) {
        const Plan plan = plan_of(kind.name);
        ASSERT_EQ(plan.rules.size(), 1u);
        EXPECT_EQ(plan.rules[0].kind->name, kind.name);
        EXPECT_NE(kind.status, Status::success);
    }
}

TEST(FaultPlan, CountsBytesInPowersOf1024) {
    EXPECT_EQ(plan_of("wire:reset after=10").rules[0].after_bytes, 10u);
    EXPECT_EQ(plan_of("wire:reset after=10K").rules[0].after_bytes, 10'240u);
    EXPECT_EQ(plan_of("wire:reset after=2G").rules[0].after_bytes, std::uint64_t{2} << 30);
}

TEST(FaultPlan, NamesTheWrongWordItsPlaceAndTheRemedy) {
    EXPECT_EQ(fault_of("seed=x"), "at character 1: \"seed=x\": expected seed=NUMBER");
    EXPECT_EQ(fault_of("seed=7 p=1"), "at character 8: \"p=1\": expected ; behind the seed");
    EXPECT_EQ(fault_of("seed=7; send:timeout nth=0"), "at character 22: \"nth=0\": expected nth=NUMBER, from 1");
    EXPECT_EQ(fault_of("send:timeout p=1.5"), "at character 14: \"p=1.5\": expected p=FRACTION, from 0 to 1");
    EXPECT_EQ(fault_of("send:timeout p=nan"), "at character 14: \"p=nan\": expected p=FRACTION, from 0 to 1");
    EXPECT_EQ(fault_of("wire:reset after=1T"),
              "at character 12: \"after=1T\": expected after=BYTES, as 65536, 64K or 1M");
    EXPECT_EQ(fault_of("wire:reset after=99999999999G"),
              "at character 12: \"after=99999999999G\": expected after=BYTES, as 65536, 64K or 1M");
    EXPECT_EQ(fault_of("connect:refused after=1M"),
              "at character 17: \"after=1M\": expected p=, nth=, every= or times=");
    EXPECT_EQ(fault_of("send:timeout often"),
              "at character 14: \"often\": expected p=, nth=, every=, after= or times=");
    EXPECT_TRUE(fault_of("send:late")
                    .starts_with("at character 1: \"send:late\": expected seed=NUMBER, or one of connect:refused, "));
}

}  // namespace
}  // namespace opennd::faults
