// SPDX-License-Identifier: MIT
//
// The fault peer:dies between two processes (docs/faults.md): each sees the other as it would see a killed process, and both go on.
// peer_death_test.cpp has peers that are killed. Requirements ND2-GEN-12, ND2-QP-ERR-03, ND2-CON-NTF-01.
#include <opennd.h>

#include "interop/two_process_test.h"
#include "support/requirement.h"

namespace opennd::interop {
namespace {

using conformance::RequestKind;
using support::proves;

// Adapters that open from here on have faults.
struct Faults {
    Faults() { set("send:timeout nth=1000000000"); }
    ~Faults() { set(nullptr); }
    static void set(const char* line) { EXPECT_EQ(opennd_faults_set(line), ND_SUCCESS) << line; }
};

class PeerDies : private Faults, public TwoProcesses {
protected:
    using Faults::set;

    // The peer of this process was never gone: it has said what it saw, and ended by its own will.
    static void expect_lived(PeerProcess& peer) {
        EXPECT_EQ(peer.line(), "connected");
        EXPECT_EQ(peer.line(), "lost");
        EXPECT_EQ(peer.exit_code(), 0);
    }
};

TEST_P(PeerDies, WithARequestOfThisProcess) {
    proves("ND2-GEN-12", "ND2-QP-ERR-03", "ND2-CON-NTF-01");
    Side side(*driver_, MemoryKind::ordinary);
    PeerProcess peer = start_peer("lose", side.port);
    side.accept_peer();
    const Remote target = side.take_offer();
    const Operation lost = side.connector->notify_disconnect();
    ASSERT_EQ(side.receive(2), Outcome::success);
    ASSERT_EQ(side.write(3, 0, 8, target), Outcome::success);
    ASSERT_TRUE(conformance::reports(*side.initiated, RequestKind::write, 3, Outcome::success));
    EXPECT_EQ(lost.now(), Outcome::pending);

    set("peer:dies nth=1");
    ASSERT_EQ(side.write(4, 0, 8, target), Outcome::success);
    EXPECT_EQ(lost.wait(), Outcome::success);
    EXPECT_TRUE(conformance::reports(*side.initiated, RequestKind::write, 4, Outcome::canceled));
    EXPECT_TRUE(conformance::reports(*side.received, RequestKind::receive, 2, Outcome::canceled));
    expect_lived(peer);
    serve_a_peer();  // the rule has struck
}

// Both processes only wait when the time comes.
TEST_P(PeerDies, AtItsTimeByTheOtherProcess) {
    proves("ND2-GEN-12", "ND2-CON-NTF-01");
    Side side(*driver_, MemoryKind::ordinary);
    PeerProcess peer = start_peer("lose-on-purpose", side.port);
    side.accept_peer();
    side.take_offer();
    ASSERT_EQ(side.receive(2), Outcome::success);
    EXPECT_EQ(side.connector->notify_disconnect().wait(), Outcome::success);
    EXPECT_TRUE(conformance::reports(*side.received, RequestKind::receive, 2, Outcome::canceled));
    expect_lived(peer);
    serve_a_peer();
}

INSTANTIATE_TEST_SUITE_P(, PeerDies, every_transport(), transport_name);

}  // namespace
}  // namespace opennd::interop
