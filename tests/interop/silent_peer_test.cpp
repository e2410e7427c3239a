// SPDX-License-Identifier: MIT
//
// A peer that does not run: no method waits for it. A method that did would not return before the test's time is over.
// Requirement ND2-GEN-09.
#include "interop/two_process_test.h"
#include "support/requirement.h"

namespace opennd::interop {
namespace {

using conformance::Tag;
using support::Clock;
using support::milliseconds;
using support::proves;

class SilentPeer : public TwoProcesses {
protected:
    // The call's own value; it came at once, as far as a busy host lets it.
    template <typename Call>
    static auto at_once(const char* what, Call&& call) {
        const auto begin = Clock::now();
        const auto value = call();
        EXPECT_LE((Clock::now() - begin) / milliseconds{1}, 1000) << "milliseconds that " << what << " took";
        return value;
    }
};

TEST_P(SilentPeer, HoldsUpNoMethodOfAConnection) {
    proves("ND2-GEN-09");
    for (const MemoryKind kind : {MemoryKind::ordinary, MemoryKind::mappable}) {
        SCOPED_TRACE(name_of(kind));
        auto side = std::make_unique<Side>(*driver_, kind);
        PeerProcess peer = start_peer("target", side->port, kind == MemoryKind::mappable);
        side->accept_peer();
        const Remote remote = side->take_offer();
        peer.stop();
        const auto expect_success = [](const char* what, auto&& call) {
            EXPECT_EQ(at_once(what, call), Outcome::success) << what;
        };
        for (Tag tag = 0; tag < 4; ++tag) expect_success("Receive", [&] { return side->receive(tag); });
        expect_success("Write", [&] { return side->write(4, 0, kSharedBytes, remote); });
        expect_success("Read", [&] { return side->read(5, 0, kSharedBytes, remote); });
        expect_success("Send", [&] { return side->send(6, 0, 8); });
        expect_success("a long Send", [&] { return side->send(7, 0, kSharedBytes); });
        at_once("GetResults", [&] { return side->initiated->poll(8).size(); });
        const Operation notified =
            at_once("Notify", [&] { return side->received->notify(conformance::NotifyType::any); });
        EXPECT_EQ(notified.begun(), Outcome::pending);
        const Operation lost = at_once("NotifyDisconnect", [&] { return side->connector->notify_disconnect(); });
        EXPECT_EQ(lost.begun(), Outcome::pending);
        const Operation gone = at_once("Deregister", [&] { return side->region->withdraw(); });
        EXPECT_EQ(gone.wait(), Outcome::success);
        expect_success("Flush", [&] { return side->queue_pair->flush(); });
        const Operation ended = at_once("Disconnect", [&] { return side->connector->disconnect(); });
        EXPECT_EQ(ended.wait(), Outcome::success);
        EXPECT_EQ(notified.wait(), Outcome::success);
        at_once("every Release", [&] { return side.reset(), true; });
        peer.go_on();
    }
    serve_a_peer();
}

TEST_P(SilentPeer, HoldsUpNoMethodOfAConnector) {
    proves("ND2-GEN-09", "ND2-CON-CONN-07");
    auto side = std::make_unique<Side>(*driver_, MemoryKind::ordinary);
    PeerProcess peer = start_peer("listen-target", 0);
    const auto port = static_cast<std::uint16_t>(std::stoi(peer.line()));
    peer.stop();
    ASSERT_EQ(side->connector->bind(conformance::local_address()), Outcome::success);
    const Operation connect = at_once("Connect", [&] {
        return side->connector->connect(*side->queue_pair, conformance::local_address(port), {}, {});
    });
    EXPECT_EQ(connect.begun(), Outcome::pending);
    at_once("CancelOverlappedRequests", [&] { return side->connector->cancel(), true; });
    EXPECT_EQ(connect.wait(), Outcome::canceled);
    at_once("every Release", [&] { return side.reset(), true; });
}

INSTANTIATE_TEST_SUITE_P(, SilentPeer, every_transport(), transport_name);

}  // namespace
}  // namespace opennd::interop
