// SPDX-License-Identifier: MIT
//
// A program of version 2 in the guest whose adapter joins the device and shared memory: a peer of version 2 in the same process shares memory
// with it, and a consumer of the kernel's interface has the device alone. Both meet in one region and one pair of completion queues.
#include <arpa/inet.h>

#include <cstring>
#include <optional>
#include <string>

#include "conformance/vocabulary/fixture.h"
#include "conformance/vocabulary/handshake.h"
#include "conformance/vocabulary/nd2/driver.h"
#include "conformance/vocabulary/nd2/objects.h"
#include "conformance/vocabulary/ndk/driver.h"
#include "lab/lab_test.h"

namespace opennd::lab {
namespace {

using conformance::Adapter;
using conformance::Connector;
using conformance::QueuePair;

struct Caller {
    Connector& connector;
    QueuePair& queue_pair;
};

std::string transport_of(Connector& connector) {
    char name[32] = "", path[64] = "";
    EXPECT_EQ(opennd_connection_transport(dynamic_cast<conformance::nd2::Nd2Connector&>(connector).get(), name,
                                          sizeof name, path, sizeof path),
              ND_SUCCESS);
    return name;
}

class Joint : public testing::Test {
protected:
    static void connect(const Caller& active, Endpoint& passive) {
        const auto listener = conformance::listening(*passive.adapter);
        ASSERT_EQ(active.connector.bind(conformance::local_address()), Outcome::success);
        const Operation request = listener->get_request(*passive.connector);
        const Operation connect =
            active.connector.connect(active.queue_pair, conformance::address_of(*listener), {}, {});
        ASSERT_EQ(request.wait(kPatience), Outcome::success);
        const Operation accept = passive.connector->accept(*passive.queue_pair, {}, {});
        ASSERT_EQ(connect.wait(kPatience), Outcome::success);
        ASSERT_EQ(active.connector.complete_connect().wait(kPatience), Outcome::success);
        ASSERT_EQ(accept.wait(kPatience), Outcome::success);
    }

private:
    conformance::PinnedTransport transport_{"verbs+shm"};
    std::unique_ptr<conformance::Driver> nd2_ = conformance::nd2::open_driver(), ndk_ = conformance::ndk::open_driver();

protected:
    Endpoint own_{*nd2_, {}}, near_{*nd2_, {}}, far_{*ndk_, {}};
    // A second queue pair of the first endpoint.
    std::unique_ptr<QueuePair> second_ = own_.adapter->create_queue_pair(*own_.received, *own_.initiated, {});
    std::unique_ptr<Connector> second_connector_ = own_.adapter->create_connector();
};

TEST_F(Joint, PeersOfBothPartsMeetInOneRegionAndOneQueue) {
    proves("ND2-MR-TOK-02", "ND2-CQ-GET-06");
    for (const auto& [queue_pair, tag] : {std::pair{own_.queue_pair.get(), 1}, {second_.get(), 2}}) {
        const conformance::Sge piece = own_.piece(static_cast<std::size_t>(tag) * 64, 64);
        ASSERT_EQ(queue_pair->receive(static_cast<conformance::Tag>(tag), {&piece, 1}), Outcome::success);
    }
    ASSERT_NO_FATAL_FAILURE(connect({*own_.connector, *own_.queue_pair}, near_));
    ASSERT_NO_FATAL_FAILURE(connect({*second_connector_, *second_}, far_));
    EXPECT_EQ(transport_of(*own_.connector), "shm");
    EXPECT_EQ(transport_of(*second_connector_), "verbs");

    const std::uint32_t token = own_.region->remote_token();
    std::memset(near_.bytes(0, 64).data(), 'n', 64);
    std::memset(far_.bytes(0, 64).data(), 'f', 64);
    for (Endpoint* each : {&near_, &far_}) {
        const std::size_t at = each == &near_ ? 1024 : 2048;
        ASSERT_EQ(each->write(5, 0, 64, {own_.remote(at).address, each == &near_ ? token : ntohl(token)}),
                  Outcome::success);
        ASSERT_EQ(each->send(6, 0, 64), Outcome::success);
        ASSERT_TRUE(reports(*each->initiated, RequestKind::write, 5, Outcome::success));
        ASSERT_TRUE(reports(*each->initiated, RequestKind::send, 6, Outcome::success));
    }
    const std::vector<Completion> received = conformance::next(*own_.received, 2);
    ASSERT_EQ(received.size(), 2u);
    EXPECT_EQ(received[0].outcome, Outcome::success);
    EXPECT_EQ(received[1].outcome, Outcome::success);
    EXPECT_EQ(received[0].request + received[1].request, 3u) << "one of each peer";
    for (const std::size_t at : {64, 1024}) EXPECT_EQ(own_.bytes(at, 64)[63], std::byte{'n'});
    for (const std::size_t at : {128, 2048}) EXPECT_EQ(own_.bytes(at, 64)[63], std::byte{'f'});

    // And the other way: messages of one region to both.
    for (Endpoint* each : {&near_, &far_}) ASSERT_EQ(each->receive(7, 4096, 64), Outcome::success);
    const conformance::Sge piece = own_.piece(64, 64);
    ASSERT_EQ(own_.queue_pair->send(8, {&piece, 1}, 0), Outcome::success);
    ASSERT_EQ(second_->send(9, {&piece, 1}, 0), Outcome::success);
    const std::vector<Completion> sent = conformance::next(*own_.initiated, 2);
    ASSERT_EQ(sent.size(), 2u);
    EXPECT_EQ(sent[0].request + sent[1].request, 17u);
    for (Endpoint* each : {&near_, &far_}) {
        EXPECT_TRUE(reports_received(*each->received, 7, 64));
        EXPECT_EQ(each->bytes(4096, 64)[0], std::byte{'n'});
    }
}

TEST_F(Joint, OneNotifyHearsOfEitherPart) {
    proves("ND2-CQ-NTF-02");
    ASSERT_NO_FATAL_FAILURE(connect({*own_.connector, *own_.queue_pair}, near_));
    for (const auto& [queue_pair, peer] : {std::pair{second_.get(), &far_}, {own_.queue_pair.get(), &near_}}) {
        for (const bool arrived : {false, true}) {
            const conformance::Sge piece = own_.piece(0, 64);
            ASSERT_EQ(queue_pair->receive(1, {&piece, 1}), Outcome::success);
            if (peer == &far_ && !arrived) {
                ASSERT_NO_FATAL_FAILURE(connect({*second_connector_, *second_}, far_));
            }
            std::optional<Operation> notify;
            if (!arrived) notify.emplace(own_.received->notify(conformance::NotifyType::any));
            ASSERT_EQ(peer->send(2, 0, 64), Outcome::success);
            ASSERT_TRUE(reports(*peer->initiated, RequestKind::send, 2, Outcome::success));
            if (arrived) notify.emplace(own_.received->notify(conformance::NotifyType::any));
            EXPECT_EQ(notify->wait(kPatience), Outcome::success);
            EXPECT_TRUE(reports_received(*own_.received, 1, 64));
        }
    }
}

}  // namespace
}  // namespace opennd::lab
