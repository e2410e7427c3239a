// SPDX-License-Identifier: MIT
// The length of private data that another OpenND end tells, in each message of a connection over InfiniBand or RoCE.
#include "support/requirement.h"
#include "unit/transport/verbs/connector_test.h"

namespace opennd::verbs {
namespace {

using support::proves;

class MarkedMessages : public VerbsConnecting {
protected:
    static std::vector<std::byte> marked(std::size_t octets, CmMessage message, bool waits = false) {
        return with_mark(data(octets), message, {.waits_for_receives = waits});
    }
};

TEST_P(MarkedMessages, OfARequestHaveTheLengthThatThePeerTells) {
    proves("ND2-CON-PD-02", "ND2-AMB-28");
    listen();
    ask({.type = RDMA_CM_EVENT_CONNECT_REQUEST, .inbound = 4, .outbound = 3, .octets = marked(20, CmMessage::request)});
    journal_.wait_for("request of 192.0.2.2:6000, 4 in 3 out, 20 octets");
}

TEST_P(MarkedMessages, OfAReplyHaveTheLengthThatThePeerTells) {
    proves("ND2-CON-PD-02");
    request();
    cm_.tell(
        cm_.newest(),
        {.type = RDMA_CM_EVENT_CONNECT_RESPONSE, .inbound = 4, .outbound = 3, .octets = marked(20, CmMessage::reply)});
    journal_.wait_for("replied 4 in 3 out, 20 octets");
}

TEST_P(MarkedMessages, OfARefusalHaveTheLengthThatThePeerTells) {
    proves("ND2-CON-PD-02");
    request();
    cm_.tell(cm_.newest(), {.type = RDMA_CM_EVENT_REJECTED, .status = 28, .octets = marked(20, CmMessage::refusal)});
    journal_.wait_for("connect failed: connection_refused, 20 octets");
}

TEST_P(MarkedMessages, TellThatNothingWasGiven) {
    connector_ =
        VerbsConnector::connect(owner_, device_, program_, here_, PortOrigin::program, there_, {5, 6}, {}, pair_);
    tell(RDMA_CM_EVENT_ADDR_RESOLVED);
    tell(RDMA_CM_EVENT_ROUTE_RESOLVED);
    journal_.wait_for("connect");
    EXPECT_EQ(cm_.last_data(), marked(0, CmMessage::request));
}

TEST_P(MarkedMessages, TellThatAPeerMayWaitForReceivesWithoutLimit) {
    proves("NDK-QP-SEND-04");
    pair_->waits = true;
    request();
    EXPECT_TRUE(without_mark(cm_.last_data()).mark.waits_for_receives);
    pair_->waits = false;
    cm_.tell(cm_.newest(), {.type = RDMA_CM_EVENT_CONNECT_RESPONSE, .octets = marked(0, CmMessage::reply, true)});
    turn();
    connector_->complete();
    journal_.wait_for("established");
    EXPECT_FALSE(pair_->message_limit.has_value()) << "the peer waits for receives of its own";
}

INSTANTIATE_TEST_SUITE_P(Fabrics, MarkedMessages, testing::Values(IBV_TRANSPORT_IB), fabric_name);

}  // namespace
}  // namespace opennd::verbs
