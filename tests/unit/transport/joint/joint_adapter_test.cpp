// SPDX-License-Identifier: MIT
// A joint adapter whose device is a software RNIC over TCP: its tokens and its listeners are as strange to shared memory as a NIC's. The
// same code stands over rdma-core in the lab's guest.
#include "transport/joint/adapter.h"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstring>
#include <future>
#include <memory>
#include <utility>
#include <vector>

#include "platform/process/clock.h"
#include "support/requirement.h"
#include "unit/transport/connected_pair.h"

namespace opennd::joint {
namespace {

using support::proves;
using test::CountingSink;
using test::loopback_address;
using test::OneRequest;
using test::RecordingSink;

constexpr Access kAll = Access::local_write | Access::remote_read | Access::remote_write;

std::unique_ptr<soft::SoftTransport> transport_over(EventLoop& loop, MappableMemory& memory,
                                                    std::unique_ptr<soft::Wire> wire) {
    std::vector<std::unique_ptr<soft::Wire>> wires;
    wires.push_back(std::move(wire));
    return std::make_unique<soft::SoftTransport>(loop, memory, std::move(wires));
}

// An open with one completion queue.
struct Open {
    Ref<TransportAdapter> adapter;
    CountingSink events;
    Ref<TransportCompletionQueue> queue;

    Completion next() {
        Completion completion{.status = Status::internal_error};
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
        while (queue->poll({&completion, 1}) == 0)
            if (std::chrono::steady_clock::now() > deadline) {
                ADD_FAILURE() << "no result came";
                break;
            }
        return completion;
    }
};

// A queue pair with a region of its own, and its connection.
struct End {
    explicit End(Open& open)
        : region(open.adapter->register_memory(bytes.data(), bytes.size(), kAll).take()),
          token(region->remote_token()),
          pair(open.adapter->create_queue_pair({{8, 8, 4, 4, 64}, open.queue, open.queue, this}).take()) {}
    ~End() {
        if (connector) connector->end(Ending::give_up);
        pair->close();
        if (region) region->deregister();
    }
    End(const End&) = delete;
    End& operator=(const End&) = delete;

    std::array<std::byte, 256> bytes{};
    Ref<TransportMemory> region;  // null: it was withdrawn
    Token token;                  // its remote token
    Ref<TransportQueuePair> pair;
    Ref<TransportConnector> connector;
    Ref<RecordingSink> sink = make_ref<RecordingSink>();

    Sge entry(std::size_t offset, std::uint32_t length) {
        return {bytes.data() + offset, length, region->local_token()};
    }
    Status post(Operation operation, const Sge& entry, std::uintptr_t context) {
        return pair->post({operation, RequestFlags::none, reinterpret_cast<void*>(context), {&entry, 1}});
    }
    Status write_to(const End& peer, std::size_t offset, const Sge& entry, std::uintptr_t context) {
        WorkRequest request{Operation::write, RequestFlags::none, reinterpret_cast<void*>(context), {&entry, 1}};
        request.remote_address = reinterpret_cast<std::uint64_t>(peer.bytes.data() + offset);
        request.remote_token = peer.token;
        return pair->post(request);
    }
};

class JointAdapterTest : public testing::Test {
protected:
    JointAdapterTest() {
        for (Open* each : {&active_, &passive_}) use(*each, joint());
        use(plain_, nic_->open(Interface{}, Face::nd2).take());
    }
    ~JointAdapterTest() override {
        for (Open* each : {&active_, &passive_, &plain_}) each->queue->close();
        std::promise<void> turned;  // the loop may still work for an end of before
        loop_.schedule(now() + std::chrono::milliseconds(5), [&turned] { turned.set_value(); });
        turned.get_future().wait();
    }

    Ref<TransportAdapter> joint() {
        return make_ref<JointAdapter>(shm_->open(Interface{}, Face::nd2, "shm").take(),
                                      nic_->open(Interface{}, Face::nd2).take());
    }
    static void use(Open& open, Ref<TransportAdapter> adapter) {
        open.adapter = std::move(adapter);
        open.queue = open.adapter->create_completion_queue(32, NotifyRule::level, open.events).take();
    }
    // Connects two ends that are open.
    static void connect(Open& from, End& caller, Open& to, End& callee) {
        const auto request = make_ref<OneRequest>();
        const Ref<TransportListener> listener = to.adapter->create_listener(Ref<ListenerSink>(request)).take();
        const Address at = listener->bind(loopback_address()).take();
        EXPECT_EQ(listener->listen(0), Status::success);
        caller.connector = from.adapter->connect(Ref<ConnectorSink>(caller.sink), loopback_address(1),
                                                 PortOrigin::drawn, at, {4, 4}, {}, caller.pair);
        EXPECT_EQ(request->arrived.wait(), Status::success);
        callee.connector = request->connector;
        callee.connector->set_sink(Ref<ConnectorSink>(callee.sink));
        callee.connector->accept(callee.pair, {4, 4}, {});
        EXPECT_EQ(caller.sink->replied.wait(), Status::success);
        caller.connector->complete();
        EXPECT_EQ(caller.sink->established.wait(), Status::success);
        EXPECT_EQ(callee.sink->established.wait(), Status::success);
        listener->close();
        request->connector = nullptr;
    }
    // Tries to connect to a listener that refuses.
    static void be_refused(Open& from, End& caller, Open& by) {
        const auto request = make_ref<OneRequest>();
        const Ref<TransportListener> listener = by.adapter->create_listener(Ref<ListenerSink>(request)).take();
        const Address at = listener->bind(loopback_address()).take();
        EXPECT_EQ(listener->listen(0), Status::success);
        caller.connector = from.adapter->connect(Ref<ConnectorSink>(caller.sink), loopback_address(1),
                                                 PortOrigin::drawn, at, {4, 4}, {}, caller.pair);
        EXPECT_EQ(request->arrived.wait(), Status::success);
        request->connector->reject({});
        EXPECT_EQ(caller.sink->replied.wait(), Status::connection_refused);
        caller.connector->end(Ending::give_up);
        listener->close();
        request->connector = nullptr;
    }

    EventLoop loop_;
    MappableMemory memory_;
    const std::unique_ptr<soft::SoftTransport> shm_ = transport_over(loop_, memory_, std::make_unique<shm::ShmWire>());
    const std::unique_ptr<soft::SoftTransport> nic_ =
        transport_over(loop_, memory_, std::make_unique<iwarp::IwarpWire>());
    Open active_, passive_, plain_;
};

TEST_F(JointAdapterTest, APeerOfThisHostIsReachedOverSharedMemory) {
    End caller(active_), callee(passive_);
    connect(active_, caller, passive_, callee);
    EXPECT_EQ(caller.connector->path().transport, "shm");
    EXPECT_EQ(callee.connector->path().transport, "shm");
}

TEST_F(JointAdapterTest, APeerThatSharesNoMemoryIsReachedOverTheNic) {
    End caller(active_), callee(plain_);
    connect(active_, caller, plain_, callee);
    EXPECT_EQ(caller.connector->path().transport, "iwarp");
    End listens(passive_), asks(plain_);
    connect(plain_, asks, passive_, listens);
    EXPECT_EQ(listens.connector->path().transport, "iwarp");
}

// One region, one token, one completion queue: a peer of each part writes into the region, reads a message into it, and gets one.
TEST_F(JointAdapterTest, OneRegionAndOneQueueServePeersOfBothParts) {
    proves("ND2-MR-TOK-02");
    End over_shm(passive_), over_nic(plain_), to_shm(active_), to_nic(active_);
    const Sge first{to_shm.bytes.data(), 8, to_shm.region->local_token()};
    const Sge second{to_shm.bytes.data() + 8, 8, to_shm.region->local_token()};
    ASSERT_EQ(to_shm.post(Operation::receive, first, 1), Status::success);
    ASSERT_EQ(to_nic.post(Operation::receive, second, 2), Status::success);
    connect(active_, to_shm, passive_, over_shm);
    connect(active_, to_nic, plain_, over_nic);
    std::memcpy(over_shm.bytes.data(), "by memoryin place", 17);
    std::memcpy(over_nic.bytes.data(), "by a NICin place", 16);
    for (End* peer : {&over_shm, &over_nic}) {
        const std::size_t at = peer == &over_shm ? 16 : 32;
        ASSERT_EQ(peer->write_to(to_shm, at, peer->entry(8, 8), 3), Status::success);
        ASSERT_EQ(peer->post(Operation::send, peer->entry(0, 8), 4), Status::success);
    }
    for (Open* each : {&passive_, &plain_})
        for (int i = 0; i < 2; ++i) EXPECT_EQ(each->next().status, Status::success);
    std::uintptr_t contexts = 0;
    for (int i = 0; i < 2; ++i) {
        const Completion result = active_.next();
        EXPECT_EQ(result.status, Status::success);
        contexts |= reinterpret_cast<std::uintptr_t>(result.request_context);
    }
    EXPECT_EQ(contexts, 3u) << "one receive of each part";
    EXPECT_EQ(std::memcmp(to_shm.bytes.data(), "by memorby a NIC", 16), 0);
    EXPECT_EQ(std::memcmp(to_shm.bytes.data() + 16, "yin plac", 8), 0);
    EXPECT_EQ(std::memcmp(to_shm.bytes.data() + 32, "in place", 8), 0);
}

TEST_F(JointAdapterTest, ReceivesOfARefusedConnectGoToTheNextPeer) {
    proves("ND2-CON-CONN-06");
    for (Open* first : {&passive_, &plain_}) {
        Open* const second = first == &passive_ ? &plain_ : &passive_;
        End caller(active_), callee(*second);
        for (std::uintptr_t i = 1; i <= 3; ++i)
            ASSERT_EQ(caller.post(Operation::receive, caller.entry(i * 16, 16), i), Status::success);
        be_refused(active_, caller, *first);
        ASSERT_EQ(caller.post(Operation::receive, caller.entry(64, 16), 4), Status::success);
        connect(active_, caller, *second, callee);
        for (std::uintptr_t i = 1; i <= 4; ++i) {
            std::memset(callee.bytes.data(), static_cast<int>(i), 16);
            ASSERT_EQ(callee.post(Operation::send, callee.entry(0, 16), i), Status::success);
            EXPECT_EQ(second->next().status, Status::success);
            const Completion result = active_.next();
            EXPECT_EQ(result.status, Status::success);
            EXPECT_EQ(reinterpret_cast<std::uintptr_t>(result.request_context), i) << "in the order of their posts";
            EXPECT_EQ(caller.bytes[i * 16], static_cast<std::byte>(i));
        }
    }
}

TEST_F(JointAdapterTest, AFlushBeforeAConnectionGivesTheReceivesBack) {
    proves("ND2-QP-FLUSH-02");
    End end(active_);
    for (Open* refuses : {static_cast<Open*>(nullptr), &plain_}) {  // untouched, and behind an attempt over the NIC
        if (refuses) be_refused(active_, end, *refuses);
        ASSERT_EQ(end.post(Operation::receive, end.entry(0, 16), 5), Status::success);
        end.pair->flush();
        EXPECT_EQ(active_.next().status, Status::canceled);
        EXPECT_EQ(end.pair->state(), QueuePairState::idle);
    }
}

TEST_F(JointAdapterTest, ADeregisteredTokenGrantsNothingToEitherPart) {
    proves("ND2-MR-DEREG-02");
    for (Open* peer : {&passive_, &plain_}) {
        End owner(active_), writer(*peer);
        connect(active_, owner, *peer, writer);
        std::exchange(owner.region, nullptr)->deregister();
        ASSERT_EQ(writer.write_to(owner, 0, writer.entry(0, 8), 1), Status::success);
        EXPECT_EQ(peer->next().status, Status::remote_access_violation);
    }
}

TEST_F(JointAdapterTest, AWindowIsOfThePartOfItsConnection) {
    proves("ND2-MW-03");
    for (Open* peer : {&passive_, &plain_}) {
        End owner(active_), writer(*peer);
        connect(active_, owner, *peer, writer);
        const auto binding = active_.adapter->bind_window(*owner.pair, *owner.region, owner.bytes.data() + 64, 8,
                                                          Access::remote_write, {});
        ASSERT_TRUE(binding.ok());
        for (const Operation operation : {Operation::bind, Operation::invalidate}) {
            WorkRequest request{operation, RequestFlags::none, nullptr, {}};
            request.extra = binding.value().get();
            ASSERT_EQ(owner.pair->post(request), Status::success);
            EXPECT_EQ(active_.next().status, Status::success);
            const bool bound = operation == Operation::bind;
            const Sge entry = writer.entry(0, 8);
            WorkRequest write{Operation::write, RequestFlags::none, nullptr, {&entry, 1}};
            write.remote_address = reinterpret_cast<std::uint64_t>(owner.bytes.data() + 64);
            write.remote_token = binding.value()->remote_token();
            ASSERT_EQ(writer.pair->post(write), Status::success);
            EXPECT_EQ(peer->next().status, bound ? Status::success : Status::remote_access_violation);
        }
    }
}

// The queue is dead, and so is a connection of the other part.
TEST_F(JointAdapterTest, AnOverrunEndsTheConnectionsOfBothParts) {
    proves("ND2-CQ-OVR-01");
    nic_->set_overrun_rule(OverrunRule::strict);
    Open small;
    small.adapter = joint();
    small.queue = small.adapter->create_completion_queue(2, NotifyRule::level, small.events).take();
    {
        End to_shm(small), to_nic(small), over_shm(passive_), over_nic(plain_);
        for (std::uintptr_t i = 1; i <= 4; ++i)
            ASSERT_EQ(to_nic.post(Operation::receive, to_nic.entry(0, 8), i), Status::success);
        connect(small, to_shm, passive_, over_shm);
        connect(small, to_nic, plain_, over_nic);
        small.queue->arm(NotifyKind::errors);  // the messages are taken though nobody polls
        for (std::uintptr_t i = 1; i <= 4; ++i)
            ASSERT_EQ(over_nic.post(Operation::send, over_nic.entry(0, 8), i), Status::success);
        EXPECT_NE(to_shm.sink->disconnected.wait(), Status::timed_out);
        EXPECT_EQ(to_shm.pair->state(), QueuePairState::error);
        End late(small);
        EXPECT_EQ(late.pair->state(), QueuePairState::error) << "the queue is dead for good";
    }
    small.queue->close();
}

TEST_F(JointAdapterTest, AWrongLocalTokenFailsOverTheNic) {
    End caller(active_), callee(plain_);
    connect(active_, caller, plain_, callee);
    Sge entry = caller.entry(0, 8);
    entry.token = caller.region->remote_token();  // a key of the device, and not the program's local token
    ASSERT_EQ(caller.post(Operation::send, entry, 1), Status::success);
    EXPECT_EQ(active_.next().status, Status::access_violation);
}

TEST_F(JointAdapterTest, AListenerHasItsPortOnBothParts) {
    proves("ND2-LIS-BIND-01");
    const auto sink = make_ref<OneRequest>();
    const auto listener = [&](Open& open) { return open.adapter->create_listener(Ref<ListenerSink>(sink)).take(); };
    const Ref<TransportListener> first = listener(passive_);
    const Address at = first->bind(loopback_address()).take();
    Open shm;
    use(shm, shm_->open(Interface{}, Face::nd2).take());
    for (Open* each : {&plain_, &shm, &active_})
        EXPECT_EQ(listener(*each)->bind(at).status(), Status::address_in_use) << "the other listener has both";
    first->close();
    const Ref<TransportListener> in_the_way = listener(plain_);  // on the NIC alone
    ASSERT_TRUE(in_the_way->bind(at).ok());
    EXPECT_EQ(listener(passive_)->bind(at).status(), Status::address_in_use);
    const Ref<TransportListener> of_shm = listener(shm);
    EXPECT_TRUE(of_shm->bind(at).ok()) << "a Bind that failed leaves nothing behind";
    of_shm->close();
    in_the_way->close();
    shm.queue->close();
}

TEST_F(JointAdapterTest, LimitsAreTheLeastOfBothWithoutSharedReceives) {
    proves("ND2-ADP-LIM-02");
    const AdapterLimits& joint = active_.adapter->limits();
    EXPECT_EQ(joint.max_receive_depth, plain_.adapter->limits().max_receive_depth);
    EXPECT_EQ(joint.max_shared_receive_depth, 0u);
    test::LowSink sink;
    EXPECT_EQ(active_.adapter->create_shared_receive_queue({8, 1, 0}, sink).status(), Status::not_supported);
}

}  // namespace
}  // namespace opennd::joint
