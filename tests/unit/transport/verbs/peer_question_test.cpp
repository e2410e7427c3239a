// SPDX-License-Identifier: MIT
// The limit of messages that wait for a receive, as a connection sets it, and the question whether the peer's host answers: the fake
// rdma_cm is the kernel, the test the peer's.
#include "transport/verbs/connection/peer_question.h"

#include <arpa/inet.h>

#include "support/requirement.h"
#include "unit/transport/verbs/connector_test.h"

namespace opennd::verbs {
namespace {

using std::chrono::milliseconds;
using support::proves;

class PeerQuestionTest : public VerbsConnecting {
protected:
    // A message of the established connection stands; the id of the question is the newest.
    void stand() {
        establish();
        pair_->connection->queue_pair_stands();
        journal_.wait_for("resolve_addr", 2);
    }
    void ask() {
        stand();
        tell(RDMA_CM_EVENT_ADDR_RESOLVED);
        tell(RDMA_CM_EVENT_ROUTE_RESOLVED);
        journal_.wait_for("connect", 2);
    }
};

TEST_P(PeerQuestionTest, IsARequestToAPortThatNobodyHas) {
    ask();
    const auto* const to = reinterpret_cast<const sockaddr_in*>(&cm_.newest()->route.addr.dst_storage);
    EXPECT_EQ(to->sin_port, 0);
    EXPECT_EQ(to->sin_addr.s_addr, htonl(0xC0000202)) << "192.0.2.2, the peer";
    EXPECT_EQ(cm_.last_terms().qp_num, 0u) << "the peer's kernel would end the connection that has this number";
    EXPECT_TRUE(cm_.last_data().empty());
    tell(RDMA_CM_EVENT_REJECTED, 8);
    journal_.wait_for("peer answered");
    journal_.wait_for("destroy_id");
}

TEST_P(PeerQuestionTest, HasNoAnswerFromAHostThatIsSilent) {
    ask();
    tell(RDMA_CM_EVENT_UNREACHABLE, -ETIMEDOUT);
    journal_.wait_for("destroy_id");
    EXPECT_FALSE(journal_.has("peer answered"));
}

TEST_P(PeerQuestionTest, HasNoAnswerWhereACallOfItFails) {
    cm_.fail("resolve_addr", 0);
    establish();
    cm_.fail("resolve_addr", ENETUNREACH);
    pair_->connection->queue_pair_stands();
    journal_.wait_for("destroy_id");
    cm_.fail("resolve_addr", 0);
    pair_->connection->queue_pair_stands();
    journal_.wait_for("resolve_addr", 3);
    cm_.fail("resolve_route", ENETUNREACH);
    tell(RDMA_CM_EVENT_ADDR_RESOLVED);
    journal_.wait_for("destroy_id", 2);
    EXPECT_FALSE(journal_.has("peer answered"));
}

TEST_P(PeerQuestionTest, EndsWithItsConnection) {
    ask();
    connector_->end(Ending::disconnect);
    journal_.wait_for("destroy_id");
}

TEST_P(PeerQuestionTest, IsAskedAnewForTheNextMessageThatStands) {
    ask();
    pair_->connection->queue_pair_stands();
    journal_.wait_for("destroy_id");
    journal_.wait_for("resolve_addr", 3);
}

INSTANTIATE_TEST_SUITE_P(Fabrics, PeerQuestionTest, testing::Values(IBV_TRANSPORT_IB), fabric_name);

class MessageLimitOfAConnection : public VerbsConnecting {};

TEST_P(MessageLimitOfAConnection, IsTheSettingWhereTheDeviceWouldRepeatWithoutEnd) {
    proves("ND2-QP-SEND-05");
    establish();
    ASSERT_EQ(pair_->message_limit.has_value(), !is_iwarp());
    if (is_iwarp()) return;  // a message without a receive ends the connection there
    EXPECT_EQ(pair_->message_limit->wait, milliseconds{1000});
}

TEST_P(MessageLimitOfAConnection, IsNoneForAProgramThatWaits) {
    proves("NDK-QP-SEND-04");
    pair_->waits = true;
    establish();
    EXPECT_FALSE(pair_->message_limit.has_value());
}

// ND2-SRQ-RECV-03.
TEST_P(MessageLimitOfAConnection, IsNoneTowardsASharedReceiveQueue) {
    proves("ND2-SRQ-RECV-03");
    request();
    cm_.tell(cm_.newest(), {.type = is_iwarp() ? RDMA_CM_EVENT_ESTABLISHED : RDMA_CM_EVENT_CONNECT_RESPONSE,
                            .inbound = 4,
                            .outbound = 3,
                            .shares = true});
    turn();
    connector_->complete();
    journal_.wait_for(established());
    EXPECT_FALSE(pair_->message_limit.has_value());
    connector_->end(Ending::disconnect);
    pair_->message_limit.emplace();
    accept({.type = RDMA_CM_EVENT_CONNECT_REQUEST, .inbound = 4, .outbound = 3, .shares = true});
    EXPECT_FALSE(pair_->message_limit.has_value());
}

INSTANTIATE_TEST_SUITE_P(Fabrics, MessageLimitOfAConnection, both_fabrics(), fabric_name);

}  // namespace
}  // namespace opennd::verbs
