// SPDX-License-Identifier: MIT
//
// The peer is killed at a bad moment. This process must learn of it within a second of the death, get a definite result
// for every request, go on to serve a new peer, and be left with nothing it did not have before. Requirements
// ND2-GEN-12, ND2-QP-ERR-03, ND2-CON-ACC-03; vector 24.
#include "interop/two_process_test.h"
#include "support/pattern.h"
#include "support/process_resources.h"
#include "support/requirement.h"

namespace opennd::interop {
namespace {

using conformance::Completion;
using conformance::kDeadline;
using conformance::RequestKind;
using conformance::Tag;
using support::Clock;
using support::milliseconds;
using support::proves;

// From the observed death of the peer (waitpid) to the last result.
constexpr milliseconds kDetection{1000};

class PeerDeath : public TwoProcesses {
protected:
    // The first conversation makes the resources that a process keeps for as long as it uses the library.
    PeerDeath() {
        serve_a_peer();
        { const support::Buffer kept_segment(kSharedBytes, support::MemoryKind::mappable); }
        baseline_ = support::settled_resources();
    }

    void TearDown() override {
        serve_a_peer();
        const bool clean = support::wait_until([this] { return support::resources_in_use().within(baseline_); });
        EXPECT_TRUE(clean) << "leaked: " << support::resources_in_use() << ", before: " << baseline_;
    }

    // Every one of `count` results of the queue came in time and is definite. Polling goes on past the time limit so
    // that a late detection is told from none.
    static void expect_results(conformance::CompletionQueue& queue, std::size_t count, Clock::time_point death) {
        bool failed = false;
        for (std::size_t i = 0; i < count; ++i) {
            const Completion result = conformance::next(queue);
            ASSERT_NE(result.outcome, Outcome::nothing_by_the_deadline) << "result " << i << " of " << count;
            if (result.outcome == Outcome::success) {
                EXPECT_FALSE(failed) << "success after a failure";
                continue;
            }
            EXPECT_TRUE(result.outcome == Outcome::canceled || (result.outcome == Outcome::io_timeout && !failed))
                << "request " << result.request << ": " << result.outcome;
            failed = true;
        }
        EXPECT_TRUE(queue.poll(1).empty()) << "more results than requests";
        in_time(death, "results");
    }

    static void in_time(Clock::time_point death, const char* what) {
        const auto taken = std::chrono::duration_cast<milliseconds>(Clock::now() - death);
        RecordProperty(std::string(what) + "_ms", std::to_string(taken.count()));
        EXPECT_LE(taken.count(), kDetection.count()) << "milliseconds from death to " << what;
    }

    static void expect_lost(const Operation& lost, Clock::time_point death) {
        EXPECT_EQ(lost.wait(), Outcome::success) << "NotifyDisconnect";
        in_time(death, "notification");
    }

    // Reads or writes without end until one fails; every request posted gets its result.
    static void transfer_until_killed(Side& side, PeerProcess& peer, Remote remote) {
        constexpr std::size_t kInFlight = 8;
        for (Tag tag = 0; tag < kInFlight; ++tag) ASSERT_EQ(side.receive(100 + tag), Outcome::success);
        const Operation lost = side.connector->notify_disconnect();
        for (Tag tag = 0; tag < 200; ++tag) {
            if (tag >= kInFlight) {
                ASSERT_TRUE(
                    conformance::reports(*side.initiated, RequestKind::write, tag - kInFlight, Outcome::success));
            }
            ASSERT_EQ(side.write(tag, 0, kSharedBytes, remote), Outcome::success);
        }
        const auto death = peer.kill();
        expect_results(*side.initiated, kInFlight, death);
        expect_lost(lost, death);
        expect_results(*side.received, kInFlight, death);
        ASSERT_EQ(side.write(300, 0, 8, remote), Outcome::success);
        EXPECT_TRUE(conformance::reports(*side.initiated, RequestKind::write, 300, Outcome::canceled));
        EXPECT_EQ(side.connector->disconnect().wait(), Outcome::success);
    }

    support::ProcessResources baseline_;
};

TEST_P(PeerDeath, WhileItSendsInALoop) {
    proves("ND2-GEN-12", "ND2-QP-ERR-03", "ND2-CON-NTF-01");
    Side side(*driver_, MemoryKind::ordinary);
    PeerProcess peer = start_peer("send-loop", side.port);
    constexpr Tag kReceives = 8;
    // The receive for an offer is too small for this peer's messages: take it away before connecting.
    ASSERT_EQ(side.queue_pair->flush(), Outcome::success);
    ASSERT_TRUE(conformance::reports(*side.received, RequestKind::receive, 1, Outcome::canceled));
    for (Tag tag = 0; tag < kReceives; ++tag) ASSERT_EQ(side.receive(tag, 0, kMessageBytes), Outcome::success);
    side.accept_peer();
    const Operation lost = side.connector->notify_disconnect();
    for (Tag count = 0; count < 500; ++count) {
        const Completion message = conformance::next(*side.received);
        ASSERT_EQ(message.outcome, Outcome::success);
        ASSERT_EQ(message.bytes, kMessageBytes);
        ASSERT_EQ(side.receive(message.request, 0, kMessageBytes), Outcome::success);
    }
    const auto death = peer.kill();
    expect_results(*side.received, kReceives, death);
    expect_lost(lost, death);
    EXPECT_EQ(side.connector->disconnect().wait(), Outcome::success);
}

TEST_P(PeerDeath, WhileItIsTheTargetOfWritesToOrdinaryMemory) {
    proves("ND2-GEN-12", "ND2-QP-ERR-03", "ND2-CON-NTF-01", "ND2-QP-POST-07");
    Side side(*driver_, MemoryKind::ordinary);
    PeerProcess peer = start_peer("target", side.port);
    side.accept_peer();
    transfer_until_killed(side, peer, side.take_offer());
}

TEST_P(PeerDeath, WhileItIsTheTargetOfWritesToMappableMemory) {
    proves("ND2-GEN-12", "ND2-QP-ERR-03", "ND2-CON-NTF-01");
    Side side(*driver_, MemoryKind::mappable);
    PeerProcess peer = start_peer("target", side.port, true);
    side.accept_peer();
    transfer_until_killed(side, peer, side.take_offer());
}

TEST_P(PeerDeath, WhileItIsThePassiveSide) {
    proves("ND2-GEN-12", "ND2-QP-ERR-03");
    Side side(*driver_, MemoryKind::ordinary);
    PeerProcess peer = start_peer("listen-target", 0);
    const std::string peer_port = peer.line();
    ASSERT_NE(peer_port, "");
    side.connect_to(static_cast<std::uint16_t>(std::stoi(peer_port)));
    transfer_until_killed(side, peer, side.take_offer());
}

TEST_P(PeerDeath, WhileNothingIsHappening) {
    proves("ND2-GEN-12", "ND2-CON-NTF-02");
    Side side(*driver_, MemoryKind::ordinary);
    PeerProcess peer = start_peer("target", side.port);
    side.accept_peer();
    side.take_offer();
    const Operation notified = side.received->notify(conformance::NotifyType::any);
    ASSERT_EQ(side.receive(2), Outcome::success);
    const auto death = peer.kill();
    EXPECT_EQ(notified.wait(), Outcome::success) << "the flushed receive must wake a sleeper";
    in_time(death, "wakeup");
    expect_results(*side.received, 1, death);
    EXPECT_EQ(side.connector->notify_disconnect().wait(), Outcome::success);
}

// The child of the dead process lives, and keeps nothing of it.
TEST_P(PeerDeath, WhoseChildOfForkLivesOn) {
    proves("ND2-GEN-11", "ND2-GEN-12", "ND2-CON-NTF-01");
    Side side(*driver_, MemoryKind::ordinary);
    PeerProcess peer = start_peer("leave-a-child", side.port);
    side.accept_peer();
    const Remote target = side.take_offer();
    ASSERT_EQ(peer.line(), "connected");
    ASSERT_EQ(peer.line(), "forked");
    const Operation lost = side.connector->notify_disconnect();
    ASSERT_EQ(side.receive(2), Outcome::success);
    const auto death = peer.kill();
    expect_lost(lost, death);
    expect_results(*side.received, 1, death);
    ASSERT_EQ(side.write(3, 0, 8, target), Outcome::success);
    EXPECT_TRUE(conformance::reports(*side.initiated, RequestKind::write, 3, Outcome::canceled));
}

TEST_P(PeerDeath, BetweenItsConnectAndCompleteConnect) {
    proves("ND2-GEN-12", "ND2-CON-ACC-03", "ND2-CON-ACC-07");
    Side side(*driver_, MemoryKind::ordinary);
    PeerProcess peer = start_peer("half-connected", side.port);
    const Operation accept = side.begin_accept();
    ASSERT_EQ(peer.line(), "replied");
    EXPECT_EQ(accept.now(), Outcome::pending);
    const auto death = peer.kill();
    const Outcome ended = accept.wait();
    in_time(death, "accept");
    EXPECT_TRUE(ended == Outcome::connection_refused || ended == Outcome::connection_aborted) << ended;
    EXPECT_TRUE(conformance::reports_exactly(*side.received, {1}, Outcome::canceled)) << "receives flush";
}

TEST_P(PeerDeath, BeforeItsRequestIsAnswered) {
    proves("ND2-GEN-12", "ND2-CON-ACC-03", "ND2-LIS-REQ-06");
    Side side(*driver_, MemoryKind::ordinary);
    PeerProcess peer = start_peer("half-connected", side.port);
    ASSERT_EQ(side.listener->get_request(*side.connector).wait(), Outcome::success);
    const auto death = peer.kill();
    const Operation accept = side.connector->accept(*side.queue_pair, {}, {});
    EXPECT_EQ(accept.begun(), Outcome::pending);
    EXPECT_EQ(accept.wait(), Outcome::connection_aborted);
    in_time(death, "accept");
}

INSTANTIATE_TEST_SUITE_P(, PeerDeath, every_transport(), transport_name);

}  // namespace
}  // namespace opennd::interop
