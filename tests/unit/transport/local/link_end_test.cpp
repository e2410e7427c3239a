// SPDX-License-Identifier: MIT
// A request on a socket, which may become a link of which this side is the taker; and what is left in a link's socket and memory.
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "support/requirement.h"
#include "transport/local/link/dial.h"
#include "unit/transport/local/link_fixture.h"

namespace opennd::local {
namespace {

class LeftUser final : public LinkUser {
public:
    std::optional<Status> left;
    std::optional<ControlType> answer;
    Ref<LinkEnd> joined;

private:
    void on_joined(const Ref<LinkEnd>& link_end) override { joined = link_end; }
    void on_record(ReceivedControl& record) override { answer = record.message.type; }
    void on_wake_up() override {}
    void on_left(Status why) override { left = why; }
};

// The test is the process that was asked.
class DialTest : public LinkFixture {
protected:
    DialTest() {
        leave(first_);
        auto ends = LocalSocket::pair().take();
        socket_ = std::move(ends.second);
        dial_ = make_ref<Dial>(loop_, links_, *adapter_, std::move(ends.first), Ref<LinkUser>(user_));
        EXPECT_EQ(on_loop([&] { return dial_->ask({}); }), Status::success);
        const auto request = hear();
        EXPECT_TRUE(request && request->message.type == ControlType::request);
        if (request) nonce_ = request->message.nonce;
    }
    ~DialTest() override {
        if (user_->joined) user_->joined->leave();
        user_->joined = nullptr;
    }

    // Answers by making a link.
    void make_link_of_test(std::uint64_t open) {
        arena_ = Arena::create().take();
        ControlMessage message;
        message.type = ControlType::link;
        message.nonce = nonce_;
        message.open = open;
        ASSERT_EQ(send(socket_, message, std::array{arena_->descriptor(), tokens_.memory().descriptor()}),
                  Status::success);
        settle();
        ASSERT_TRUE(user_->joined);
    }

    const Ref<LeftUser> user_ = make_ref<LeftUser>();
    Ref<Dial> dial_;
    std::uint64_t nonce_ = 0;
};

// The connector keeps its request a moment longer.
TEST_F(DialTest, HangsUpWithItsAnswer) {
    say(ControlType::busy, 0, nonce_);
    EXPECT_EQ(user_->answer, ControlType::busy);
    EXPECT_FALSE(hear());
}

TEST_F(DialTest, EndsWithARecordThatIsNoAnswer) {
    support::proves("ND2-CON-CONN-05");
    say(ControlType::ready, 0, nonce_);
    EXPECT_EQ(user_->left, Status::disconnected);
    EXPECT_FALSE(user_->answer);
}

// The maker's numbers are even.
TEST_F(DialTest, GivesOddNumbersToTheConnectionsThatItMakesOnTheLink) {
    constexpr std::uint64_t kOpen = 6;
    make_link_of_test(kOpen);
    const Ref<Link> link = links_->find({adapter_.get(), ::getpid(), kOpen});
    ASSERT_TRUE(link);
    End ends[2];
    for (const std::uint32_t at : {0u, 1u}) {
        ends[at].link_end = on_loop([&] { return link->join(Ref<LinkUser>(ends[at].user), 2).value(); });
        expect(ControlType::join, 2 * at + 1);
    }
    say(ControlType::ready, 3);
    EXPECT_EQ(ends[1].user->records, std::vector{ControlType::ready});
    for (End& end : ends) leave(end);
}

using LinkEndTest = LinkFixture;

TEST_F(LinkEndTest, HasPacketsWhileOneLiesInTheSocket) {
    ControlMessage message;
    message.type = ControlType::ready;
    on_loop([&] {
        EXPECT_FALSE(first_.link_end->has_packets());
        EXPECT_EQ(send(socket_, message), Status::success);
        EXPECT_TRUE(first_.link_end->has_packets());
        first_.link_end->look();
        EXPECT_FALSE(first_.link_end->has_packets());
    });
    EXPECT_EQ(first_.user->records, std::vector{ControlType::ready});
}

std::vector<std::atomic<std::uint32_t>*> words_of(Segment& segment) {
    std::vector<std::atomic<std::uint32_t>*> all;
    for (Lane& lane : segment.lanes)
        for (std::atomic<std::uint32_t>* const word :
             {&lane.counters.consumed, &lane.counters.refused, &lane.counters.refusal, &lane.wishes.attention,
              &lane.wishes.closed, &lane.wishes.receives_closed, &lane.access.token, &lane.access.fetching,
              &lane.access.taking, &lane.access.placing})
            all.push_back(word);
    return all;
}

// A number that both sides have released begins as a new one.
TEST_F(LinkEndTest, FindsNothingOfAnEarlierConnectionInItsSegment) {
    join_second();
    for (std::atomic<std::uint32_t>* const word : words_of(arena_->segment(2))) word->store(5);
    leave(second_);
    expect(ControlType::leave, 2);
    say_released(2);
    join_second();
    for (const std::atomic<std::uint32_t>* const word : words_of(arena_->segment(2))) EXPECT_EQ(word->load(), 0u);
}

}  // namespace
}  // namespace opennd::local
