// SPDX-License-Identifier: MIT
// Many connections between two opens of adapters on one host: they share a link, take no descriptors, and end one by one.
#include <memory>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/requirement.h"
#include "transport/soft/adapter.h"
#include "unit/platform/open_descriptors.h"
#include "unit/transport/connected_pair.h"

namespace opennd::local {
namespace {

using test::RecordingSink;

class ManyConnections : public testing::Test {
protected:
    struct End {
        Ref<TransportQueuePair> queue_pair;
        Ref<TransportConnector> connector;
        Ref<RecordingSink> sink = make_ref<RecordingSink>();
    };
    struct Connection {
        End active, passive;
    };

    ManyConnections() {
        std::vector<std::unique_ptr<soft::Wire>> wires;
        wires.push_back(std::make_unique<shm::ShmWire>());
        transport_ = std::make_unique<soft::SoftTransport>(loop_, memory_, std::move(wires));
        for (Ref<TransportAdapter>* adapter : {&caller_, &server_})
            *adapter = transport_->open(Interface{}, Face::nd2).take();
        sent_ = caller_->create_completion_queue(64, NotifyRule::level, events_).take();
        received_ = server_->create_completion_queue(64, NotifyRule::level, events_).take();
        listener_ = server_->create_listener(Ref<ListenerSink>(requests_)).take();
        address_ = listener_->bind(test::loopback_address(0)).take();
        EXPECT_EQ(listener_->listen(16), Status::success);
    }
    ~ManyConnections() override {
        for (Connection& each : connections_) end(each);
        listener_->close();
        sent_->close();
        received_->close();
    }

    void ask(End& end) {
        end.queue_pair = caller_->create_queue_pair({{1, 1, 1, 1, 8}, sent_, sent_, this}).take();
        end.connector = caller_->connect(Ref<ConnectorSink>(end.sink), test::loopback_address(1), PortOrigin::drawn,
                                         address_, {1, 1}, {}, end.queue_pair);
    }
    void connect(int count) {
        for (int i = 0; i < count; ++i) {
            Connection& made = connections_.emplace_back();
            made.passive.queue_pair = server_->create_queue_pair({{1, 1, 1, 1, 8}, received_, received_, this}).take();
            ask(made.active);
            ASSERT_EQ(requests_->arrived.wait(), Status::success);
            made.passive.connector = std::move(requests_->connector);
            made.passive.connector->set_sink(Ref<ConnectorSink>(made.passive.sink));
            made.passive.connector->accept(made.passive.queue_pair, {1, 1}, {});
            ASSERT_EQ(made.active.sink->replied.wait(), Status::success);
            made.active.connector->complete();
            ASSERT_EQ(made.active.sink->established.wait(), Status::success);
            ASSERT_EQ(made.passive.sink->established.wait(), Status::success);
        }
    }
    static void end(Connection& connection) {
        for (End* end : {&connection.active, &connection.passive}) {
            end->connector->end(Ending::give_up);
            end->queue_pair->close();
        }
    }
    bool is_up(const Connection& connection) {
        return connection.active.queue_pair->state() == QueuePairState::attached &&
               connection.passive.queue_pair->state() == QueuePairState::attached;
    }

    EventLoop loop_;
    MappableMemory memory_;
    std::unique_ptr<soft::SoftTransport> transport_;
    Ref<TransportAdapter> caller_, server_;
    test::CountingSink events_;
    Ref<TransportCompletionQueue> sent_, received_;
    Ref<test::OneRequest> requests_ = make_ref<test::OneRequest>();
    Ref<TransportListener> listener_;
    Address address_;
    std::vector<Connection> connections_;
};

TEST_F(ManyConnections, TakeNoDescriptorEach) {
    connect(1);
    constexpr std::size_t kPassing = 16;  // of the handshake, which may still be at its end
    const std::size_t before = open_descriptors();
    connect(140);
    EXPECT_LT(open_descriptors(), before + kPassing);
}

TEST_F(ManyConnections, EndOneByOne) {
    support::proves("ND2-CON-DISC-01");
    connect(3);
    connections_[1].active.connector->end(Ending::disconnect);
    EXPECT_EQ(connections_[1].passive.sink->disconnected.wait(), Status::disconnected);
    connections_[0].passive.connector->end(Ending::abort);
    EXPECT_EQ(connections_[0].active.sink->disconnected.wait(), Status::disconnected);
    EXPECT_TRUE(is_up(connections_[2]));
    connect(1);
    EXPECT_TRUE(is_up(connections_[3]));
}

TEST_F(ManyConnections, ComeAndGoWithoutEndBesideOneThatStays) {
    support::proves("ND2-CON-DISC-01");
    connect(1);
    for (int i = 0; i < 200; ++i) {
        connect(1);
        Connection last = std::move(connections_.back());
        connections_.pop_back();
        const bool passive_first = i % 2 == 0;
        End& first = passive_first ? last.passive : last.active;
        End& second = passive_first ? last.active : last.passive;
        first.connector->end(Ending::disconnect);
        ASSERT_EQ(second.sink->disconnected.wait(), Status::disconnected);
        end(last);
    }
    EXPECT_TRUE(is_up(connections_[0]));
}

// Their link is kept until then.
TEST_F(ManyConnections, LeaveNothingBehindOnceAnOpenHasEnded) {
    connect(1);  // what the first connection of a process opens stays
    const std::size_t before = open_descriptors();
    Ref<TransportAdapter> other = transport_->open(Interface{}, Face::nd2).take();
    Ref<TransportCompletionQueue> sent = other->create_completion_queue(64, NotifyRule::level, events_).take();
    std::swap(caller_, other);
    std::swap(sent_, sent);
    connect(1);
    end(connections_.back());
    connections_.pop_back();
    std::swap(caller_, other);
    std::swap(sent_, sent);
    sent->close();
    sent = nullptr;
    other = nullptr;
    expect_all_closed(before);
}

TEST_F(ManyConnections, OutliveARequestThatWasGivenUpOrRejected) {
    support::proves("ND2-CON-ACC-03");
    End first, second;
    ask(first);  // its socket is to become the link
    first.connector->end(Ending::cancel);
    ASSERT_EQ(requests_->arrived.wait(), Status::success);
    requests_->connector->end(Ending::give_up);
    connect(1);
    ask(second);
    ASSERT_EQ(requests_->arrived.wait(), Status::success);
    requests_->connector->reject({});
    EXPECT_EQ(second.sink->replied.wait(), Status::connection_refused);
    EXPECT_TRUE(is_up(connections_[0]));
    connect(1);
    for (End* end : {&first, &second}) {
        end->connector->end(Ending::give_up);
        end->queue_pair->close();
    }
}

}  // namespace
}  // namespace opennd::local
