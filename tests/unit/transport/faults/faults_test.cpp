// SPDX-License-Identifier: MIT
// The rules of a plan: the events at which each strikes, the same for the same seed.
#include "transport/faults/faults.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <latch>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "transport/soft/queue_pair/connection_end.h"
#include "unit/transport/soft/scripted_channel.h"

namespace opennd::faults {
namespace {

using namespace std::chrono_literals;

class FaultsTest : public testing::Test {
protected:
    void set(std::string_view line) {
        LineFault fault;
        const auto plan = parse_plan(line, fault);
        ASSERT_TRUE(plan) << describe(fault);
        faults_.set(*plan, kBeginning);
    }
    // The numbers, from 1, of the events of `place` that end in a fault.
    std::vector<int> struck(Place place, int events, std::uint64_t bytes = 0) {
        std::vector<int> all;
        for (int number = 1; number <= events; ++number)
            if (faults_.strike(place, bytes, kBeginning).kind != nullptr) all.push_back(number);
        return all;
    }

    inline static const SteadyTime kBeginning = now();
    EventLoop loop_;
    Faults faults_{loop_};
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
        if (faults_.strike(Place::send).kind != nullptr) mixed.push_back(number);
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
    EXPECT_EQ(faults_.strike(Place::send).kind, nullptr);
    EXPECT_EQ(faults_.strike(Place::send).kind->name, "send:overrun");
    EXPECT_EQ(faults_.strike(Place::send).kind, nullptr);
    EXPECT_EQ(faults_.strike(Place::send).kind->name, "send:timeout");
}

TEST_F(FaultsTest, StrikeFromATimeOn) {
    set("send:timeout after=10ms times=2");
    EXPECT_EQ(faults_.strike(Place::send, 0, kBeginning).kind, nullptr);
    EXPECT_EQ(faults_.strike(Place::send, 0, kBeginning + 10ms - 1ns).kind, nullptr);
    EXPECT_NE(faults_.strike(Place::send, 0, kBeginning + 10ms).kind, nullptr);
    EXPECT_NE(faults_.strike(Place::send, 0, kBeginning + 1h).kind, nullptr);
    EXPECT_EQ(faults_.strike(Place::send, 0, kBeginning + 1h).kind, nullptr) << "two are two";
}

TEST_F(FaultsTest, HaveBothTheBytesAndTheTimeBehindThem) {
    set("write:denied after=1K after=10ms");
    EXPECT_EQ(faults_.strike(Place::write, 1024, kBeginning + 1s).kind, nullptr);
    EXPECT_EQ(faults_.strike(Place::write, 1, kBeginning).kind, nullptr);
    EXPECT_NE(faults_.strike(Place::write, 1, kBeginning + 1s).kind, nullptr);
}

// A new plan has a new beginning.
TEST_F(FaultsTest, CountTheTimeSinceTheirPlan) {
    set("send:timeout after=10ms");
    LineFault fault;
    faults_.set(*parse_plan("send:timeout after=10ms", fault), kBeginning + 1h);
    EXPECT_EQ(faults_.strike(Place::send, 0, kBeginning + 1h).kind, nullptr);
}

TEST_F(FaultsTest, DelayAnEventThatGoesOnToTheOtherRules) {
    set("wire:delay=2ms; send:timeout nth=2; wire:delay=300us nth=1; wire:reset nth=2");
    const Blow first = faults_.strike(Place::send), second = faults_.strike(Place::send);
    EXPECT_EQ(first.delay, 2300us) << "delays add up";
    EXPECT_EQ(first.kind, nullptr);
    EXPECT_EQ(second.delay, 2ms);
    ASSERT_NE(second.kind, nullptr);
    EXPECT_EQ(second.kind->name, "send:timeout");
    EXPECT_EQ(faults_.counts()[3].events, 2u) << "the event that has ended counts";
    EXPECT_EQ(faults_.strike(Place::memory).delay, 0ms);
}

TEST_F(FaultsTest, MakeResultsLate) {
    set("send:late=5ms; write:late=1ms");
    EXPECT_EQ(faults_.strike(Place::send).late, 5ms);
    EXPECT_EQ(faults_.strike(Place::write).late, 1ms);
    EXPECT_EQ(faults_.strike(Place::read).late, 0ms);
    EXPECT_EQ(faults_.strike(Place::send).delay, 0ms);
}

TEST_F(FaultsTest, TakeTheRoomOfResultsAlone) {
    set("cq:overrun nth=2");
    ASSERT_EQ(faults_.room_judge(), &faults_);
    EXPECT_TRUE(struck(Place::send, 10).empty());
    EXPECT_TRUE(faults_.take_room().empty());
    EXPECT_EQ(faults_.take_room(), "a fault on purpose: cq:overrun");
    EXPECT_TRUE(faults_.take_room().empty());
}

TEST_F(FaultsTest, JudgeNoRoomWithoutAPlan) { EXPECT_EQ(faults_.room_judge(), nullptr); }

TEST_F(FaultsTest, LoseAPeerByARequestUnlessTheClockDoes) {
    set("peer:dies nth=2");
    EXPECT_EQ(struck(Place::write, 3), std::vector<int>{2});
    set("peer:dies after=3600s");
    EXPECT_TRUE(struck(Place::write, 3).empty());
    EXPECT_EQ(faults_.strike(Place::write, 0, kBeginning + 2h).kind, nullptr) << "the moment strikes connections";
    EXPECT_EQ(faults_.counts()[0].events, 0u);
}

// The connection of a channel that the test makes.
class CountedEnd final : public soft::ConnectionEnd {
public:
    std::atomic<int> lost{0};
    void queue_pair_failed() override {}
    void queue_pair_closed() override {}
    void lose_peer() override {
        const std::lock_guard lock(mutex_);
        ++lost;
        changed_.notify_all();
    }
    bool is_lost_in_time() {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, 10s, [this] { return lost > 0; });
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
};

// The loop ends first.
class FaultsByTheClock : public testing::Test {
protected:
    void set(std::string_view line) {
        LineFault fault;
        const auto plan = parse_plan(line, fault);
        ASSERT_TRUE(plan) << describe(fault);
        faults_.set(*plan);
    }
    Ref<soft::Channel> connection(const Ref<CountedEnd>& end) {
        soft::ConnectionFacts facts;
        facts.end = end.get();
        return faults_.wrap(Ref<soft::Channel>(new test::ScriptedChannel), facts);
    }

    std::optional<EventLoop> loop_{std::in_place};
    Faults faults_{*loop_};
    void TearDown() override { loop_.reset(); }
};

TEST_F(FaultsByTheClock, LoseThePeersOfTheConnectionsThatAreUp) {
    set("send:timeout p=0");
    const auto first = make_ref<CountedEnd>(), closed = make_ref<CountedEnd>(), second = make_ref<CountedEnd>();
    const Ref<soft::Channel> one = connection(first), none = connection(closed), two = connection(second);
    none->close();
    set("peer:dies after=1ms nth=2");
    EXPECT_TRUE(second->is_lost_in_time()) << "a connection that has ended is no event";
    loop_.reset();
    EXPECT_EQ(first->lost, 0);
    EXPECT_EQ(closed->lost, 0);
    EXPECT_EQ(second->lost, 1);
    EXPECT_EQ(faults_.counts()[0].events, 2u);
    EXPECT_EQ(faults_.counts()[0].injected, 1u);
}

// The loop comes to neither plan before the second is in force.
TEST_F(FaultsByTheClock, ForgetTheMomentsOfAnEarlierPlan) {
    set("send:timeout p=0");
    const auto first = make_ref<CountedEnd>(), second = make_ref<CountedEnd>();
    const Ref<soft::Channel> one = connection(first), two = connection(second);
    std::latch both_set(1);
    loop_->post([&both_set] { both_set.wait(); });
    set("peer:dies after=0s");
    set("peer:dies after=0s nth=2");
    both_set.count_down();
    EXPECT_TRUE(second->is_lost_in_time());
    loop_.reset();
    EXPECT_EQ(first->lost, 0);
}

}  // namespace
}  // namespace opennd::faults
