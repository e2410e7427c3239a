// SPDX-License-Identifier: MIT
//
// A program that polls all the time may stop, and says nothing. The requests of its peer complete all the same: as on hardware, a
// message needs a posted receive, and no call of the program that posted it. Requirements ND2-QP-SEND-02, ND2-QP-RDMA-04, ND2-OVL-24.
#include "conformance/vocabulary/fixture.h"

namespace opennd::conformance {
namespace {

class StoppedPoller : public ConformanceTest {
protected:
    // More than any peer needs to rely on the poller.
    static void poll_for_a_while(Endpoint& side) {
        for (int polls = 0; polls < 1000; ++polls) {
            EXPECT_TRUE(side.received->poll(1).empty());
            EXPECT_TRUE(side.initiated->poll(1).empty());
        }
    }
    // Over iWARP the answer that completes a's requests comes behind that message, in one stream (docs/decisions/0012).
    static const char* answers_wait_behind_messages() {
        return std::string_view(GetParam().transport) == "iwarp" ? "the answer comes behind the message that waits"
                                                                 : nullptr;
    }
    // b has sent a message for which a has no receive.
    static void let_a_message_wait_at_a(ConnectedPair& pair) {
        provokes("CHECK-NO-RECEIVE");
        ASSERT_EQ(pair.b.send(9, 0, 8), Outcome::success);
        EXPECT_TRUE(pair.a.received->poll(1).empty());
    }
};

TEST_P(StoppedPoller, TakesMessagesOfASenderThatPolls) {
    proves("ND2-QP-SEND-02", "ND2-OVL-24");
    ConnectedPair pair(driver());
    ASSERT_EQ(pair.b.receive(1, 0, 8), Outcome::success);
    poll_for_a_while(pair.b);
    ASSERT_EQ(pair.a.send(2, 0, 8), Outcome::success);
    EXPECT_TRUE(reports(*pair.a.initiated, RequestKind::send, 2, Outcome::success));
}

TEST_P(StoppedPoller, TakesMessagesOfASenderThatSleeps) {
    proves("ND2-QP-SEND-02", "ND2-CQ-NTF-08");
    ConnectedPair pair(driver());
    ASSERT_EQ(pair.b.receive(1, 0, 8), Outcome::success);
    poll_for_a_while(pair.b);
    ASSERT_EQ(pair.a.send(2, 0, 8), Outcome::success);
    EXPECT_EQ(pair.a.initiated->notify(NotifyType::any).wait(), Outcome::success);
}

// The notification comes before the poller, so that it tells the poller's side nothing.
TEST_P(StoppedPoller, TakesMessagesThatAreSentAfterTheNotification) {
    proves("ND2-QP-SEND-02", "ND2-CQ-NTF-02");
    ConnectedPair pair(driver());
    for (Tag tag = 0; tag < 3; ++tag) {
        ASSERT_EQ(pair.b.receive(tag, 0, 8), Outcome::success);
        const Operation any = pair.a.initiated->notify(NotifyType::any);
        poll_for_a_while(pair.b);
        ASSERT_EQ(pair.a.send(tag, 0, 8), Outcome::success);
        ASSERT_EQ(any.wait(), Outcome::success) << "message " << tag;
        ASSERT_TRUE(reports(*pair.a.initiated, RequestKind::send, tag, Outcome::success));
        ASSERT_TRUE(reports_received(*pair.b.received, tag, 8));
    }
}

TEST_P(StoppedPoller, TakesMessagesOfAPollerWhoseOwnReceivesAreMissing) {
    if (const char* const why = answers_wait_behind_messages()) GTEST_SKIP() << why;
    proves("ND2-QP-SEND-02", "ND2-OVL-24");
    ConnectedPair pair(driver());
    ASSERT_EQ(pair.b.receive(1, 0, 8), Outcome::success);
    let_a_message_wait_at_a(pair);
    poll_for_a_while(pair.b);
    ASSERT_EQ(pair.a.send(2, 0, 8), Outcome::success);
    EXPECT_TRUE(reports(*pair.a.initiated, RequestKind::send, 2, Outcome::success));
}

TEST_P(StoppedPoller, TakesMessagesOfASleeperWhoseOwnReceivesAreMissing) {
    if (const char* const why = answers_wait_behind_messages()) GTEST_SKIP() << why;
    proves("ND2-QP-SEND-02", "ND2-CQ-NTF-08");
    ConnectedPair pair(driver());
    ASSERT_EQ(pair.b.receive(1, 0, 8), Outcome::success);
    let_a_message_wait_at_a(pair);
    const Operation any = pair.a.initiated->notify(NotifyType::any);
    poll_for_a_while(pair.b);
    ASSERT_EQ(pair.a.send(2, 0, 8), Outcome::success);
    EXPECT_EQ(any.wait(), Outcome::success);
}

// The Write waits for the message before it (ND2-QP-POST-11).
TEST_P(StoppedPoller, LetsAWriteBehindAMessageGoOn) {
    if (const char* const why = answers_wait_behind_messages()) GTEST_SKIP() << why;
    proves("ND2-QP-POST-11", "ND2-OVL-24");
    ConnectedPair pair(driver());
    ASSERT_EQ(pair.b.receive(1, 0, 8), Outcome::success);
    let_a_message_wait_at_a(pair);
    poll_for_a_while(pair.b);
    ASSERT_EQ(pair.a.send(2, 0, 8), Outcome::success);
    ASSERT_EQ(pair.a.write(3, 0, 8, pair.b.remote(64)), Outcome::success);
    EXPECT_TRUE(reports(*pair.a.initiated, RequestKind::send, 2, Outcome::success));
    EXPECT_TRUE(reports(*pair.a.initiated, RequestKind::write, 3, Outcome::success));
}

INSTANTIATE_TEST_SUITE_P(, StoppedPoller, testing::ValuesIn(every_variant()), variant_name);

}  // namespace
}  // namespace opennd::conformance
