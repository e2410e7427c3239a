// SPDX-License-Identifier: MIT
// A completion queue with many queue pairs: it looks at those that a source names, and at no others.
#include "transport/soft/progress/crowd.h"

#include <array>
#include <vector>

#include <gtest/gtest.h>

#include "scripted_queue_pair.h"
#include "support/requirement.h"
#include "transport/soft/engine/receive_turn.h"
#include "transport/soft/progress/completion_queue.h"
#include "transport/soft/progress/taking_turns.h"

namespace opennd::soft {
namespace {

using support::proves;
using Attention = Attention;

// Names what the test says.
class ScriptedSource final : public ReadySource {
public:
    std::vector<Place> named;
    int nudges = 0, thorough = 0;
    bool closed = false;

    void collect(ReadyList& ready, Asking asking) override {
        if (asking == Asking::thoroughly) ++thorough;
        for (const Place place : named) ready.add(place);
        named.clear();
    }
    void set_attention(Attention attention) override { attention_ = attention; }
    Attention attention() const override { return attention_; }
    void nudge() override { ++nudges; }
    void close() override { closed = true; }

private:
    Attention attention_ = Attention::asleep;
};

class CrowdTest : public test::ScriptedQueuePair {
protected:
    static constexpr std::size_t kFew = 16;

    struct Member {
        Ref<SoftQueuePair> queue_pair;
        Ref<test::ScriptedChannel> channel;
        int looks = 0;
    };

    CrowdTest() { joins(*channel_, looks_of_first_); }
    ~CrowdTest() override {
        for (const auto& member : members_)
            if (member->queue_pair) member->queue_pair->close();
    }

    // The fixture's queue pair is one of them.
    void fill(std::size_t count) {
        while (members_.size() + 1 < count) add();
    }
    Member& add(const ChannelFacts& facts = {}) {
        members_.push_back(std::make_unique<Member>());
        Member& member = *members_.back();
        member.channel = make_ref<test::ScriptedChannel>(facts);
        const Ref<TransportQueuePair> made =
            adapter_->create_queue_pair({{4, 4, 1, 1, 0}, completions_, completions_, nullptr}).take();
        member.queue_pair = Ref<SoftQueuePair>(static_cast<SoftQueuePair*>(made.get()));
        joins(*member.channel, member.looks);
        member.queue_pair->attach(member.channel, nullptr, {1, 1});
        return member;
    }
    // A member over a wire that names nothing.
    Member& add_unnamed() {
        members_.push_back(std::make_unique<Member>());
        Member& member = *members_.back();
        member.channel = make_ref<test::ScriptedChannel>();
        member.channel->on_receive = [&member](ReceiveTurn&) -> std::size_t {
            if (member.channel->shows_arrival()) member.channel->take();
            return ++member.looks, 0;
        };
        const Ref<TransportQueuePair> made =
            adapter_->create_queue_pair({{4, 4, 1, 1, 0}, completions_, completions_, nullptr}).take();
        member.queue_pair = Ref<SoftQueuePair>(static_cast<SoftQueuePair*>(made.get()));
        member.queue_pair->attach(member.channel, nullptr, {1, 1});
        return member;
    }
    void joins(test::ScriptedChannel& channel, int& looks) {
        channel.on_receive = [&looks](ReceiveTurn&) -> std::size_t { return ++looks, 0; };
        channel.on_join = [this, &channel](Crowd& crowd, Place place) {
            if (!crowd.find(this)) crowd.add(this, source_);
            channel.place = place;
            return true;
        };
    }
    int looks() const {
        int sum = looks_of_first_;
        for (const auto& member : members_) sum += member->looks;
        return sum;
    }

    Ref<ScriptedSource> source_ = make_ref<ScriptedSource>();
    std::vector<std::unique_ptr<Member>> members_;
    int looks_of_first_ = 0;
};

TEST_F(CrowdTest, IsLookedAtAsAWholeWhileItIsSmall) {
    proves("IW-PERF-16");
    fill(kFew);
    poll();
    EXPECT_EQ(looks(), static_cast<int>(kFew));
    EXPECT_FALSE(channel_->place.has_value()) << "nobody asked for names";
}

TEST_F(CrowdTest, IsLookedAtWhereASourceNamesOne) {
    proves("IW-PERF-16", "ND2-CQ-GET-06");
    fill(kFew + 10);
    for (int polls = 0; polls < 100; ++polls) poll();
    EXPECT_EQ(looks(), 0);
    Member& member = *members_[3];
    source_->named = {member.channel->place.value()};
    for (int polls = 0; polls < 100; ++polls) poll();
    EXPECT_EQ(member.looks, 1);
    EXPECT_EQ(looks(), 1);
}

TEST_F(CrowdTest, IsLookedAtAgainWhileWorkIsLeft) {
    proves("IW-PERF-16", "ND2-CQ-GET-06");
    fill(kFew + 1);
    Member& member = *members_[3];
    member.channel->leave_work(true);
    source_->named = {member.channel->place.value()};
    for (int polls = 0; polls < 5; ++polls) poll();
    EXPECT_EQ(member.looks, 5);
    member.channel->leave_work(false);
    for (int polls = 0; polls < 5; ++polls) poll();
    EXPECT_EQ(member.looks, 6);
}

TEST_F(CrowdTest, TakesNoHarmFromNamesOfNobody) {
    proves("IW-PERF-16");
    fill(kFew + 10);
    const Place place = members_[3]->channel->place.value();
    members_[3]->queue_pair->close();
    members_[3]->queue_pair = nullptr;
    const int before = looks();
    source_->named = {place, Place(4000), Place(UINT32_MAX)};
    for (int polls = 0; polls < 3; ++polls) poll();
    EXPECT_EQ(looks(), before);
}

TEST_F(CrowdTest, TellsItsSourcesThatAThreadPollsAndThatItSleeps) {
    proves("ND2-CQ-NTF-08");
    fill(kFew + 1);
    poll();
    EXPECT_EQ(source_->attention(), Attention::awake);
    for (int polls = 0; polls < 64; ++polls) poll();
    EXPECT_EQ(source_->attention(), Attention::polling);
    Member& member = *members_[3];
    source_->named = {member.channel->place.value()};
    completions_->arm(NotifyKind::any);
    EXPECT_EQ(source_->attention(), Attention::asleep);
    EXPECT_EQ(source_->thorough, 1);
    EXPECT_EQ(source_->nudges, 1);
    EXPECT_EQ(member.looks, 1) << "the message came before its sender knew";
    for (int polls = 0; polls < 100; ++polls) poll();
    EXPECT_EQ(source_->attention(), Attention::asleep) << "a program that polls once more sleeps next";
}

TEST_F(CrowdTest, HasAPollerThatLeftFollowedByTheServiceThread) {
    proves("ND2-OVL-24", "IW-PERF-16");
    fill(kFew + 1);
    for (int polls = 0; polls < 65; ++polls) poll();
    ASSERT_EQ(source_->attention(), Attention::polling);
    Member& member = *members_[3];
    source_->named = {member.channel->place.value()};
    member.channel->crowd->take_over();
    EXPECT_EQ(source_->attention(), Attention::asleep);
    EXPECT_EQ(member.looks, 1);
    for (int polls = 0; polls < 65; ++polls) poll();
    EXPECT_EQ(source_->attention(), Attention::awake) << "the next poller is trusted later";
    for (int polls = 0; polls < 64; ++polls) poll();
    EXPECT_EQ(source_->attention(), Attention::polling);
}

class FollowedCrowdTest : public CrowdTest {
protected:
    // One member whose wire can leave it unnamed, and a thread that polls.
    FollowedCrowdTest() {
        for (int polls = 0; polls < 65; ++polls) poll();
        busiest_.channel->can_be_followed = true;
        busiest_.channel->show_arrivals();
        busiest_.channel->on_receive = [this](ReceiveTurn&) -> std::size_t {
            if (busiest_.channel->has_arrival()) busiest_.channel->take();
            return ++busiest_.looks, 0;
        };
    }
    Member& member_of_a_crowd() {
        fill(kFew + 1);
        return *members_[3];
    }
    void arrive_named() {
        busiest_.channel->arrive();
        source_->named = {busiest_.channel->place.value()};
        poll();
    }

    Member& busiest_ = member_of_a_crowd();
};

TEST_F(FollowedCrowdTest, IsLookedAtWithoutNamesWhereItIsBusiest) {
    proves("IW-PERF-16", "ND2-CQ-GET-06");
    arrive_named();
    EXPECT_FALSE(busiest_.channel->followed) << "one arrival says nothing";
    for (int names = 0; names < 8; ++names) arrive_named();
    ASSERT_TRUE(busiest_.channel->followed);
    const int before = busiest_.looks;
    busiest_.channel->arrive();
    poll();
    EXPECT_EQ(busiest_.looks, before + 1);
    for (int polls = 0; polls < 10'000; ++polls) poll();
    EXPECT_FALSE(busiest_.channel->followed) << "it has become quiet";
    EXPECT_EQ(busiest_.looks, before + 2) << "looked at once more, for what was not named";
}

TEST_F(FollowedCrowdTest, IsNamedAgainWhenItsPollerSleeps) {
    proves("ND2-CQ-NTF-08");
    for (int names = 0; names < 9; ++names) arrive_named();
    ASSERT_TRUE(busiest_.channel->followed);
    const int before = busiest_.looks;
    busiest_.channel->arrive();
    completions_->arm(NotifyKind::any);
    EXPECT_FALSE(busiest_.channel->followed);
    EXPECT_EQ(busiest_.looks, before + 1) << "it came before its sender knew";
    for (int names = 0; names < 9; ++names) arrive_named();
    EXPECT_FALSE(busiest_.channel->followed) << "no thread polls all the time";
}

TEST_F(CrowdTest, NudgesPeersThatAnswerNothingForLong) {
    proves("ND2-CQ-GET-06");
    fill(kFew + 1);
    for (int polls = 0; polls < 3 * 8192; ++polls) poll();
    EXPECT_GE(source_->nudges, 1);
    EXPECT_LE(source_->nudges, 100);
}

TEST_F(CrowdTest, LooksInTurnWhereAWireNamesNothing) {
    proves("IW-PERF-16");
    fill(kFew + 10);
    Member& silent = add_unnamed();
    for (int polls = 0; polls < 10; ++polls) poll();
    EXPECT_GT(silent.looks, 0);
    EXPECT_EQ(looks(), silent.looks);
}

TEST_F(CrowdTest, FindsTheOneArrivalOfManyThatAreNotNamedInOnePoll) {
    proves("IW-PERF-16", "ND2-CQ-GET-06");
    constexpr std::size_t kUnnamed = 40;
    fill(kFew + 1);
    for (std::size_t i = 0; i < kUnnamed; ++i) add_unnamed().channel->show_arrivals();
    Member& late = *members_[members_.size() - 10];
    late.channel->arrive();
    poll();
    EXPECT_EQ(late.looks, 1);
    EXPECT_EQ(looks(), 1);
}

// Each poll looks at a queue pair with requests on their way.
TEST_F(CrowdTest, LooksAtNoneThatHasLeftItsTurns) {
    proves("ND2-CQ-GET-05");
    fill(kFew + 1);
    Member &busy = add_unnamed(), &left = add_unnamed();
    busy.channel->on_start = [] { return StartResult{Start::in_flight, Status::success, Ticket{1}}; };
    ASSERT_EQ(busy.queue_pair->post({Operation::send, RequestFlags::none, nullptr, {}}), Status::success);
    left.queue_pair->close();
    int told = 0;
    left.channel->on_attention = [&told](Attention) { ++told; };
    const int before = busy.looks;
    for (int polls = 0; polls < 5; ++polls) poll();
    EXPECT_GE(busy.looks, before + 5);
    EXPECT_EQ(told, 0);
    left.queue_pair = nullptr;
}

TEST_F(CrowdTest, InTurnsTellsWhetherAPollerWasReliedOn) {
    proves("ND2-CQ-NTF-08");
    TakingTurns turns;
    turns.add(*queue_pair_);
    channel_->set_attention(Attention::polling);
    EXPECT_TRUE(turns.ask_to_be_woken()) << "a heavy barrier is due";
    EXPECT_EQ(channel_->attention(), Attention::asleep);
    EXPECT_FALSE(turns.ask_to_be_woken());
}

TEST_F(CrowdTest, HasPlacesForThoseThatItHas) {
    proves("IW-PERF-16");
    fill(kFew + 2);
    const Place place = members_.back()->channel->place.value();
    for (int times = 0; times < 3; ++times) {
        members_.back()->queue_pair->close();
        members_.pop_back();
        EXPECT_EQ(add().channel->place, place);
    }
}

TEST_F(CrowdTest, NudgesPeersThoughASourceNamesNobody) {
    proves("ND2-CQ-GET-06");
    fill(kFew + 2);
    const Place nobody = members_.back()->channel->place.value();
    members_.back()->queue_pair->close();
    members_.pop_back();
    for (int polls = 0; polls < 3 * 8192; ++polls) {
        source_->named = {nobody};
        poll();
    }
    EXPECT_GE(source_->nudges, 1);
}

TEST_F(CrowdTest, FailsAsAWholeWhenItsQueueHasOverrun) {
    proves("ND2-CQ-OVR-01");
    fill(kFew + 1);
    ResultRing& results = static_cast<SoftCompletionQueue&>(*completions_).results();
    {
        const Held lock(results.lock());
        ASSERT_TRUE(results.lose_result());
    }
    completions_->arm(NotifyKind::any);
    EXPECT_EQ(queue_pair_->state(), QueuePairState::error);
    for (const auto& member : members_) EXPECT_EQ(member->queue_pair->state(), QueuePairState::error);
}

// The fixture's queue pair is in memory and makes none of them costly.
TEST_F(CrowdTest, BeginsWithTheThirdAtWhichALookIsASystemCall) {
    proves("IW-PERF-16");
    const ChannelFacts socket{.over_socket = true};
    Member &first = add(socket), &second = add(socket);
    poll();
    EXPECT_EQ(looks(), 3);
    EXPECT_FALSE(first.channel->place.has_value());
    Member& third = add(socket);
    for (Member* const each : {&first, &second, &third}) EXPECT_TRUE(each->channel->place.has_value());
    for (int polls = 0; polls < 100; ++polls) poll();
    EXPECT_EQ(looks(), 3) << "no source named one";
    source_->named = {second.channel->place.value()};
    poll();
    EXPECT_EQ(second.looks, 2);
    EXPECT_EQ(looks(), 4);
}

TEST_F(CrowdTest, IsNoneAnyMoreWhenALookIsASystemCallAtOneAlone) {
    proves("IW-PERF-16");
    for (int i = 0; i < 3; ++i) add({.over_socket = true});
    for (const bool ends : {false, true}) {
        members_.back()->queue_pair->close();
        members_.pop_back();
        EXPECT_EQ(source_->closed, ends);
    }
    poll();
    EXPECT_EQ(looks(), 2);
}

TEST_F(CrowdTest, IsNoneAnyMoreWhenFewAreLeft) {
    proves("IW-PERF-16");
    fill(kFew + 1);
    while (members_.size() > 3) {
        members_.back()->queue_pair->close();
        members_.pop_back();
    }
    EXPECT_TRUE(source_->closed);
    poll();
    EXPECT_EQ(looks(), 4);
}

}  // namespace
}  // namespace opennd::soft
