// SPDX-License-Identifier: MIT
//
// Several connections with one shared receive queue: the receives of each, the effect of one's end on the others, and
// many threads. Requirements ND2-SRQ-RECV-02, -03, ND2-SRQ-FLUSH-01, ND2-CQ-OVR-02. Read shared_receiver.h first.
#include <algorithm>
#include <atomic>
#include <optional>
#include <thread>
#include <vector>

#include "conformance/vocabulary/fixture.h"
#include "conformance/vocabulary/shared_receiver.h"
#include "support/tested_device.h"

namespace opennd::conformance {
namespace {

class SharingReceives : public SharedReceiveTest {};

TEST_P(SharingReceives, TakesThemInPostingOrderWhoeverComes) {
    proves("ND2-SRQ-RECV-02", "ND2-ADP-QP-07");
    SharedReceiver receiver(driver());
    SharedConnection one(driver(), receiver, 1), two(driver(), receiver, 2);
    for (Tag tag = 0; tag < 6; ++tag) ASSERT_EQ(receiver.receive(tag), Outcome::success);
    Tag expected = 0;
    for (SharedConnection* sender : {&one, &two, &two, &one, &two, &one}) {
        const Tag context = sender == &one ? 1 : 2;
        ASSERT_EQ(sender->peer.send(9), Outcome::success);
        EXPECT_EQ(next(*sender->received),
                  (Completion{Outcome::success, 0, context, expected++, RequestKind::receive}));
        ASSERT_TRUE(sender->sent(9));
    }
}

TEST_P(SharingReceives, ReportsEachInTheQueueOfItsQueuePair) {
    proves("ND2-SRQ-RECV-02");
    SharedReceiver receiver(driver());
    auto common = receiver.completion_queue();
    SharedConnection one(driver(), receiver, 1, common), two(driver(), receiver, 2, common),
        apart(driver(), receiver, 3);
    for (Tag tag = 0; tag < 3; ++tag) ASSERT_EQ(receiver.receive(tag), Outcome::success);
    ASSERT_EQ(apart.peer.send(9), Outcome::success);
    EXPECT_EQ(next(*apart.received), (Completion{Outcome::success, 0, 3, 0, RequestKind::receive}));
    ASSERT_EQ(two.peer.send(9), Outcome::success);
    EXPECT_EQ(next(*common), (Completion{Outcome::success, 0, 2, 1, RequestKind::receive}));
    ASSERT_EQ(one.peer.send(9), Outcome::success);
    EXPECT_EQ(next(*common), (Completion{Outcome::success, 0, 1, 2, RequestKind::receive}));
}

TEST_P(SharingReceives, ServesEveryMessageThatWaitsOneByOne) {
    if (const char* const why = support::lacks(support::Ability::late_receives)) GTEST_SKIP() << why;
    provokes("CHECK-NO-RECEIVE");
    proves("ND2-SRQ-RECV-02", "ND2-SRQ-RECV-03", "ND2-CQ-NTF-09", "IW-SEC-14");
    SharedReceiver receiver(driver());
    auto common = receiver.completion_queue();
    std::vector<std::unique_ptr<SharedConnection>> connections;
    for (Tag context = 0; context < 4; ++context)
        connections.push_back(std::make_unique<SharedConnection>(driver(), receiver, context, common));
    for (auto& connection : connections) {
        ASSERT_EQ(connection->peer.send(9), Outcome::success);
        ASSERT_EQ(connection->peer.send(9), Outcome::success);
    }
    EXPECT_TRUE(common->poll(1).empty()) << "all wait";
    std::vector<int> served(4);
    for (Tag tag = 0; tag < 8; ++tag) {
        const Operation arrived = common->notify(NotifyType::any);
        EXPECT_EQ(arrived.now(), Outcome::pending);
        ASSERT_EQ(receiver.receive(tag), Outcome::success);
        ASSERT_EQ(arrived.wait(), Outcome::success) << "nobody polls: the post itself moves a message";
        const Completion received = next(*common);
        EXPECT_EQ(received.request, tag);
        ++served.at(received.queue_pair);
    }
    EXPECT_EQ(served, (std::vector{2, 2, 2, 2}));
}

TEST_P(SharingReceives, KeepsThemWhenOneQueuePairIsFlushed) {
    proves("ND2-SRQ-FLUSH-01", "ND2-QP-FLUSH-04");
    SharedReceiver receiver(driver());
    SharedConnection ends(driver(), receiver, 1), stays(driver(), receiver, 2);
    for (Tag tag = 0; tag < 3; ++tag) ASSERT_EQ(receiver.receive(tag), Outcome::success);
    ASSERT_EQ(ends.queue_pair->flush(), Outcome::success);
    EXPECT_TRUE(ends.received->poll(10).empty());
    for (Tag tag = 0; tag < 3; ++tag) {
        ASSERT_EQ(stays.peer.send(9), Outcome::success);
        EXPECT_TRUE(reports_received(*stays.received, tag, 0));
    }
}

TEST_P(SharingReceives, KeepsThemWhenOneConnectionEnds) {
    proves("ND2-SRQ-FLUSH-01", "IW-ERR-22");
    SharedReceiver receiver(driver());
    SharedConnection stays(driver(), receiver);
    for (Tag tag = 0; tag < 3; ++tag) ASSERT_EQ(receiver.receive(tag), Outcome::success);
    {
        SharedConnection peer_disconnects(driver(), receiver);
        const Operation lost = peer_disconnects.connector->notify_disconnect();
        ASSERT_EQ(peer_disconnects.peer.connector->disconnect().wait(), Outcome::success);
        ASSERT_EQ(lost.wait(), Outcome::success);
        EXPECT_TRUE(peer_disconnects.received->poll(10).empty());
        SharedConnection released(driver(), receiver);
        released.queue_pair.reset();
        EXPECT_TRUE(released.received->poll(10).empty());
    }
    for (Tag tag = 0; tag < 3; ++tag) {
        ASSERT_EQ(stays.peer.send(9), Outcome::success);
        EXPECT_TRUE(reports_received(*stays.received, tag, 0));
    }
}

TEST_P(SharingReceives, LosesOnlyTheOneThatAnErrorIsAbout) {
    if (const char* const why = support::lacks(support::Ability::tells_refusals)) GTEST_SKIP() << why;
    proves("ND2-SRQ-FLUSH-01", "ND2-QP-SEND-07", "ND2-QP-ERR-01");
    SharedReceiver receiver(driver());
    SharedConnection fails(driver(), receiver, 1), stays(driver(), receiver, 2);
    ASSERT_EQ(receiver.receive(1, 0, 100), Outcome::success);
    ASSERT_EQ(receiver.receive(2, 100, 100), Outcome::success);
    ASSERT_EQ(fails.peer.send(3, 0, 101), Outcome::success);
    ASSERT_EQ(fails.peer.send(4, 0, 50), Outcome::success);
    EXPECT_EQ(next(*fails.received), (Completion{Outcome::data_overrun, 0, 1, 1, RequestKind::receive}));
    EXPECT_TRUE(fails.sent(3, Outcome::data_error));
    EXPECT_TRUE(fails.sent(4, Outcome::canceled));
    EXPECT_TRUE(fails.received->poll(1).empty());
    ASSERT_EQ(stays.peer.send(5, 0, 100), Outcome::success);
    EXPECT_EQ(next(*stays.received), (Completion{Outcome::success, 100, 2, 2, RequestKind::receive}));
}

TEST_P(SharingReceives, PassesAReceiveOnIfTheMessageThatWaitedIsGone) {
    if (const char* const why = support::lacks(support::Ability::late_receives)) GTEST_SKIP() << why;
    provokes("CHECK-NO-RECEIVE");
    proves("ND2-SRQ-RECV-02", "ND2-QP-SEND-06");
    SharedReceiver receiver(driver());
    SharedConnection ends(driver(), receiver), stays(driver(), receiver);
    ASSERT_EQ(ends.peer.send(1), Outcome::success);
    ASSERT_EQ(stays.peer.send(2), Outcome::success);
    EXPECT_TRUE(ends.received->poll(1).empty());
    EXPECT_TRUE(stays.received->poll(1).empty());
    const Operation arrived = stays.received->notify(NotifyType::any);
    ASSERT_EQ(ends.queue_pair->flush(), Outcome::success);
    ASSERT_EQ(receiver.receive(3), Outcome::success);
    EXPECT_EQ(arrived.wait(), Outcome::success);
    EXPECT_TRUE(reports_received(*stays.received, 3, 0));
    EXPECT_TRUE(ends.received->poll(1).empty());
}

// Whether the message is in the middle then depends on the way that the bytes take; the count of results does not.
TEST_P(SharingReceives, ReportsTheReceiveOfAMessageThatItsConnectionCutOff) {
    if (const char* const why = support::lacks(support::Ability::gives_receives_back)) GTEST_SKIP() << why;
    proves("ND2-SRQ-FLUSH-01", "ND2-QP-FLUSH-01");
    constexpr std::size_t kSize = 8 * 1024 * 1024;
    SharedReceiver receiver(driver(), {}, kSize);
    SharedConnection cut(driver(), receiver, 1, nullptr, EndpointOptions{.memory_bytes = kSize});
    SharedConnection stays(driver(), receiver, 2);
    ASSERT_EQ(receiver.receive(1, 0, kSize), Outcome::success);
    ASSERT_EQ(receiver.receive(2, 0, 100), Outcome::success);
    std::vector<Completion> results = cut.received->poll(1);
    ASSERT_EQ(cut.peer.send(3, 0, kSize), Outcome::success);
    const auto polled = cut.received->poll(1);
    results.insert(results.end(), polled.begin(), polled.end());
    const Operation lost = cut.connector->notify_disconnect();
    cut.peer.queue_pair.reset();
    ASSERT_EQ(lost.wait(), Outcome::success);
    ASSERT_EQ(cut.connector->disconnect().wait(), Outcome::success);  // behind it all that was flushed is there
    const auto flushed = cut.received->poll(10);
    results.insert(results.end(), flushed.begin(), flushed.end());
    ASSERT_LE(results.size(), 1u);
    ASSERT_EQ(stays.peer.send(4, 0, 50), Outcome::success);
    const Completion received = next(*stays.received);
    ASSERT_EQ(received.outcome, Outcome::success);
    if (results.empty()) {
        EXPECT_EQ(received.request, 1u) << "the message had not begun";
    } else {
        EXPECT_EQ(results[0].request, 1u);
        EXPECT_TRUE(results[0].outcome == Outcome::canceled || results[0].outcome == Outcome::success);
        EXPECT_EQ(received.request, 2u);
    }
}

TEST_P(SharingReceives, OutlivesTheRelease) {
    proves("ND2-SRQ-FLUSH-01", "ND2-COM-08");
    SharedReceiver receiver(driver());
    std::optional<SharedConnection> connection(std::in_place, driver(), receiver);
    for (Tag tag = 0; tag < 3; ++tag) ASSERT_EQ(receiver.receive(tag), Outcome::success);
    receiver.queue.reset();
    for (Tag tag = 0; tag < 2; ++tag) {
        ASSERT_EQ(connection->peer.send(9), Outcome::success);
        EXPECT_TRUE(reports_received(*connection->received, tag, 0));
        EXPECT_TRUE(connection->sent(9));
    }
    const auto received = connection->received;
    connection.reset();
    EXPECT_TRUE(received->poll(10).empty()) << "what no message took vanishes";
}

TEST_P(SharingReceives, CountsOnceHoweverManyQueuePairsThereAre) {
    proves("ND2-CQ-OVR-02", "ND2-SRQ-RECV-04");
    constexpr Tag kDepth = 64;
    SharedReceiver receiver(driver(), {.depth = kDepth});
    auto shallow = receiver.completion_queue(1);
    std::vector<std::unique_ptr<SharedConnection>> connections;
    for (Tag context = 0; context < 3; ++context)
        connections.push_back(std::make_unique<SharedConnection>(driver(), receiver, context, shallow));
    const auto fill = [&] {
        for (Tag tag = 0; tag < kDepth; ++tag) ASSERT_EQ(receiver.receive(tag), Outcome::success);
        for (Tag tag = 0; tag < kDepth; ++tag) {
            SharedConnection& sender = *connections[tag % connections.size()];
            ASSERT_EQ(sender.peer.send(9), Outcome::success);
            ASSERT_EQ(shallow->notify(NotifyType::any).wait(), Outcome::success);
            ASSERT_TRUE(sender.sent(9));
        }
        EXPECT_EQ(receiver.receive(0), Outcome::no_more_entries) << "so no more can come";
    };
    fill();
    connections.clear();  // the results stay
    connections.push_back(std::make_unique<SharedConnection>(driver(), receiver, 7, shallow));
    EXPECT_EQ(next(*shallow, std::size_t{kDepth / 2}).size(), kDepth / 2);
    for (Tag tag = 0; tag < kDepth / 2; ++tag) {
        ASSERT_EQ(receiver.receive(tag), Outcome::success);
        ASSERT_EQ(connections[0]->peer.send(9), Outcome::success);
        ASSERT_TRUE(connections[0]->sent(9));
    }
    const auto rest = next(*shallow, std::size_t{kDepth});
    ASSERT_EQ(rest.size(), kDepth);
    for (Tag tag = 0; tag < kDepth / 2; ++tag) {
        EXPECT_EQ(rest[tag].request, kDepth / 2 + tag);
        EXPECT_EQ(rest[kDepth / 2 + tag], (Completion{Outcome::success, 0, 7, tag, RequestKind::receive}));
    }
}

// Receivers sleep, and never poll in vain; one more thread posts, and the queue is often empty.
TEST_P(SharingReceives, LosesNothingAmongManyThreads) {
    if (const char* const why = support::lacks(support::Ability::late_receives)) GTEST_SKIP() << why;
    provokes("CHECK-NO-RECEIVE");
    proves("ND2-SRQ-RECV-02", "ND2-SRQ-RECV-03", "ND2-CQ-NTF-08");
    constexpr int kConnections = 4, kMessages = 400;
    SharedReceiver receiver(driver(), {.depth = 8});
    std::vector<std::unique_ptr<SharedConnection>> connections;
    for (int i = 0; i < kConnections; ++i)
        connections.push_back(std::make_unique<SharedConnection>(driver(), receiver, i));
    std::vector<std::atomic<int>> seen(kConnections * kMessages);
    std::vector<std::thread> threads;
    for (auto& connection : connections) {
        threads.emplace_back([&peer = connection->peer] {
            for (int i = 0; i < kMessages; ++i) {
                EXPECT_EQ(peer.send(9, 0, 16), Outcome::success);
                EXPECT_TRUE(reports(*peer.initiated, RequestKind::send, 9, Outcome::success));
            }
        });
        threads.emplace_back([&seen, &queue = *connection->received] {
            Tag last = 0;
            for (int received = 0; received < kMessages;) {
                if (queue.notify(NotifyType::any).wait() != Outcome::success) {
                    ADD_FAILURE() << "nothing came after " << received;
                    return;
                }
                constexpr std::size_t kAtOnce = 4;
                std::size_t polled = kAtOnce;
                while (polled == kAtOnce) {  // results that stay in the queue trigger no further notification
                    const auto results = queue.poll(kAtOnce);
                    polled = results.size();
                    for (const Completion& each : results) {
                        EXPECT_TRUE(last == 0 || each.request > last) << "posting order, also within one queue pair";
                        last = each.request;
                        ++seen[each.request];
                        ++received;
                    }
                }
            }
        });
    }
    for (Tag tag = 0; tag < seen.size(); ++tag) {
        Outcome posted = Outcome::no_more_entries;
        EXPECT_TRUE(wait_until([&] {
            posted = receiver.receive(tag, tag * 16, 16);
            return posted != Outcome::no_more_entries;
        }));
        ASSERT_EQ(posted, Outcome::success);
    }
    for (std::thread& thread : threads) thread.join();
    for (Tag tag = 0; tag < seen.size(); ++tag) ASSERT_EQ(seen[tag], 1) << "receive " << tag;
}

TEST_P(SharingReceives, BearsQueuePairsThatComeAndGo) {
    provokes("CHECK-NO-RECEIVE");
    proves("ND2-SRQ-FLUSH-01", "ND2-SRQ-RECV-02");
    SharedReceiver receiver(driver(), {.depth = 4, .threshold = 1});
    SharedConnection stays(driver(), receiver);
    std::atomic<bool> done{false};
    std::thread visitors([&] {
        for (int round = 0; round < 20; ++round) {
            SharedConnection visitor(driver(), receiver);
            EXPECT_EQ(visitor.peer.send(9), Outcome::success);
            (void)visitor.received->poll(1);
        }
        done = true;
    });
    const std::uint32_t most = support::lacks(support::Ability::growing_shared_queues) ? 4 : 9;
    Tag posted = 0;
    while (!done) {
        if (receiver.receive(posted) == Outcome::success) ++posted;
        (void)receiver.queue->modify(posted % 2 == 0 ? 4 : most, 0);
        std::this_thread::yield();
    }
    visitors.join();
    while (receiver.receive(0) == Outcome::success) {
    }
    ASSERT_EQ(stays.peer.send(9), Outcome::success);
    EXPECT_EQ(next(*stays.received).outcome, Outcome::success);
    EXPECT_TRUE(stays.sent(9));
}

INSTANTIATE_TEST_SUITE_P(, SharingReceives, testing::ValuesIn(variants_with_shared_receive_queues()), variant_name);

}  // namespace
}  // namespace opennd::conformance
