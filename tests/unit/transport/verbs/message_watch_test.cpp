// SPDX-License-Identifier: MIT
// The time that a message may wait for a receive, as the looks of one queue pair. The time is the test's.
#include "transport/verbs/queue/message_watch.h"

#include <gtest/gtest.h>

#include "support/requirement.h"

namespace opennd::verbs {
namespace {

using std::chrono::milliseconds;
using support::proves;
using Step = MessageWatch::Step;

class MessageWatchTest : public testing::Test {
protected:
    static constexpr MessageLimit kLimit{milliseconds{1000}, milliseconds{2147}};

    MessageWatchTest() { watch_.begin(kLimit, 7, at(0)); }

    static SteadyTime at(int ms) { return SteadyTime{} + milliseconds(ms); }
    Step look(int ms, const SendProgress& seen) { return watch_.look(seen, at(ms)); }

    static constexpr SendProgress kStands{
        .retired = 7, .outstanding = true, .will_tell = true, .has_message = true, .bytes = 100};
    MessageWatch watch_;
};

TEST_F(MessageWatchTest, RestsOnceNothingIsOutstanding) { EXPECT_EQ(look(250, {.retired = 8}), Step::rest); }

TEST_F(MessageWatchTest, ExpiresOnceThePeersHostHasAnsweredAndLostPacketsWereRepeated) {
    proves("ND2-QP-SEND-05");
    EXPECT_EQ(look(240, kStands), Step::look);
    EXPECT_EQ(look(250, kStands), Step::ask_peer);
    watch_.answered(at(260));
    EXPECT_EQ(look(1000, kStands), Step::look);
    EXPECT_EQ(look(2500, kStands), Step::look);
    EXPECT_EQ(look(2750, kStands), Step::expire);
}

TEST_F(MessageWatchTest, ExpiresAtTheLimitWhereTheHardwareRepeatsSooner) {
    watch_.begin({milliseconds{1000}, milliseconds{268}}, 7, at(0));
    EXPECT_EQ(look(500, kStands), Step::ask_peer);
    watch_.answered(at(501));
    EXPECT_EQ(look(999, kStands), Step::look);
    EXPECT_EQ(look(1000, kStands), Step::expire);
}

// A switch that fails over: the hardware has its own limit, which is longer.
TEST_F(MessageWatchTest, WaitsAsLongAsThePeersHostDoesNotAnswer) {
    EXPECT_EQ(look(500, kStands), Step::ask_peer);
    for (int ms = 750; ms < 60'000; ms += 250) ASSERT_EQ(look(ms, kStands), Step::look);
    watch_.answered(at(60'000));
    EXPECT_EQ(look(60'250, kStands), Step::look) << "the message is repeated first";
    EXPECT_EQ(look(62'500, kStands), Step::expire);
}

TEST_F(MessageWatchTest, BeginsAnewWhenARequestHasCompleted) {
    EXPECT_EQ(look(500, kStands), Step::ask_peer);
    watch_.answered(at(510));
    SendProgress next = kStands;
    next.retired = 8;
    EXPECT_EQ(look(3500, next), Step::look);
    EXPECT_EQ(look(3750, next), Step::ask_peer);
    EXPECT_EQ(look(60'000, next), Step::look) << "the answer was to an earlier question";
}

TEST_F(MessageWatchTest, GivesALongMessageTheTimeThatItTakes) {
    SendProgress longer = kStands;
    longer.bytes = 1u << 30;
    EXPECT_EQ(look(100'000, longer), Step::look);
    EXPECT_EQ(look(128'250, longer), Step::ask_peer);
}

// They need no receive: the hardware has its own limit for them.
TEST_F(MessageWatchTest, LeavesReadsAndWritesToTheHardware) {
    SendProgress reads = kStands;
    reads.has_message = false;
    EXPECT_EQ(look(100'000, reads), Step::look);
}

TEST_F(MessageWatchTest, AsksForAResultWhereNoneWouldTellOfTheOldestRequest) {
    SendProgress silent = kStands;
    silent.will_tell = false;
    EXPECT_EQ(look(100, silent), Step::look);
    EXPECT_EQ(look(250, silent), Step::ask_tell);
    EXPECT_EQ(look(500, kStands), Step::ask_peer);
}

}  // namespace
}  // namespace opennd::verbs
