// SPDX-License-Identifier: MIT
// The rules of a plan: the events at which each strikes, the same for the same seed.
#include "transport/faults/faults.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace opennd::faults {
namespace {

class FaultsTest : public testing::Test {
protected:
    void set(std::string_view line) {
        LineFault fault;
        const auto plan = parse_plan(line, fault);
        ASSERT_TRUE(plan) << describe(fault);
        faults_.set(*plan);
    }
    // The numbers, from 1, of the events of `place` that end in a fault.
    std::vector<int> struck(Place place, int events, std::uint64_t bytes = 0) {
        std::vector<int> all;
        for (int number = 1; number <= events; ++number)
            if (faults_.strike(place, bytes)) all.push_back(number);
        return all;
    }

    Faults faults_;
};

TEST_F(FaultsTest, StrikeNothingWithoutAPlan) {
    EXPECT_FALSE(faults_.is_wanted());
    EXPECT_TRUE(struck(Place::send, 10).empty());
    set("");
    EXPECT_FALSE(faults_.is_wanted());
}

TEST_F(FaultsTest, StrikeTheEventsOfTheirPlaceAlone) {
    set("send:timeout");
    EXPECT_TRUE(faults_.is_wanted());
    EXPECT_TRUE(struck(Place::read, 10).empty());
    EXPECT_EQ(struck(Place::send, 3), (std::vector<int>{1, 2, 3}));
}

TEST_F(FaultsTest, StrikeByNumber) {
    set("send:timeout nth=3");
    EXPECT_EQ(struck(Place::send, 10), std::vector<int>{3});
    set("send:timeout every=4 times=2");
    EXPECT_EQ(struck(Place::send, 20), (std::vector<int>{4, 8}));
}

TEST_F(FaultsTest, StrikeBehindBytes) {
    set("wire:reset after=1K times=1");
    EXPECT_EQ(struck(Place::write, 10, 300), std::vector<int>{4}) << "the fourth goes beyond";
}

TEST_F(FaultsTest, OfTheWireHaveTheEventsOfAllRequests) {
    set("wire:reset nth=3");
    EXPECT_TRUE(struck(Place::send, 1).empty());
    EXPECT_TRUE(struck(Place::memory, 5).empty());
    EXPECT_TRUE(struck(Place::read, 1).empty());
    EXPECT_EQ(struck(Place::write, 1).size(), 1u);
}

TEST_F(FaultsTest, AreTheSameForTheSameSeed) {
    set("seed=7; send:timeout p=0.1");
    const std::vector<int> first = struck(Place::send, 1000);
    EXPECT_GT(first.size(), 50u);
    EXPECT_LT(first.size(), 150u);
    set("seed=7; send:timeout p=0.1");
    EXPECT_EQ(struck(Place::send, 1000), first);
    set("seed=8; send:timeout p=0.1");
    EXPECT_NE(struck(Place::send, 1000), first);
}

// Each rule draws for itself: events of one do not move the faults of another.
TEST_F(FaultsTest, OfOneRuleDoNotDependOnTheEventsOfAnother) {
    set("send:timeout p=0.1; read:denied p=0.5");
    const std::vector<int> alone = struck(Place::send, 500);
    set("send:timeout p=0.1; read:denied p=0.5");
    std::vector<int> mixed;
    for (int number = 1; number <= 500; ++number) {
        (void)faults_.strike(Place::read);
        if (faults_.strike(Place::send)) mixed.push_back(number);
    }
    EXPECT_EQ(mixed, alone);
}

TEST_F(FaultsTest, CountEventsAndFaults) {
    set("send:timeout nth=2; wire:reset nth=9");
    (void)struck(Place::send, 5);
    const std::vector<RuleCount> counts = faults_.counts();
    ASSERT_EQ(counts.size(), 2u);
    EXPECT_EQ(counts[0].text, "send:timeout nth=2");
    EXPECT_EQ(counts[0].events, 5u);
    EXPECT_EQ(counts[0].injected, 1u);
    EXPECT_EQ(counts[1].events, 5u) << "an event with a fault counts for every rule of its place";
    EXPECT_EQ(counts[1].injected, 0u);
}

TEST_F(FaultsTest, GiveTheFirstRuleThatStrikes) {
    set("send:overrun nth=2; send:timeout every=2");
    EXPECT_EQ(faults_.strike(Place::send), nullptr);
    EXPECT_EQ(faults_.strike(Place::send)->name, "send:overrun");
    EXPECT_EQ(faults_.strike(Place::send), nullptr);
    EXPECT_EQ(faults_.strike(Place::send)->name, "send:timeout");
}

}  // namespace
}  // namespace opennd::faults
