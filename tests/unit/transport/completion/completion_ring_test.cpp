// SPDX-License-Identifier: MIT
// The ring of a completion queue by itself: its room, its events and its overrun, as each transport has them.
#include "transport/completion/completion_ring.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "base/explanation.h"
#include "support/requirement.h"

namespace opennd {
namespace {

using support::proves;

// The number of its result, and where that goes when it is retrieved.
struct NumberedCredit {
    int number = 0;
    std::vector<int>* given = nullptr;

    void give() const { given->push_back(number); }
};

class Told final : public CompletionQueueSink {
public:
    std::vector<NotifyKind> events;
    int overruns = 0;
    void on_completion_event(NotifyKind kind) override { events.push_back(kind); }
    void on_overrun() override { ++overruns; }
};

class Judge final : public RoomJudge {
public:
    std::string_view verdict;
    std::string_view take_room() override { return verdict; }
};

// A ring that one thread uses.
class RingOf {
public:
    explicit RingOf(std::uint32_t depth, OverrunRule rule = OverrunRule::forgiving,
                    NotifyRule notify = NotifyRule::level, RoomJudge* judge = nullptr)
        : ring_(depth, rule, notify, told, judge) {}

    bool append(const Completion& completion) {
        const Held lock(ring_.lock());
        return ring_.append({completion, {appended_++, &given}}).kept;
    }
    bool append(Operation operation = Operation::send, Status status = Status::success) {
        return append({.status = status, .operation = operation, .arrival = solicited_if(!ok(status))});
    }
    // As a completion queue does behind its lock. Whether the queue has overrun just now.
    bool deliver() {
        const bool overrun = ring_.deliver();
        if (overrun) ring_.tell_overrun();
        return overrun;
    }
    void arm(NotifyKind kind) {
        {
            const Held lock(ring_.lock());
            (void)ring_.arm(kind);
        }
        (void)deliver();
    }
    std::vector<Completion> take(std::size_t most) {
        std::vector<Completion> results(most);
        const Held lock(ring_.lock());
        results.resize(ring_.take(results));
        return results;
    }
    Status resize(std::uint32_t depth) {
        const Held lock(ring_.lock());
        return ring_.resize(depth);
    }
    void add_room(std::uint32_t results) {
        const Held lock(ring_.lock());
        ring_.add_room(results);
    }
    void count_no_receives() {
        const Held lock(ring_.lock());
        ring_.count_receives(false);
    }
    bool lose_result() {
        const Held lock(ring_.lock());
        return ring_.lose_result();
    }
    void fire() {
        {
            const Held lock(ring_.lock());
            ring_.fire();
        }
        (void)deliver();
    }
    CompletionRing<NumberedCredit>& operator*() { return ring_; }

    Told told;
    std::vector<int> given;

private:
    CompletionRing<NumberedCredit> ring_;
    int appended_ = 0;
};

// What is reported meanwhile.
class Reports {
public:
    Reports() {
        set_failure_sink(
            [](void* rules, const Failure& failure) {
                static_cast<std::vector<std::string>*>(rules)->emplace_back(std::string_view(failure.requirement));
            },
            &rules_);
    }
    Reports(const Reports&) = delete;
    Reports& operator=(const Reports&) = delete;
    ~Reports() { set_failure_sink(nullptr, nullptr); }
    const std::vector<std::string>& rules() const { return rules_; }

private:
    std::vector<std::string> rules_;
};

constexpr Completion kSolicited = {.operation = Operation::receive, .arrival = Arrival::solicited};

TEST(CompletionRing, KeepsOrderAndCreditsAcrossItsEndAndItsGrowth) {
    proves("ND2-CQ-GET-08");
    RingOf ring(4);
    ring.add_room(4);
    std::uint32_t next = 0, seen = 0;
    for (const std::uint32_t more : {3u, 4u, 9u, 40u}) {
        ring.add_room(more);
        for (std::uint32_t i = 0; i < more; ++i) ASSERT_TRUE(ring.append({.length_bytes = next++}));
        for (const Completion& each : ring.take(more - 1)) EXPECT_EQ(each.length_bytes, seen++);
    }
    for (const Completion& each : ring.take(64)) EXPECT_EQ(each.length_bytes, seen++);
    EXPECT_EQ(seen, next);
    ASSERT_EQ(ring.given.size(), next);
    for (std::uint32_t i = 0; i < next; ++i) EXPECT_EQ(ring.given[i], static_cast<int>(i));
    EXPECT_TRUE((*ring).empty());
}

TEST(CompletionRing, SeesAllResultsWhileItIsArmedStrictOrJudged) {
    RingOf ring(2);
    EXPECT_FALSE((*ring).sees_all());
    ring.arm(NotifyKind::any);
    EXPECT_TRUE((*ring).sees_all());
    ASSERT_TRUE(ring.append());
    EXPECT_FALSE((*ring).sees_all()) << "the event has been made";
    RingOf strict(2, OverrunRule::strict);
    EXPECT_TRUE((*strict).sees_all());
    Judge judge;
    RingOf judged(2, OverrunRule::forgiving, NotifyRule::level, &judge);
    EXPECT_TRUE((*judged).sees_all());
    judged.arm(NotifyKind::any);
    ASSERT_TRUE(judged.append());
    EXPECT_TRUE((*judged).sees_all());
}

TEST(CompletionRing, ReportsAnExceededDepthOnceAndAgainForAnotherDepth) {
    proves("ND2-CQ-OVR-02", "ND2-CQ-OVR-03");
    const Reports reports;
    RingOf ring(1);
    const std::vector<std::string> once = {"ND2-CQ-OVR-03"}, twice = {"ND2-CQ-OVR-03", "ND2-CQ-OVR-03"};
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(ring.append());
    EXPECT_FALSE(ring.deliver());
    ASSERT_TRUE(ring.append());
    EXPECT_FALSE(ring.deliver());
    EXPECT_EQ(reports.rules(), once);
    ASSERT_EQ(ring.resize(4), Status::success);
    ASSERT_TRUE(ring.append());
    EXPECT_FALSE(ring.deliver());
    EXPECT_EQ(reports.rules(), twice);
    EXPECT_EQ(ring.told.overruns, 0);
}

TEST(CompletionRing, OverrunsForGoodWhereTheRuleIsStrict) {
    proves("ND2-CQ-OVR-01", "ND2-CQ-OVR-04");
    const Reports reports;
    RingOf ring(2, OverrunRule::strict);
    for (int i = 0; i < 2; ++i) ASSERT_TRUE(ring.append());
    EXPECT_TRUE(ring.append(Operation::send, Status::canceled)) << "flushed requests have room";
    EXPECT_FALSE(ring.append());
    EXPECT_TRUE(ring.deliver());
    EXPECT_FALSE(ring.deliver());
    EXPECT_EQ(ring.take(8).size(), 3u);
    EXPECT_FALSE(ring.append()) << "there would be room";
    EXPECT_FALSE(ring.lose_result());
    EXPECT_EQ(ring.told.overruns, 1);
    EXPECT_EQ(reports.rules(), std::vector<std::string>{"ND2-CQ-OVR-01"});
}

TEST(CompletionRing, OverrunsWhereAJudgeTakesTheRoom) {
    Judge judge;
    RingOf ring(8, OverrunRule::forgiving, NotifyRule::level, &judge);
    ASSERT_TRUE(ring.append());
    judge.verdict = "a verdict";
    EXPECT_TRUE(ring.append(Operation::remote_invalidation));
    EXPECT_TRUE(ring.append(Operation::send, Status::canceled));
    EXPECT_FALSE(ring.append());
    EXPECT_TRUE(ring.deliver());
    EXPECT_EQ(ring.told.overruns, 1);
}

TEST(CompletionRing, OverrunsOnceWhereTheHardwareLosesResults) {
    RingOf ring(8);
    EXPECT_TRUE(ring.lose_result());
    EXPECT_FALSE(ring.lose_result());
    EXPECT_TRUE(ring.deliver());
    EXPECT_FALSE(ring.deliver());
    EXPECT_FALSE(ring.append());
    EXPECT_EQ(ring.told.overruns, 1);
}

TEST(CompletionRing, CountsNoInvalidationAgainstItsDepth) {
    proves("ND1-CQ-08", "ND2-CQ-RSZ-01");
    RingOf ring(2, OverrunRule::strict);
    for (int i = 0; i < 5; ++i) ASSERT_TRUE(ring.append(Operation::remote_invalidation));
    for (int i = 0; i < 2; ++i) ASSERT_TRUE(ring.append());
    EXPECT_EQ(ring.resize(1), Status::overrun);
    EXPECT_EQ(ring.resize(2), Status::success);
    EXPECT_EQ(ring.take(6).size(), 6u);
    EXPECT_EQ(ring.resize(1), Status::success);
    EXPECT_EQ(ring.resize(0), Status::overrun);
}

// Results that each arming of a rule takes for its event: one solicited success and one failure wait.
TEST(CompletionRing, MakesTheEventsOfEachRule) {
    proves("ND2-CQ-NTF-02", "ND2-CQ-NTF-03", "ND1-CQ-NTF-03", "ND1-CQ-NTF-04", "NDK-CQ-ARM-01");
    struct Row {
        NotifyRule rule;
        NotifyKind kind;
        std::size_t events;  // of three armings
    };
    constexpr std::array<Row, 9> kRows = {{
        {NotifyRule::level, NotifyKind::any, 3},
        {NotifyRule::level, NotifyKind::solicited, 3},
        {NotifyRule::level, NotifyKind::errors, 0},
        {NotifyRule::events, NotifyKind::any, 2},
        {NotifyRule::events, NotifyKind::solicited, 2},
        {NotifyRule::events, NotifyKind::errors, 1},
        {NotifyRule::fresh, NotifyKind::any, 1},
        {NotifyRule::fresh, NotifyKind::solicited, 1},
        {NotifyRule::fresh, NotifyKind::errors, 0},
    }};
    for (const Row& row : kRows) {
        RingOf ring(4, OverrunRule::forgiving, row.rule);
        ASSERT_TRUE(ring.append(kSolicited));
        ASSERT_TRUE(ring.append(Operation::send, Status::timed_out));
        for (int i = 0; i < 3; ++i) ring.arm(row.kind);
        EXPECT_EQ(ring.told.events.size(), row.events)
            << "rule " << static_cast<int>(row.rule) << ", kind " << static_cast<int>(row.kind);
    }
}

TEST(CompletionRing, FiresForTheDominatingKind) {
    proves("ND2-CQ-NTF-03");
    RingOf ring(4);
    ring.arm(NotifyKind::any);
    ring.arm(NotifyKind::errors);
    ASSERT_TRUE(ring.append());
    EXPECT_FALSE(ring.deliver());
    EXPECT_EQ(ring.told.events, std::vector<NotifyKind>{NotifyKind::any});
    ASSERT_TRUE(ring.append());
    EXPECT_FALSE(ring.deliver());
    EXPECT_EQ(ring.told.events.size(), 1u) << "nothing is armed any more";
}

TEST(CompletionRing, LeavesReceivesToTheHardwareUntilItIsArmedAgain) {
    RingOf ring(4, OverrunRule::forgiving, NotifyRule::events);
    ring.arm(NotifyKind::solicited);
    ring.count_no_receives();
    ASSERT_TRUE(ring.append(kSolicited));
    EXPECT_FALSE(ring.deliver());
    EXPECT_TRUE(ring.told.events.empty());
    ring.fire();
    EXPECT_EQ(ring.told.events, std::vector<NotifyKind>{NotifyKind::solicited});
    ring.arm(NotifyKind::solicited);
    EXPECT_EQ(ring.told.events.size(), 1u) << "the result has made its event";
    ring.count_no_receives();
    ASSERT_TRUE(
        ring.append({.status = Status::timed_out, .operation = Operation::receive, .arrival = Arrival::solicited}));
    EXPECT_FALSE(ring.deliver());
    EXPECT_EQ(ring.told.events.size(), 2u) << "a failure counts";
}

TEST(CompletionRing, CallsNobodyOnceItIsClosed) {
    proves("ND2-CQ-REL-01");
    RingOf ring(1, OverrunRule::strict);
    ring.arm(NotifyKind::any);
    (*ring).close();
    ASSERT_TRUE(ring.append());
    EXPECT_FALSE(ring.append());
    EXPECT_TRUE(ring.deliver());
    EXPECT_TRUE(ring.told.events.empty());
    EXPECT_EQ(ring.told.overruns, 0);
}

}  // namespace
}  // namespace opennd
