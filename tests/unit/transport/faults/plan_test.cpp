// SPDX-License-Identifier: MIT
// The line of faults: kinds, triggers, and the place of a wrong word.
#include "transport/faults/plan.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

namespace opennd::faults {
namespace {

using namespace std::chrono_literals;

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
        const Plan plan = plan_of(std::string(kind.name) + (kind.takes_time() ? "=7us" : ""));
        ASSERT_EQ(plan.rules.size(), 1u);
        EXPECT_EQ(plan.rules[0].kind->name, kind.name);
        EXPECT_EQ(plan.rules[0].time, kind.takes_time() ? 7us : 0us);
        EXPECT_EQ(kind.status == Status::success, kind.takes_time()) << "what is late is no failure";
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
              "at character 12: \"after=1T\": expected after=BYTES, as 65536, 64K or 1M, or after=TIME, as 500us, 2ms "
              "or 10s");
    EXPECT_EQ(
        fault_of("wire:reset after=99999999999G"),
        "at character 12: \"after=99999999999G\": expected after=BYTES, as 65536, 64K or 1M, or after=TIME, as 500us, "
        "2ms or 10s");
    EXPECT_EQ(fault_of("connect:refused after=1M"),
              "at character 17: \"after=1M\": expected after=TIME, as 500us, 2ms or 10s");
    EXPECT_EQ(fault_of("cq:overrun after=1"),
              "at character 12: \"after=1\": expected after=TIME, as 500us, 2ms or 10s");
    EXPECT_EQ(
        fault_of("wire:reset after=10 after=s"),
        "at character 21: \"after=s\": expected after=BYTES, as 65536, 64K or 1M, or after=TIME, as 500us, 2ms or 10s");
    EXPECT_EQ(fault_of("peer:dies after=10s after=1M"),
              "at character 21: \"after=1M\": expected after=BYTES or after=TIME, one of them");
    EXPECT_EQ(fault_of("wire:delay"), "at character 1: \"wire:delay\": expected wire:delay=TIME, as 500us, 2ms or 10s");
    for (const char* const time : {"", "2", "2m", "0ms", "-1ms", "1.5ms", "ms", "1000001s", "99999999999999999999s"})
        EXPECT_EQ(
            fault_of(std::string("wire:delay=") + time),
            std::string("at character 1: \"wire:delay=") + time + "\": expected wire:delay=TIME, as 500us, 2ms or 10s");
    EXPECT_EQ(fault_of("send:timeout often"),
              "at character 14: \"often\": expected p=, nth=, every=, after= or times=");
    EXPECT_TRUE(fault_of("send:never")
                    .starts_with("at character 1: \"send:never\": expected seed=NUMBER, or one of connect:refused, "));
}

TEST(FaultPlan, TakesNoTimeWhereNoneBelongs) {
    EXPECT_TRUE(
        fault_of("send:timeout=2ms")
            .starts_with("at character 1: \"send:timeout=2ms\": expected seed=NUMBER, or one of connect:refused, "));
    EXPECT_NE(fault_of("nothing").find("wire:delay=TIME, cq:overrun, peer:dies"), std::string::npos);
}

TEST(FaultPlan, HasTimesOfFourUnits) {
    EXPECT_EQ(plan_of("wire:delay=7ns").rules[0].time, 7ns);
    EXPECT_EQ(plan_of("wire:delay=7us").rules[0].time, 7us);
    EXPECT_EQ(plan_of("send:late=7ms").rules[0].time, 7ms);
    EXPECT_EQ(plan_of("write:late=7s p=0.5").rules[0].time, 7s);
    EXPECT_EQ(plan_of("wire:delay=1000000s").rules[0].time, 1'000'000s);
    const Plan plan = plan_of("connect:refused after=250ms; wire:reset after=0s after=1K");
    EXPECT_EQ(plan.rules[0].after_time, 250ms);
    EXPECT_EQ(plan.rules[1].after_time, 0s);
    EXPECT_EQ(plan.rules[1].after_bytes, 1024u);
}

TEST(FaultPlan, GivesThePeersDeathToTheClockOrToRequests) {
    EXPECT_TRUE(plan_of("peer:dies after=10s").rules[0].is_by_clock());
    EXPECT_FALSE(plan_of("peer:dies after=10").rules[0].is_by_clock());
    EXPECT_FALSE(plan_of("wire:reset after=10s").rules[0].is_by_clock());
}

}  // namespace
}  // namespace opennd::faults
