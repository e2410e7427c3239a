// SPDX-License-Identifier: MIT
// A crowd's connections of one link, with the test as their peer: which places are named, who is woken, and names that are none.
#include "transport/local/link/link_source.h"

#include <functional>
#include <vector>

#include "link_fixture.h"
#include "support/requirement.h"

namespace opennd::local {
namespace {

using soft::Asking;
using soft::Place;
using support::proves;
using Attention = soft::Attention;

// Of a completion queue that the test is.
class TestCrowd final : public soft::Crowd {
public:
    soft::ReadySource* find(const void* wire) const override { return wire == wire_ ? source_.get() : nullptr; }
    void add(const void* wire, Ref<soft::ReadySource> source) override {
        wire_ = wire;
        source_ = std::move(source);
        source_->set_attention(Attention::asleep);
    }
    void remove(const void*) override {
        source_->close();
        source_ = nullptr;
    }
    void serve() override { ++serves; }
    void take_over() override { ++take_overs; }
    std::uint32_t polls() const override {
        const std::uint32_t before = looks++;
        return goes_on ? before : 0;
    }

    std::atomic<int> serves{0}, take_overs{0};
    std::atomic<bool> goes_on{false};
    mutable std::atomic<std::uint32_t> looks{0};

private:
    const void* wire_ = nullptr;
    Ref<soft::ReadySource> source_;
};

class LinkSourceTest : public LinkFixture {
protected:
    static constexpr std::uint32_t kPlaces = 64;

    LinkSourceTest() { ready_.reserve(kPlaces); }
    ~LinkSourceTest() override {
        for (const auto& [line, crowd] : joined_) line->leave(*crowd, *line->source_in(*crowd));
    }

    LinkSource* join(LinkEnd& line, const Ref<TestCrowd>& crowd, std::uint32_t place, bool asymmetric = true) {
        LinkSource* const source = line.join(*crowd, Place(place), asymmetric);
        if (source) joined_.emplace_back(&line, crowd);
        return source;
    }
    std::vector<std::uint32_t> collect(LinkSource& source, Asking asking = Asking::in_passing) {
        source.collect(ready_, asking);
        std::vector<std::uint32_t> places;
        while (!ready_.empty()) places.push_back(static_cast<std::uint32_t>(ready_.take()));
        return places;
    }
    // Of this side, as the peer has them.
    Names& names() { return arena_->names(0); }
    void name(std::uint32_t number, std::uint32_t position, std::uint32_t crowd = 0) {
        names().rings[crowd].names[position % kConnections].store(Names::name(number, position));
    }
    Attention attention(std::uint32_t crowd = 0) {
        return static_cast<Attention>(names().crowds[crowd].attention.load());
    }
    // Within ten seconds.
    bool comes_true(const std::function<bool()>& condition) {
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
        while (!condition() && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
        return condition();
    }
    void wake() {
        ASSERT_EQ(socket_.send(kWakeUp), Status::success);
        settle();
    }

    soft::ReadyList ready_;
    std::vector<std::pair<LinkEnd*, Ref<TestCrowd>>> joined_;
    Ref<TestCrowd> crowd_ = make_ref<TestCrowd>();
};

using Places = std::vector<std::uint32_t>;

TEST_F(LinkSourceTest, NamesThePlacesOfConnections) {
    proves("IW-PERF-16");
    join_second();
    LinkSource& source = *join(*first_.link_end, crowd_, 11);
    EXPECT_EQ(join(*second_.link_end, crowd_, 12), &source);
    EXPECT_EQ(collect(source), (Places{11, 12})) << "what came before";
    EXPECT_EQ(collect(source), Places{});
    name(2, 0);
    name(0, 1);
    EXPECT_EQ(collect(source), (Places{12, 11}));
    EXPECT_EQ(names().crowds[0].taken.load(), 2u);
    EXPECT_EQ(collect(source), Places{});
}

TEST_F(LinkSourceTest, TakesNoHarmFromNamesThatAreNone) {
    proves("IW-PERF-16", "ND2-OVL-24");
    LinkSource& source = *join(*first_.link_end, crowd_, 11);
    (void)collect(source);
    std::uint32_t position = 0;
    for (const std::uint32_t number : {2u, 4095u, 4096u, 77'777u, UINT32_MAX}) name(number, position++);
    name(0, position + 1);  // not the next
    EXPECT_EQ(collect(source, Asking::thoroughly), Places{});
    name(0, position);
    EXPECT_EQ(collect(source, Asking::thoroughly), Places{11});
}

TEST_F(LinkSourceTest, TakesAFewNamesInOnePoll) {
    proves("ND2-OVL-24");
    LinkSource& source = *join(*first_.link_end, crowd_, 11);
    for (std::uint32_t position = 0; position < kConnections; ++position) name(0, position);
    source.collect(ready_, Asking::in_passing);
    const std::uint64_t of_one_poll = source.taken();
    EXPECT_LE(of_one_poll, 64u);
    source.collect(ready_, Asking::thoroughly);
    EXPECT_EQ(source.taken(), kConnections);
}

TEST_F(LinkSourceTest, TellsThePeerOfItsPollersOnce) {
    proves("ND2-CQ-NTF-08");
    LinkSource& source = *join(*first_.link_end, crowd_, 11);
    EXPECT_EQ(attention(), Attention::asleep);
    for (const Attention each : {Attention::awake, Attention::polling, Attention::asleep}) {
        source.set_attention(each);
        EXPECT_EQ(attention(), each);
        EXPECT_EQ(source.attention(), each);
    }
    names().crowds[0].attention.store(0);
    EXPECT_EQ(source.attention(), Attention::asleep) << "the peer's word counts";
}

TEST_F(LinkSourceTest, TrustsNoBarrierThatOneSideLacks) {
    proves("ND2-CQ-NTF-08");
    join_second();
    LinkSource& source = *join(*first_.link_end, crowd_, 11);
    source.set_attention(Attention::polling);
    (void)join(*second_.link_end, crowd_, 12, false);
    EXPECT_EQ(attention(), Attention::awake);
    source.set_attention(Attention::polling);
    EXPECT_EQ(attention(), Attention::awake);
}

TEST_F(LinkSourceTest, HasItsCrowdServedWhenItWasRung) {
    proves("ND2-CQ-NTF-08", "ND2-OVL-24");
    (void)join(*first_.link_end, crowd_, 11);
    wake();
    EXPECT_EQ(crowd_->serves, 0) << "the packet was for another";
    names().crowds[0].attention.store(kAsleepRung);
    wake();
    EXPECT_EQ(crowd_->serves, 1);
    EXPECT_EQ(attention(), Attention::asleep) << "the next one rings again";
    EXPECT_EQ(first_.user->wake_ups, 0);
}

TEST_F(LinkSourceTest, HasItsPollersFollowedAfterANudge) {
    proves("ND2-OVL-24");
    join_second();
    LinkSource& source = *join(*first_.link_end, crowd_, 11);
    source.set_attention(Attention::polling);
    second_.link_end->count_polled(true);
    EXPECT_EQ(names().polled.load(), 1u);
    names().nudged.store(1);
    wake();
    EXPECT_EQ(second_.user->wake_ups, 1) << "it is polled outside crowds";
    EXPECT_EQ(first_.user->wake_ups, 0);
    EXPECT_TRUE(comes_true([&] { return crowd_->take_overs == 1; }));
    source.set_attention(Attention::asleep);
    names().nudged.store(1);
    wake();
    second_.link_end->count_polled(false);
    EXPECT_EQ(names().polled.load(), 0u);
}

TEST_F(LinkSourceTest, LeavesPollersAloneThatGoOn) {
    proves("ND2-OVL-24");
    LinkSource& source = *join(*first_.link_end, crowd_, 11);
    source.set_attention(Attention::polling);
    crowd_->goes_on = true;
    names().nudged.store(1);
    wake();
    EXPECT_TRUE(comes_true([&] { return crowd_->looks >= 2; }));
    on_loop([] {});
    EXPECT_EQ(crowd_->take_overs, 0);
}

TEST_F(LinkSourceTest, NudgesAPeerThatMayHaveStopped) {
    proves("ND2-OVL-24");
    LinkSource& source = *join(*first_.link_end, crowd_, 11);
    for (Names::Crowd& crowd : arena_->names(1).crowds)
        crowd.attention.store(static_cast<std::uint32_t>(Attention::asleep));
    source.nudge();
    EXPECT_EQ(receive(socket_).status(), Status::would_block) << "it sleeps, and was rung";
    arena_->names(1).crowds[3].attention.store(static_cast<std::uint32_t>(Attention::polling));
    source.nudge();
    expect(ControlType::wake_up, 0);
    EXPECT_EQ(arena_->names(1).nudged.load(), 1u);
}

TEST_F(LinkSourceTest, NamesAndRingsForAConnection) {
    proves("ND2-CQ-NTF-08");
    Names& theirs = arena_->names(1);
    theirs.crowds[2].attention.store(static_cast<std::uint32_t>(Attention::asleep));
    first_.link_end->name(1u << 1 | 1u << 2);
    expect(ControlType::wake_up, 0);
    EXPECT_EQ(receive(socket_).status(), Status::would_block) << "the other one polls";
    EXPECT_TRUE(Names::is_at(theirs.rings[1].names[0].load(), 0));
    EXPECT_TRUE(Names::is_at(theirs.rings[2].names[0].load(), 0));
    EXPECT_FALSE(Names::is_at(theirs.rings[0].names[0].load(), 0));
}

TEST_F(LinkSourceTest, HasOneForEachOfAFewCrowds) {
    proves("IW-PERF-16");
    std::vector<Ref<TestCrowd>> crowds;
    for (std::uint32_t i = 0; i < kCrowds; ++i) {
        crowds.push_back(make_ref<TestCrowd>());
        LinkSource* const source = join(*first_.link_end, crowds.back(), i);
        ASSERT_TRUE(source);
        EXPECT_EQ(source->bit(), 1u << i);
    }
    EXPECT_FALSE(join(*first_.link_end, crowd_, 11)) << "the further one takes turns";
    const auto [line, second] = joined_[1];
    joined_.erase(joined_.begin() + 1);
    line->leave(*second, *line->source_in(*second));
    LinkSource* const source = join(*first_.link_end, crowd_, 11);
    ASSERT_TRUE(source);
    EXPECT_EQ(source->bit(), 1u << 1);
}

// The peer goes on where it was.
TEST_F(LinkSourceTest, GoesOnWithTheNamesOfAnEarlierCrowd) {
    proves("IW-PERF-16");
    LinkSource& earlier = *join(*first_.link_end, crowd_, 11);
    name(0, 0);
    (void)collect(earlier);
    joined_.clear();
    first_.link_end->leave(*crowd_, earlier);
    EXPECT_FALSE(first_.link_end->source_in(*crowd_));
    LinkSource& later = *join(*first_.link_end, crowd_, 12);
    (void)collect(later);
    name(0, 1);
    EXPECT_EQ(collect(later), Places{12});
}

}  // namespace
}  // namespace opennd::local
