// SPDX-License-Identifier: MIT
//
// Notify: the events that complete a notification, and those that do not. Tests look for a forbidden notification only
// after they have retrieved the result that must not cause it. Requirements ND2-CQ-NTF-*.
#include <thread>
#include <vector>

#include "conformance/vocabulary/fixture.h"
#include "conformance/vocabulary/sizes.h"
#include "support/tested_device.h"

namespace opennd::conformance {
namespace {

class Notify : public ConformanceTest {
protected:
    // One message from a to b with these flags, its receive result retrieved at b.
    static void deliver(ConnectedPair& pair, unsigned flags) {
        ASSERT_EQ(pair.b.receive(1), Outcome::success);
        ASSERT_EQ(pair.a.send(2, 0, 0, flags), Outcome::success);
        ASSERT_TRUE(reports_received(*pair.b.received, 1, 0));
        ASSERT_TRUE(reports(*pair.a.initiated, RequestKind::send, 2, Outcome::success));
    }
};

TEST_P(Notify, AnyCompletesForALaterResult) {
    proves("ND2-CQ-NTF-02", "ND2-CQ-NTF-03", "ND2-OVL-24");
    ConnectedPair pair(driver());
    ASSERT_EQ(pair.b.receive(1), Outcome::success);
    const Operation any = pair.b.received->notify(NotifyType::any);
    EXPECT_EQ(any.now(), Outcome::pending);
    ASSERT_EQ(pair.a.send(2), Outcome::success);
    EXPECT_EQ(any.wait(), Outcome::success);
    EXPECT_EQ(pair.b.received->poll(1).size(), 1u) << "the result is there when the notification is (ND2-OVL-07)";
}

TEST_P(Notify, AnyCompletesAtOnceForAResultNotRetrieved) {
    proves("ND2-CQ-NTF-02", "ND2-AMB-12", "ND2-CLI-113");
    Endpoint end(driver(), {});
    for (Tag tag = 0; tag < 3; ++tag) ASSERT_EQ(end.receive(tag), Outcome::success);
    ASSERT_EQ(end.queue_pair->flush(), Outcome::success);
    for (Tag tag = 0; tag < 3; ++tag) {
        ASSERT_EQ(end.received->notify(NotifyType::any).wait(), Outcome::success) << "results left: " << 3 - tag;
        ASSERT_EQ(end.received->poll(1).size(), 1u);
    }
    const Operation empty = end.received->notify(NotifyType::any);
    EXPECT_EQ(empty.now(), Outcome::pending) << "the queue is empty";
}

TEST_P(Notify, AnyCompletesForInitiatorResultsToo) {
    proves("ND2-CQ-NTF-03");
    ConnectedPair pair(driver());
    const Operation any = pair.a.initiated->notify(NotifyType::any);
    ASSERT_EQ(pair.a.write(1, 0, 8, pair.b.remote()), Outcome::success);
    EXPECT_EQ(any.wait(), Outcome::success);
}

// Over iWARP no Read can then tell that a message was placed.
TEST_P(Notify, AnyCompletesForInitiatorResultsOfAConnectionWithoutReads) {
    proves("ND2-CQ-NTF-02", "ND2-CQ-NTF-08");
    const ReadLimits none{.inbound = 0, .outbound = 0};
    ConnectedPair pair(driver(), {}, {}, none);
    for (Tag tag = 0; tag < 8; ++tag) {
        ASSERT_EQ(pair.b.receive(tag), Outcome::success);
        const Operation any = pair.a.initiated->notify(NotifyType::any);
        const bool write = tag % 2 != 0;
        ASSERT_EQ(write ? pair.a.write(tag, 0, 8, pair.b.remote()) : pair.a.send(tag), Outcome::success);
        ASSERT_EQ(any.wait(), Outcome::success) << "request " << tag;
        ASSERT_EQ(pair.a.initiated->poll(1).size(), 1u);
    }
}

TEST_P(Notify, AnyCompletesForAnErrorResult) {
    proves("ND2-CQ-NTF-03", "ND2-AMB-13");
    Endpoint end(driver(), {});
    const Operation any = end.received->notify(NotifyType::any);
    ASSERT_EQ(end.receive(1), Outcome::success);
    ASSERT_EQ(end.queue_pair->flush(), Outcome::success);
    EXPECT_EQ(any.wait(), Outcome::success);
}

TEST_P(Notify, SolicitedIgnoresAnUnsolicitedMessage) {
    if (const char* const why = support::lacks(support::Ability::solicited_events)) GTEST_SKIP() << why;
    proves("ND2-CQ-NTF-03", "ND2-QP-SEND-03");
    ConnectedPair pair(driver());
    const Operation solicited = pair.b.received->notify(NotifyType::solicited);
    deliver(pair, kNoFlags);
    EXPECT_EQ(solicited.now(), Outcome::pending);
    deliver(pair, kSolicit);
    EXPECT_EQ(solicited.wait(), Outcome::success) << "and was armed all the while";
}

TEST_P(Notify, SolicitedCompletesAtOnceForASolicitedResultNotRetrieved) {
    proves("ND2-CQ-NTF-02");
    ConnectedPair pair(driver());
    ASSERT_EQ(pair.b.receive(1), Outcome::success);
    ASSERT_EQ(pair.a.send(2, 0, 0, kSolicit), Outcome::success);
    ASSERT_EQ(pair.b.received->notify(NotifyType::any).wait(), Outcome::success);
    EXPECT_EQ(pair.b.received->notify(NotifyType::solicited).wait(), Outcome::success);
}

TEST_P(Notify, SolicitedPendsWhileOnlyUnsolicitedResultsWait) {
    if (const char* const why = support::lacks(support::Ability::tells_solicited)) GTEST_SKIP() << why;
    proves("ND2-CQ-NTF-02", "ND2-CQ-NTF-03");
    ConnectedPair pair(driver());
    ASSERT_EQ(pair.b.receive(1), Outcome::success);
    ASSERT_EQ(pair.a.send(2), Outcome::success);
    ASSERT_EQ(pair.b.received->notify(NotifyType::any).wait(), Outcome::success);
    EXPECT_EQ(pair.b.received->notify(NotifyType::solicited).now(), Outcome::pending);
}

TEST_P(Notify, SolicitedPendsOnceTheSolicitedResultsWereRetrieved) {
    if (const char* const why = support::lacks(support::Ability::solicited_events)) GTEST_SKIP() << why;
    proves("ND2-CQ-NTF-02", "ND2-CQ-NTF-03");
    ConnectedPair pair(driver());
    for (int round = 0; round < 3; ++round) {
        ASSERT_EQ(pair.b.receive(1), Outcome::success);
        // While it is armed the result waits in the queue, and goes to no poller at once.
        const Operation any = pair.b.received->notify(NotifyType::any);
        ASSERT_EQ(pair.a.send(2, 0, 0, kSolicit), Outcome::success);
        ASSERT_EQ(any.wait(), Outcome::success);
        ASSERT_EQ(pair.b.received->poll(1).size(), 1u);
        ASSERT_TRUE(reports(*pair.a.initiated, RequestKind::send, 2, Outcome::success));
    }
    const Operation solicited = pair.b.received->notify(NotifyType::solicited);
    EXPECT_EQ(solicited.now(), Outcome::pending) << "there is nothing any more";
    deliver(pair, kNoFlags);
    EXPECT_EQ(solicited.now(), Outcome::pending) << "nor since";
}

TEST_P(Notify, SolicitedCompletesForAnErrorResult) {
    proves("ND2-CQ-NTF-03", "ND2-AMB-14");
    Endpoint end(driver(), {});
    const Operation solicited = end.received->notify(NotifyType::solicited);
    ASSERT_EQ(end.receive(1), Outcome::success);
    ASSERT_EQ(end.queue_pair->flush(), Outcome::success);
    EXPECT_EQ(solicited.wait(), Outcome::success);
}

TEST_P(Notify, SolicitedCompletesForAnInitiatorRequestThatFails) {
    if (const char* const why = support::lacks(support::Ability::tells_refusals)) GTEST_SKIP() << why;
    proves("ND2-CQ-NTF-03", "ND2-AMB-14");
    ConnectedPair pair(driver());
    const Operation solicited = pair.a.initiated->notify(NotifyType::solicited);
    ASSERT_EQ(pair.a.write(1, 0, 8, {pair.b.remote().address, 0}), Outcome::success);
    EXPECT_EQ(solicited.wait(), Outcome::success);
    EXPECT_TRUE(reports(*pair.a.initiated, RequestKind::write, 1, Outcome::access_violation));
}

TEST_P(Notify, SolicitedOfTheSenderIsNotDisturbedByItsOwnSend) {
    proves("ND2-CQ-NTF-03");
    ConnectedPair pair(driver());
    const Operation solicited = pair.a.initiated->notify(NotifyType::solicited);
    deliver(pair, kSolicit);
    EXPECT_EQ(solicited.now(), Outcome::pending) << "a Send result is no receive result";
}

TEST_P(Notify, ErrorsIgnoresResultsOfEveryStatus) {
    proves("ND2-CQ-NTF-03", "ND2-AMB-14");
    ConnectedPair pair(driver());
    const Operation errors = pair.b.received->notify(NotifyType::errors);
    deliver(pair, kSolicit);
    ASSERT_EQ(pair.b.receive(1), Outcome::success);
    ASSERT_EQ(pair.b.queue_pair->flush(), Outcome::success);
    ASSERT_TRUE(reports(*pair.b.received, RequestKind::receive, 1, Outcome::canceled));
    EXPECT_EQ(errors.now(), Outcome::pending);
}

TEST_P(Notify, AnyDominatesSolicitedAndLeavesErrors) {
    proves("ND2-CQ-NTF-05", "ND2-CQ-NTF-04");
    ConnectedPair pair(driver());
    const Operation errors = pair.b.received->notify(NotifyType::errors);
    const Operation solicited = pair.b.received->notify(NotifyType::solicited);
    const Operation any = pair.b.received->notify(NotifyType::any);
    deliver(pair, kNoFlags);
    EXPECT_EQ(any.wait(), Outcome::success);
    EXPECT_EQ(solicited.wait(), Outcome::success);
    EXPECT_EQ(errors.now(), Outcome::pending);
}

TEST_P(Notify, OneResultCompletesAllOutstandingRequests) {
    proves("ND2-CQ-NTF-04", "ND2-CQ-NTF-06", "ND2-AMB-11");
    ConnectedPair pair(driver());
    std::vector<Operation> outstanding;
    for (int i = 0; i < 10; ++i) outstanding.push_back(pair.b.received->notify(NotifyType::any));
    for (const Operation& any : outstanding) EXPECT_EQ(any.now(), Outcome::pending);
    deliver(pair, kNoFlags);
    for (const Operation& any : outstanding) EXPECT_EQ(any.wait(), Outcome::success);
}

TEST_P(Notify, CancelEndsEveryTypeAndLeavesTheQueueUsable) {
    proves("ND2-OVL-12", "ND2-OVL-14");
    Endpoint end(driver(), {});
    for (int round = 0; round < 1000; ++round) {
        const Operation any = end.received->notify(NotifyType::any);
        const Operation solicited = end.received->notify(NotifyType::solicited);
        const Operation errors = end.received->notify(NotifyType::errors);
        end.received->cancel();
        ASSERT_EQ(any.now(), Outcome::canceled) << "complete when cancel returns; round " << round;
        ASSERT_EQ(solicited.now(), Outcome::canceled);
        ASSERT_EQ(errors.now(), Outcome::canceled);
    }
    const Operation any = end.received->notify(NotifyType::any);
    ASSERT_EQ(end.receive(1), Outcome::success);
    ASSERT_EQ(end.queue_pair->flush(), Outcome::success);
    EXPECT_EQ(any.wait(), Outcome::success);
}

TEST_P(Notify, CancelDisarmsForThoseThatComeLater) {
    if (const char* const why = support::lacks(support::Ability::tells_solicited)) GTEST_SKIP() << why;
    proves("ND2-CQ-NTF-02", "ND2-CQ-NTF-03", "ND2-OVL-12");
    ConnectedPair pair(driver());
    const Operation any = pair.b.received->notify(NotifyType::any);
    pair.b.received->cancel();
    ASSERT_EQ(any.now(), Outcome::canceled);
    const Operation solicited = pair.b.received->notify(NotifyType::solicited);
    deliver(pair, kNoFlags);
    EXPECT_EQ(solicited.now(), Outcome::pending) << "the queue is still armed for the one that was cancelled";
    deliver(pair, kSolicit);
    EXPECT_EQ(solicited.wait(), Outcome::success);
}

TEST_P(Notify, CancelWithNothingPendingSucceeds) {
    proves("ND2-OVL-12");
    Endpoint end(driver(), {});
    end.received->cancel();
    end.connector->cancel();
}

TEST_P(Notify, ReleaseOfTheQueueCancels) {
    proves("ND2-CQ-NTF-07", "ND2-OVL-13", "ND2-COM-10");
    Endpoint end(driver(), {});
    const Operation any = end.received->notify(NotifyType::any);
    const Operation errors = end.received->notify(NotifyType::errors);
    end.received.reset();
    EXPECT_EQ(any.now(), Outcome::canceled) << "complete when Release returns";
    EXPECT_EQ(errors.now(), Outcome::canceled);
}

TEST_P(Notify, LosesNoResultBetweenTheLastPollAndArming) {
    if (const char* const why = support::lacks(support::Ability::late_receives)) GTEST_SKIP() << why;
    provokes("CHECK-NO-RECEIVE");
    proves("ND2-CQ-NTF-08", "ND2-CQ-NTF-09");
    ConnectedPair pair(driver());
    constexpr int kMessages = 2000;
    for (int i = 0; i < 8; ++i) ASSERT_EQ(pair.b.receive(1), Outcome::success);
    std::thread sender([&] {
        for (int sent = 0; sent < kMessages; ++sent) {
            EXPECT_EQ(pair.a.send(2), Outcome::success);
            EXPECT_TRUE(reports(*pair.a.initiated, RequestKind::send, 2, Outcome::success));
        }
    });
    int received = 0;
    Outcome notified = Outcome::success;
    while (received < kMessages && notified == Outcome::success) {
        const auto results = pair.b.received->poll(4);
        for (std::size_t i = 0; i < results.size(); ++i) EXPECT_EQ(pair.b.receive(1), Outcome::success);
        received += static_cast<int>(results.size());
        if (results.empty()) notified = pair.b.received->notify(NotifyType::any).wait();
    }
    if (notified != Outcome::success) {
        EXPECT_EQ(pair.b.queue_pair->flush(), Outcome::success);  // ends the sender
    }
    sender.join();
    EXPECT_EQ(notified, Outcome::success) << "after " << received << " messages";
}

// The peer sends and looks at nothing: only its message can wake. Few polls and many, for pollers are told of to the
// peer.
TEST_P(Notify, WakesThoughTheProgramPolledAfterIt) {
    proves("ND2-CQ-NTF-08");
    for (const int polls : {1, 10, 100, 1000}) {
        ConnectedPair pair(driver());
        for (const NotifyType type : {NotifyType::any, NotifyType::solicited}) {
            ASSERT_EQ(pair.b.receive(1), Outcome::success);
            const Operation notification = pair.b.received->notify(type);
            for (int i = 0; i < polls; ++i) ASSERT_TRUE(pair.b.received->poll(1).empty());
            ASSERT_EQ(pair.a.send(2, 0, 0, kSolicit), Outcome::success);
            ASSERT_EQ(notification.wait(), Outcome::success) << polls << " polls";
            ASSERT_EQ(pair.b.received->poll(1).size(), 1u);
        }
    }
}

TEST_P(Notify, WakesTheSenderThoughItPolledAfterIt) {
    if (const char* const why = support::lacks(support::Ability::late_receives)) GTEST_SKIP() << why;
    provokes("CHECK-NO-RECEIVE", "CHECK-RECEIVE-LATE");
    proves("ND2-CQ-NTF-08");
    for (const int polls : {1, 10, 100, 1000}) {
        ConnectedPair pair(driver());
        ASSERT_EQ(pair.a.send(1), Outcome::success);  // completes once the peer has a receive for it
        const Operation notification = pair.a.initiated->notify(NotifyType::any);
        for (int i = 0; i < polls; ++i) ASSERT_TRUE(pair.a.initiated->poll(1).empty());
        ASSERT_EQ(pair.b.receive(2), Outcome::success);
        ASSERT_EQ(notification.wait(), Outcome::success) << polls << " polls";
        ASSERT_TRUE(reports_received(*pair.b.received, 2, 0));
    }
}

TEST_P(Notify, AloneDrivesAPingPongBetweenTwoSleepers) {
    if (const char* const why = support::lacks(support::Ability::late_receives)) GTEST_SKIP() << why;
    provokes("CHECK-NO-RECEIVE", "CHECK-RECEIVE-LATE");
    proves("ND2-CQ-NTF-09", "ND2-OVL-24");
    ConnectedPair pair(driver());
    constexpr int kRounds = 300;
    const auto serve = [](Endpoint& end, bool first) {
        for (int round = 0; round < kRounds; ++round) {
            EXPECT_EQ(end.receive(1, 0, 64), Outcome::success);
            if (first) {
                EXPECT_EQ(end.send(2, 64, 64, kSilent), Outcome::success);
            }
            const Outcome woken = end.received->notify(NotifyType::any).wait();
            EXPECT_EQ(woken, Outcome::success) << "round " << round;
            const auto results = end.received->poll(1);
            EXPECT_EQ(results.size(), 1u) << "round " << round;
            if (woken != Outcome::success || results.size() != 1) return;
            if (!first) {
                EXPECT_EQ(end.send(2, 64, 64), Outcome::success);
                EXPECT_TRUE(reports(*end.initiated, RequestKind::send, 2, Outcome::success));
            }
            if (first && round % 8 == 7) {
                EXPECT_EQ(end.write(3, 0, 0, {}), Outcome::success);  // frees the silent slots
                EXPECT_TRUE(reports(*end.initiated, RequestKind::write, 3, Outcome::success));
            }
        }
    };
    std::thread responder([&] { serve(pair.b, false); });
    serve(pair.a, true);
    responder.join();
}

INSTANTIATE_TEST_SUITE_P(, Notify, testing::ValuesIn(every_variant()), variant_name);

// Which way a message takes depends on its length, on its memory, and on whether the receiver polls when it is sent.
class NotifyData : public DataTest {
protected:
    static constexpr std::size_t kLengths[] = {0, 64, 5000, 16 * 1024, 16 * 1024 + 1, 200'000, kMiB};
    static constexpr int kPollsOfAPoller = 200;

    static void post_message(ConnectedPair& pair, std::size_t length, unsigned flags) {
        ASSERT_EQ(pair.a.send(2, 0, length, flags), Outcome::success);
    }
    static void take_results(ConnectedPair& pair, std::size_t length) {
        ASSERT_TRUE(reports_received(*pair.b.received, 1, length));
        ASSERT_TRUE(reports(*pair.a.initiated, RequestKind::send, 2, Outcome::success));
    }
};

TEST_P(NotifyData, SolicitedCompletesForAMessageOfAnyLength) {
    if (const char* const why = support::lacks(support::Ability::solicited_events)) GTEST_SKIP() << why;
    proves("ND2-CQ-NTF-03", "ND2-QP-SEND-03", "ND1-EP-SEND-05", "IW-RDMAP-20");
    ConnectedPair pair = connected(kMiB);
    for (const std::size_t length : kLengths) {
        SCOPED_TRACE(length);
        const Operation solicited = pair.b.received->notify(NotifyType::solicited);
        for (const unsigned flags : {unsigned{kNoFlags}, unsigned{kSolicit}}) {
            ASSERT_EQ(pair.b.receive(1, 0, kMiB), Outcome::success);
            post_message(pair, length, flags);
            if (flags == kSolicit) {
                EXPECT_EQ(solicited.wait(), Outcome::success);
            }
            take_results(pair, length);
            if (flags == kNoFlags) {
                EXPECT_EQ(solicited.now(), Outcome::pending);
            }
        }
    }
}

// Posted to a receiver that polls, a long message comes in many parts; it has begun before anybody asks to be told.
TEST_P(NotifyData, SolicitedCompletesForAMessageThatWaitedForItsReceive) {
    if (const char* const why = support::lacks(support::Ability::late_receives)) GTEST_SKIP() << why;
    provokes("CHECK-NO-RECEIVE", "CHECK-RECEIVE-LATE");
    proves("ND2-CQ-NTF-03", "ND2-QP-SEND-03", "ND1-EP-SEND-05", "IW-RDMAP-20");
    ConnectedPair pair = connected(kMiB);
    for (const std::size_t length : kLengths) {
        SCOPED_TRACE(length);
        for (int i = 0; i < kPollsOfAPoller; ++i) ASSERT_TRUE(pair.b.received->poll(1).empty());
        post_message(pair, length, kSolicit);
        const Operation solicited = pair.b.received->notify(NotifyType::solicited);
        ASSERT_EQ(pair.b.receive(1, 0, kMiB), Outcome::success);
        EXPECT_EQ(solicited.wait(), Outcome::success);
        take_results(pair, length);
    }
}

INSTANTIATE_TEST_SUITE_P(, NotifyData, every_data_variant(), data_variant_name);

}  // namespace
}  // namespace opennd::conformance
