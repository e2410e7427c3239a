// SPDX-License-Identifier: MIT
// A connection over an RDMA device, ended: by either program, by both, by the queue pair, with the device.
#include <gtest/gtest.h>

#include "unit/transport/verbs/connector_test.h"

namespace opennd::verbs {
namespace {

using namespace std::chrono_literals;
constexpr std::chrono::milliseconds kLong{60000};

class VerbsEnding : public VerbsConnecting {
protected:
    // The peer's own end, or its answer to that of this side.
    void peer_ends(int status = 0) { tell(RDMA_CM_EVENT_DISCONNECTED, status); }
};

TEST_P(VerbsEnding, DisconnectFlushesAndTellsThePeer) {
    establish();
    connector_->end(Ending::disconnect);
    // iWARP ends the stream behind what it still sends; InfiniBand has had its acknowledgements.
    if (is_iwarp())
        EXPECT_TRUE(journal_.in_order("disconnect", "pair ended"));
    else
        EXPECT_TRUE(journal_.in_order("pair ended", "disconnect"));
    turn();
    EXPECT_FALSE(journal_.has("disconnected: disconnected"));  // the sink is not called
}

TEST_P(VerbsEnding, KeepsTheIdUntilThePeerHasAnswered) {
    establish();
    connector_->end(Ending::disconnect);
    connector_->end(Ending::give_up);
    connector_ = nullptr;
    turn();
    EXPECT_FALSE(journal_.has("destroy_id"));  // a word that is lost is repeated
    peer_ends();
    journal_.wait_for("destroy_id");
}

TEST_P(VerbsEnding, KeepsNoIdWhereThePeerCannotBeTold) {
    establish();
    cm_.fail("disconnect", EINVAL);
    connector_->end(Ending::disconnect);
    journal_.wait_for("destroy_id");
}

TEST_P(VerbsEnding, ThePeersEndIsToldAfterItsMessages) {
    establish();
    peer_ends();
    journal_.wait_for("disconnected: disconnected");
    EXPECT_TRUE(journal_.in_order("pair ended by peer", "disconnected: disconnected"));
    turn();
    EXPECT_EQ(journal_.has("pair ended"), is_iwarp());  // core decides when, unless the kernel has
    journal_.wait_for("destroy_id");
    // InfiniBand: the peer asks again until it has an answer. It asks the program first whether this was a notice.
    EXPECT_EQ(journal_.has("disconnect"), !is_iwarp());
    EXPECT_TRUE(journal_.has("peer finished"));
}

TEST_P(VerbsEnding, ThePeersEndIsNoneInOrderAfterAFailure) {
    pair_->peer_ends_in_order = false;
    establish();
    peer_ends();
    journal_.wait_for("disconnected: connection_aborted");
}

TEST_P(VerbsEnding, OutlivesThePeersNotice) {
    program_->outlives_notice = true;
    establish();
    peer_ends();
    journal_.wait_for("peer finished");
    turn();
    EXPECT_FALSE(journal_.has("disconnect"));
    EXPECT_FALSE(journal_.has("disconnected: disconnected"));
    EXPECT_EQ(journal_.has("pair ended by peer"), is_iwarp());  // no half close there
    connector_->finish(kLong);                                  // NDK-CON-DISC-02
    journal_.wait_for("ended: success");
    if (!is_iwarp()) {
        EXPECT_TRUE(journal_.in_order("pair ended", "disconnect"));
    }
    journal_.wait_for("destroy_id");
}

TEST_P(VerbsEnding, EndsGracefullyWhenThePeerAnswers) {
    establish();
    connector_->finish(kLong);
    journal_.wait_for("disconnect");
    turn();
    EXPECT_FALSE(journal_.has("pair ended"));  // messages of the peer still arrive
    peer_ends();
    journal_.wait_for("ended: success");
    EXPECT_TRUE(journal_.in_order("pair ended", "ended: success"));
    EXPECT_EQ(journal_.count("disconnect"), 1);
}

TEST_P(VerbsEnding, CarriesOutItsRequestsBeforeItTellsThePeer) {
    establish();
    pair_->finished = false;
    connector_->finish(kLong);
    turn();
    EXPECT_FALSE(journal_.has("disconnect"));
    pair_->finished = true;
    journal_.wait_for("disconnect");
}

TEST_P(VerbsEnding, AnswersAPeerThatFinishedFirstOnceItHasFinishedToo) {
    establish();
    pair_->finished = false;
    connector_->finish(kLong);
    peer_ends();
    if (is_iwarp()) {  // the kernel has flushed
        journal_.wait_for("ended: success");
        return;
    }
    turn();
    EXPECT_FALSE(journal_.has("ended: success"));
    pair_->finished = true;
    journal_.wait_for("ended: success");
    EXPECT_FALSE(journal_.has("peer finished"));  // not after finish()
}

TEST_P(VerbsEnding, DoesNotEndInOrderWithAPeerThatDoesNotAnswer) {
    establish();
    connector_->finish(kLong);
    journal_.wait_for("disconnect");
    peer_ends(-ETIMEDOUT);
    journal_.wait_for("ended: connection_aborted");
}

TEST_P(VerbsEnding, WaitsForThePeerNoLongerThanItsPatience) {
    establish();
    connector_->finish(1ms);
    journal_.wait_for("ended: timed_out");
    EXPECT_TRUE(journal_.has("pair ended"));
    EXPECT_EQ(journal_.count("disconnect"), 1);
}

TEST_P(VerbsEnding, EndsGracefullyAfterAPeerThatEndedInOrder) {
    establish();
    peer_ends();
    journal_.wait_for("disconnected: disconnected");
    turn();
    EXPECT_EQ(journal_.has("pair ended"), is_iwarp());  // NDK's queue pair outlives its peer
    connector_->finish(kLong);
    journal_.wait_for("ended: success");
    EXPECT_TRUE(journal_.in_order("pair ended", "ended: success"));
}

TEST_P(VerbsEnding, AFailedRequestEndsTheConnectionAndIsTold) {
    establish();
    const Ref<ConnectionEnd> end = pair_->connection;
    end->queue_pair_failed();
    EXPECT_TRUE(journal_.has("disconnect"));  // InfiniBand's peer would hear nothing (ND2-QP-ERR-01)
    journal_.wait_for("disconnected: connection_aborted");
    end->queue_pair_failed();  // no effect
    turn();
    EXPECT_EQ(journal_.count("disconnected: connection_aborted"), 1);
}

TEST_P(VerbsEnding, AReleasedQueuePairEndsTheConnection) {
    establish();
    const Ref<ConnectionEnd> end = pair_->connection;
    end->queue_pair_closed();
    EXPECT_TRUE(journal_.has("disconnect"));
    journal_.wait_for("disconnected: canceled");
}

TEST_P(VerbsEnding, AFailureEndsAGracefulEndToo) {
    establish();
    pair_->finished = false;
    connector_->finish(kLong);
    const Ref<ConnectionEnd> end = pair_->connection;
    end->queue_pair_failed();
    journal_.wait_for("ended: connection_aborted");
    EXPECT_FALSE(journal_.has("disconnected: connection_aborted"));
}

TEST_P(VerbsEnding, AFailureWhileAcceptingComesFromAPeerThatHasCompleted) {
    accept();
    const Ref<ConnectionEnd> end = pair_->connection;
    end->queue_pair_failed();
    journal_.wait_for("disconnected: connection_aborted");
    EXPECT_TRUE(journal_.in_order("established", "disconnected: connection_aborted"));
}

TEST_P(VerbsEnding, GivesUpWhileItConnectsAndTheQueuePairIsIdleAgain) {
    for (const bool late : {false, true}) {
        connect();
        if (late) {
            cm_.hold("connect");  // iWARP dials
            tell(RDMA_CM_EVENT_ADDR_RESOLVED);
            tell(RDMA_CM_EVENT_ROUTE_RESOLVED);
            journal_.wait_for("connect");
        }
        const long before = journal_.count("pair is idle again");
        connector_->end(Ending::cancel);
        EXPECT_EQ(journal_.count("pair is idle again"), before + 1);  // on return (ND2-CON-CONN-06)
        cm_.let_go();
        connector_ = nullptr;
        journal_.wait_for("destroy_id", late ? 2 : 1);
    }
    EXPECT_FALSE(journal_.has("connect failed: connection_aborted, 0 octets"));
}

TEST_P(VerbsEnding, OutlivesAChangeOfTheLinkUnderItsInterface) {
    establish();
    tell(RDMA_CM_EVENT_ADDR_CHANGE);
    EXPECT_FALSE(journal_.has("pair ended"));
    EXPECT_FALSE(journal_.has("disconnect"));
    connector_->end(Ending::disconnect);
    EXPECT_TRUE(journal_.has("disconnect")) << "it was up";
    peer_ends();
    journal_.wait_for("destroy_id");
}

TEST_P(VerbsEnding, RefusesAReplyThatTheProgramRejects) {
    reply();
    connector_->reject(data(20));
    EXPECT_TRUE(journal_.has("pair is idle again"));
    if (is_iwarp()) {
        EXPECT_TRUE(journal_.has("disconnect"));  // the stream is up, and has no word for it
        EXPECT_FALSE(journal_.has("reject"));
        peer_ends();
    } else {
        EXPECT_TRUE(journal_.has("reject"));
        EXPECT_EQ(program_part(cm_.last_data()), data(20));
    }
    journal_.wait_for("destroy_id");
}

TEST_P(VerbsEnding, RefusesAReplyThatTheProgramLeaves) {
    reply();
    connector_->end(Ending::give_up);
    EXPECT_TRUE(journal_.has(is_iwarp() ? "disconnect" : "reject"));
    EXPECT_TRUE(journal_.has("pair is idle again"));
    if (is_iwarp()) peer_ends();
    journal_.wait_for("destroy_id");
}

TEST_P(VerbsEnding, RefusesAPeerByTheEndOfItsIdWhileItAccepts) {
    accept();
    guest()->end(Ending::disconnect);
    EXPECT_TRUE(journal_.has("pair ended"));
    // InfiniBand has no disconnect before the peer has completed: the end of the id refuses it.
    EXPECT_EQ(journal_.has("disconnect"), is_iwarp());
    if (is_iwarp()) tell_asker(RDMA_CM_EVENT_DISCONNECTED);
    journal_.wait_for("destroy_id");
}

TEST_P(VerbsEnding, EveryStateEndsWithTheDevice) {
    connect();
    tell(RDMA_CM_EVENT_DEVICE_REMOVAL);
    journal_.wait_for("connect failed: device_removed, 0 octets");
    EXPECT_TRUE(device_->ended());
    EXPECT_TRUE(journal_.has("pair is idle again"));
    journal_.wait_for("destroy_id");  // the device waits for it
}

TEST_P(VerbsEnding, AConnectionEndsWithTheDevice) {
    establish();
    tell(RDMA_CM_EVENT_DEVICE_REMOVAL);
    journal_.wait_for("disconnected: connection_aborted");
    EXPECT_TRUE(journal_.in_order("pair ended", "disconnected: connection_aborted"));
    journal_.wait_for("destroy_id");
}

TEST_P(VerbsEnding, AGracefulEndEndsWithTheDevice) {
    establish();
    pair_->finished = false;
    connector_->finish(kLong);
    tell(RDMA_CM_EVENT_DEVICE_REMOVAL);
    journal_.wait_for("ended: connection_aborted");
}

TEST_P(VerbsEnding, AReplyIsLostWithTheDevice) {
    reply();
    tell(RDMA_CM_EVENT_DEVICE_REMOVAL);
    journal_.wait_for("establish failed: connection_aborted");
    connector_->complete();
    EXPECT_TRUE(journal_.has("pair ended"));
}

TEST_P(VerbsEnding, AListenerTellsTheDevicesEnd) {
    listen();
    cm_.tell(cm_.newest(), {.type = RDMA_CM_EVENT_DEVICE_REMOVAL});
    turn();
    EXPECT_TRUE(device_->ended());
}

TEST_P(VerbsEnding, ThePathNamesTheFabric) {
    establish();
    EXPECT_EQ(connector_->path().transport, "verbs");
    EXPECT_EQ(connector_->path().bulk, is_iwarp() ? "iWARP" : "InfiniBand");
}

INSTANTIATE_TEST_SUITE_P(Fabrics, VerbsEnding, both_fabrics(), fabric_name);

}  // namespace
}  // namespace opennd::verbs
