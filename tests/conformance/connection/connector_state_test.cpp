// SPDX-License-Identifier: MIT
//
// The table of states and methods: in each state that can be held still, the answer of every method that does not leave
// the state. Methods that leave it are in connect_test.cpp and disconnect_test.cpp.
#include <optional>

#include "conformance/vocabulary/fixture.h"
#include "support/tested_device.h"

namespace opennd::conformance {
namespace {

// The answer of each method; nothing where calling it would change the state.
struct Answers {
    std::optional<Outcome> bind, connect, complete_connect, accept, reject;
    Outcome read_limits, private_data, local_address, peer_address;
    std::optional<Outcome> notify_disconnect, disconnect;
};

constexpr Outcome kInvalid = Outcome::connection_invalid;
constexpr Outcome kActive = Outcome::connection_active;
constexpr Outcome kBound = Outcome::address_already_associated;
constexpr Outcome kState = Outcome::invalid_state;
constexpr Outcome kOk = Outcome::success;

class ConnectorState : public ConformanceTest {
protected:
    static void expect(Endpoint& end, const Answers& answers) {
        Connector& connector = *end.connector;
        const SocketAddress peer = local_address(50'000);
        ReadLimits limits;
        PrivateData data;
        SocketAddress address{};
        if (answers.bind) {
            EXPECT_EQ(connector.bind(local_address()), *answers.bind) << "Bind";
        }
        if (answers.connect) {
            EXPECT_EQ(connector.connect(*end.queue_pair, peer, {}, {}).begun(), *answers.connect) << "Connect";
        }
        if (answers.complete_connect) {
            EXPECT_EQ(connector.complete_connect().begun(), *answers.complete_connect) << "CompleteConnect";
        }
        if (answers.accept) {
            EXPECT_EQ(connector.accept(*end.queue_pair, {}, {}).begun(), *answers.accept) << "Accept";
        }
        if (answers.reject) {
            EXPECT_EQ(connector.reject({}), *answers.reject) << "Reject";
        }
        EXPECT_EQ(connector.read_limits(limits), answers.read_limits) << "GetReadLimits";
        EXPECT_EQ(connector.private_data(data), answers.private_data) << "GetPrivateData";
        EXPECT_EQ(connector.local_address(address), answers.local_address) << "GetLocalAddress";
        EXPECT_EQ(connector.peer_address(address), answers.peer_address) << "GetPeerAddress";
        if (answers.notify_disconnect) {
            EXPECT_EQ(connector.notify_disconnect().begun(), *answers.notify_disconnect) << "NotifyDisconnect";
        }
        if (answers.disconnect) {
            EXPECT_EQ(connector.disconnect().begun(), *answers.disconnect) << "Disconnect";
        }
    }
};

TEST_P(ConnectorState, Idle) {
    provokes("CHECK-PRIVATE-DATA");
    proves("ND2-CON-STATE-01", "ND2-CON-CMPL-01", "ND2-CON-NTF-04");
    Endpoint end(driver(), {});
    expect(end, {{},
                 Outcome::address_not_associated,
                 kInvalid,
                 kInvalid,
                 kState,
                 kInvalid,
                 kInvalid,
                 kInvalid,
                 kInvalid,
                 kInvalid,
                 kInvalid});
}

TEST_P(ConnectorState, Bound) {
    provokes("CHECK-PRIVATE-DATA");
    proves("ND2-CON-STATE-01", "ND2-CON-BIND-02", "ND2-CLI-95");
    Endpoint end(driver(), {});
    ASSERT_EQ(end.connector->bind(local_address()), Outcome::success);
    expect(end, {kBound, {}, kInvalid, kInvalid, kState, kInvalid, kInvalid, kOk, kInvalid, kInvalid, kInvalid});
}

TEST_P(ConnectorState, Connecting) {
    provokes("CHECK-PRIVATE-DATA");
    proves("ND2-CON-STATE-01");
    Handshake handshake(driver());
    handshake.requested();
    expect(handshake.active,
           {kBound, kActive, kInvalid, kActive, kState, kInvalid, kInvalid, kOk, kOk, kInvalid, kInvalid});
    EXPECT_EQ(handshake.connect->now(), Outcome::pending) << "none of it disturbed the attempt";
}

TEST_P(ConnectorState, Replied) {
    proves("ND2-CON-STATE-01", "ND2-CLI-09");
    Handshake handshake(driver());
    handshake.replied();
    expect(handshake.active, {kBound, kActive, {}, kActive, {}, kOk, kOk, kOk, kOk, kInvalid, kInvalid});
    EXPECT_EQ(handshake.active.connector->complete_connect().wait(), Outcome::success);
}

TEST_P(ConnectorState, Waiting) {
    provokes("CHECK-PRIVATE-DATA", "CHECK-SECOND-REQUEST");
    proves("ND2-CON-STATE-01", "ND2-LIS-REQ-02");
    Handshake handshake(driver());
    handshake.bound();
    const Operation request = handshake.listener->get_request(*handshake.passive.connector);
    expect(handshake.passive,
           {kActive, kActive, kInvalid, kInvalid, kState, kInvalid, kInvalid, kInvalid, kInvalid, kInvalid, kInvalid});
    EXPECT_EQ(handshake.listener->get_request(*handshake.passive.connector).begun(), kActive);
    EXPECT_EQ(request.now(), Outcome::pending);
}

TEST_P(ConnectorState, Requested) {
    proves("ND2-CON-STATE-01", "ND2-CON-BIND-02");
    Handshake handshake(driver());
    handshake.requested();
    expect(handshake.passive, {kBound, kActive, kInvalid, {}, {}, kOk, kOk, kOk, kOk, kInvalid, kInvalid});
    EXPECT_EQ(handshake.connect->now(), Outcome::pending);
}

TEST_P(ConnectorState, Accepting) {
    if (const char* const why = support::lacks(support::Ability::complete_connect)) GTEST_SKIP() << why;
    provokes("CHECK-LIMITS-AFTER-ACCEPT");
    proves("ND2-CON-STATE-01");
    Handshake handshake(driver());
    handshake.replied();
    expect(handshake.passive, {kBound, kActive, kInvalid, kActive, kState, kOk, kOk, kOk, kOk, Outcome::pending, {}});
    EXPECT_EQ(handshake.accept->now(), Outcome::pending);
}

TEST_P(ConnectorState, Connected) {
    provokes("CHECK-LIMITS-AFTER-ACCEPT");
    proves("ND2-CON-STATE-01");
    Handshake handshake(driver());
    handshake.connected();
    const Answers answers{kBound, kActive, kInvalid, kActive, kState, kOk, kOk, kOk, kOk, Outcome::pending, {}};
    expect(handshake.active, answers);
    expect(handshake.passive, answers);
}

TEST_P(ConnectorState, PeerGone) {
    provokes("CHECK-LIMITS-AFTER-ACCEPT");
    proves("ND2-CON-STATE-01");
    Handshake handshake(driver());
    handshake.connected();
    const Operation lost = handshake.passive.connector->notify_disconnect();
    ASSERT_EQ(handshake.active.connector->disconnect().wait(), Outcome::success);
    ASSERT_EQ(lost.wait(), Outcome::success);
    expect(handshake.passive, {kBound, kActive, kInvalid, kActive, kState, kOk, kOk, kOk, kOk, Outcome::pending, {}});
}

TEST_P(ConnectorState, DoneAfterAConnection) {
    provokes("CHECK-PRIVATE-DATA");
    proves("ND2-CON-STATE-01");
    Handshake handshake(driver());
    handshake.connected();
    ASSERT_EQ(handshake.active.connector->disconnect().wait(), Outcome::success);
    expect(handshake.active,
           {kBound, kState, kInvalid, kState, kState, kInvalid, kInvalid, kOk, kOk, Outcome::pending, kInvalid});
}

TEST_P(ConnectorState, DoneAfterReject) {
    provokes("CHECK-AFTER-REJECT");
    proves("ND2-CON-STATE-01", "ND2-CON-REJ-01");
    Handshake handshake(driver());
    handshake.requested();
    ASSERT_EQ(handshake.passive.connector->reject({}), Outcome::success);
    expect(handshake.passive,
           {kBound, kState, kInvalid, kState, kState, kInvalid, kInvalid, kOk, kOk, kInvalid, kInvalid});
}

INSTANTIATE_TEST_SUITE_P(, ConnectorState, testing::ValuesIn(every_variant()), variant_name);

}  // namespace
}  // namespace opennd::conformance
