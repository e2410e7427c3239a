// SPDX-License-Identifier: MIT
//
// Streams that share their receives: the share that one peer can take, and the cost of its end to the others.
#include <memory>
#include <vector>

#include "conformance/vocabulary/shared_receiver.h"
#include "hostile/hostile_test.h"

namespace opennd::hostile {
namespace {

// A queue pair with the shared receives of `receiver`, and a raw peer at it.
struct SharedStream {
    SharedStream(conformance::SharedReceiver& receiver, Tag context)
        : received(receiver.completion_queue()),
          queue_pair(receiver.adapter->create_queue_pair(*received, *received, *receiver.queue, {.context = context})),
          connector(receiver.adapter->create_connector()),
          peer(RawPeer::connected_to(ntohs(receiver.address.ipv4.sin_port))) {
        const Operation awaited = receiver.listener->get_request(*connector);
        peer.say(octets_of({}));
        EXPECT_EQ(awaited.wait(), Outcome::success);
        const Operation accept = connector->accept(*queue_pair, {}, {});
        peer.hear_frame();
        peer.say(opening());
        EXPECT_EQ(accept.wait(), Outcome::success);
    }

    std::shared_ptr<conformance::CompletionQueue> received;
    std::unique_ptr<conformance::QueuePair> queue_pair;
    std::unique_ptr<conformance::Connector> connector;
    RawPeer peer;
};

class SharedReceives : public Hostile {
protected:
    conformance::SharedReceiver receiver_{driver(), {.threshold = 2}};
    SharedStream hostile_{receiver_, 1}, other_{receiver_, 2};
};

// A stream holds one receive, for the arriving message. It waits for the rest without harm to others, and the owner is
// told that few receives are left.
TEST_F(SharedReceives, AreHeldOneAtATimeByAPeerThatStalls) {
    proves("IW-SEC-14");
    for (Tag tag = 1; tag <= 3; ++tag) ASSERT_EQ(receiver_.receive(tag, tag * 64, 64), Outcome::success);
    ASSERT_EQ(receiver_.queue->modify(0, 3), Outcome::success);
    const Operation taken = receiver_.queue->notify();
    hostile_.peer.say(fpdu(send(1, {1, 2}, false)));
    ASSERT_EQ(taken.wait(), Outcome::success) << "half a message has taken its receive";
    ASSERT_EQ(receiver_.queue->modify(0, 2), Outcome::success);
    const Operation low = receiver_.queue->notify();
    EXPECT_EQ(low.now(), Outcome::pending) << "two are left";
    other_.peer.say(fpdu(send(1, {3})));
    EXPECT_TRUE(reports_received(*other_.received, 2, 1));
    EXPECT_EQ(low.wait(), Outcome::success) << "one is left";
    other_.peer.say(fpdu(send(2, {4})));
    EXPECT_TRUE(reports_received(*other_.received, 3, 1));
    hostile_.peer.say(fpdu(send(1, {5}, true, 2)));
    EXPECT_TRUE(reports_received(*hostile_.received, 1, 3));
}

// A peer that floods gets no more than its turn: the stream that has waited longest comes first.
TEST_F(SharedReceives, GoToEachPeerThatWaitsInTurn) {
    proves("IW-SEC-14");
    Octets flood;
    for (std::uint32_t msn = 1; msn <= 100; ++msn) flood = joined({flood, fpdu(send(msn, {7}))});
    hostile_.peer.say(flood);
    other_.peer.say(joined({fpdu(send(1, {8})), fpdu(send(2, {8}))}));
    const auto take = [](SharedStream& stream) { return stream.received->poll(8).size(); };
    ASSERT_EQ(take(hostile_) + take(other_), 0u) << "there is none yet";
    std::size_t served = 0;
    Tag posted = 0;
    EXPECT_TRUE(wait_until([&] {
        if (posted < 90 && receiver_.receive(posted, posted * 64, 64) == Outcome::success) ++posted;
        (void)take(hostile_);
        served += take(other_);
        return served == 2;
    }));
    EXPECT_LT(posted, 90u) << "before the flood was over";
}

TEST_F(SharedReceives, AreLostOnlyWithTheMessageThatTookOne) {
    proves("IW-ERR-22");
    for (Tag tag = 1; tag <= 3; ++tag) ASSERT_EQ(receiver_.receive(tag, tag * 64, 64), Outcome::success);
    const Operation lost = hostile_.connector->notify_disconnect();
    hostile_.peer.say(fpdu(send(1, {1, 2}, false)));
    hostile_.peer.end();
    EXPECT_EQ(lost.wait(), Outcome::success);
    EXPECT_TRUE(reports_exactly(*hostile_.received, {1}, Outcome::canceled));
    other_.peer.say(joined({fpdu(send(1, {3})), fpdu(send(2, {4}))}));
    EXPECT_TRUE(reports_received(*other_.received, 2, 1));
    EXPECT_TRUE(reports_received(*other_.received, 3, 1));
}

}  // namespace
}  // namespace opennd::hostile
