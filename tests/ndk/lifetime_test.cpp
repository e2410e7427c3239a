// SPDX-License-Identifier: MIT
//
// How objects end: in any order, each after the objects that rely on it, and never with a callback behind it.
#include <atomic>
#include <memory>
#include <thread>

#include "ndk/consumer/side.h"

namespace opennd::ndk_test {
namespace {

// The order in which close completions ran.
struct Order {
    static VOID first(PVOID order) { static_cast<Order*>(order)->calls.add(1); }
    static VOID second(PVOID order) { static_cast<Order*>(order)->calls.add(2); }
    static VOID third(PVOID order) { static_cast<Order*>(order)->calls.add(3); }
    Calls calls;
};

TEST(NdkLifetime, AnObjectThatNobodyReliesOnEndsAtOnce) {
    proves("NDK-GEN-03", "NDK-GEN-04");
    const Adapter adapter;
    Calls calls;
    EXPECT_STATUS(begin_close(adapter.create_completion_queue(4).give_up(), calls), STATUS_SUCCESS);
    EXPECT_STATUS(begin_close(adapter.create_domain().give_up(), calls), STATUS_SUCCESS);
    EXPECT_STATUS(begin_close(adapter.create_connector().give_up(), calls), STATUS_SUCCESS);
    EXPECT_EQ(calls.count(), 0);
}

TEST(NdkLifetime, AntecedentsWaitForSuccessorsWhateverTheOrderOfCloses) {
    proves("NDK-GEN-10", "NDK-GEN-11", "NDK-CONS-80", "NDK-QP-CLOSE-01");
    Order order;
    Side side;
    NDK_PD* const domain = side.domain.give_up();
    NDK_CQ* const queue = side.received.give_up();
    NDK_QP* const queue_pair = side.queue_pair.give_up();
    EXPECT_STATUS(domain->Dispatch->NdkClosePd(&domain->Header, Order::third, &order), STATUS_PENDING);
    EXPECT_STATUS(queue->Dispatch->NdkCloseCq(&queue->Header, Order::second, &order), STATUS_PENDING);
    EXPECT_EQ(order.calls.count(), 0);
    EXPECT_STATUS(queue_pair->Dispatch->NdkCloseQp(&queue_pair->Header, Order::first, &order), STATUS_SUCCESS);
    EXPECT_EQ(order.calls.next(), 2) << "of the queue; of the queue pair there is none, as it ended at once";
    EXPECT_EQ(order.calls.count(), 1) << "the region still belongs to the domain";
    side.region = {};
    EXPECT_EQ(order.calls.next(), 3);
}

TEST(NdkLifetime, ACloseCompletionThatLastsHoldsUpThatOfTheAntecedent) {
    proves("NDK-GEN-11");
    static std::atomic<bool> let_go, slow_returned;
    let_go = slow_returned = false;
    Side side;
    Calls calls;
    Host host(side.adapter);
    Calls connected;
    // A pending connector makes the queue pair's close pend.
    EXPECT_STATUS(begin_connect(side, host, connected), STATUS_PENDING);
    const auto slow = [](PVOID) {
        while (!let_go) std::this_thread::yield();
        slow_returned = true;
    };
    NDK_CQ* const queue = side.received.give_up();
    NDK_QP* const queue_pair = side.queue_pair.give_up();
    EXPECT_STATUS(queue->Dispatch->NdkCloseCq(
                      &queue->Header, [](PVOID to) { static_cast<Calls*>(to)->add(slow_returned ? 1 : 0); }, &calls),
                  STATUS_PENDING);
    EXPECT_STATUS(queue_pair->Dispatch->NdkCloseQp(&queue_pair->Header, slow, nullptr), STATUS_PENDING);
    side.connector = {};
    EXPECT_EQ(calls.count(), 0);
    let_go = true;
    EXPECT_EQ(calls.next(), 1);
    EXPECT_STATUS(connected.next(), STATUS_CANCELLED);
}

TEST(NdkLifetime, TheAdapterWaitsForAllThatWasMadeFromIt) {
    proves("NDK-HOST-06", "NDK-CONS-81");
    auto adapter = std::make_unique<Adapter>();
    NDK_CQ* const queue = adapter->create_completion_queue(4).give_up();
    std::atomic<bool> closed = false;
    std::thread closing([&] {
        adapter.reset();
        closed = true;
    });
    EXPECT_FALSE(closed);
    EXPECT_STATUS(queue->Dispatch->NdkCloseCq(&queue->Header, nullptr, nullptr), STATUS_SUCCESS);
    closing.join();
    EXPECT_TRUE(closed);
}

TEST(NdkLifetime, AnObjectMayBeClosedFromItsOwnCallback) {
    proves("NDK-GEN-25", "NDK-CON-CLOSE-01");
    struct Consumer {
        NDK_CONNECTOR* connector = nullptr;
        Calls outcomes, closed;
    } consumer;
    Side side;
    Calls unused;
    Loopback from, nobody(1);
    consumer.connector = side.connector.give_up();
    const auto close_it = [](PVOID context, NTSTATUS status) {
        auto* const self = static_cast<Consumer*>(context);
        self->outcomes.add(status);
        self->outcomes.add(begin_close(self->connector, self->closed));
    };
    EXPECT_STATUS(
        consumer.connector->Dispatch->NdkConnect(consumer.connector, side.queue_pair.get(), from.get(), from.length(),
                                                 nobody.get(), nobody.length(), 1, 1, nullptr, 0, close_it, &consumer),
        STATUS_PENDING);
    EXPECT_STATUS(consumer.outcomes.next(), STATUS_CONNECTION_REFUSED);
    EXPECT_STATUS(consumer.outcomes.next(), STATUS_PENDING) << "the callback is still running";
    EXPECT_STATUS(consumer.closed.next(), STATUS_SUCCESS);
    EXPECT_STATUS(side.queue_pair.close(), STATUS_SUCCESS);
}

TEST(NdkLifetime, ObjectsOfInstancesOfOneDeviceGoTogether) {
    proves("NDK-QP-CREATE-03", "NDK-QP-CREATE-04", "NDK-CONS-09");
    const Adapter other;
    Side side;
    Owned<NDK_CQ> elsewhere = other.create_completion_queue(8);
    Owned<NDK_QP> queue_pair;
    EXPECT_STATUS(side.domain->Dispatch->NdkCreateQp(side.domain.get(), elsewhere.get(), elsewhere.get(), nullptr, 4, 4,
                                                     1, 1, 0, nullptr, nullptr, queue_pair.out()),
                  STATUS_SUCCESS);
    Calls closed;
    EXPECT_STATUS(begin_close(elsewhere.give_up(), closed), STATUS_PENDING);
    queue_pair = {};
    EXPECT_STATUS(closed.next(), STATUS_SUCCESS);
}

TEST(NdkLifetime, CreatesCheckTheirNumbers) {
    proves("NDK-GEN-02", "NDK-GEN-06", "NDK-GEN-07", "NDK-GEN-08", "NDK-CQ-CREATE-01", "NDK-QP-CREATE-01",
           "NDK-QP-CREATE-02", "NDK-ADP-CREATE-03", "NDK-ADP-CREATE-01", "NDK-ADP-CREATE-02");
    Side side;
    const NDK_ADAPTER_INFO can = side.adapter.info();
    const auto& call = side.adapter.call();
    NDK_CQ* queue = reinterpret_cast<NDK_CQ*>(1);
    EXPECT_STATUS(call.NdkCreateCq(side.adapter.get(), 0, nullptr, nullptr, nullptr, nullptr, nullptr, &queue),
                  STATUS_INVALID_PARAMETER);
    EXPECT_EQ(queue, nullptr);
    EXPECT_STATUS(
        call.NdkCreateCq(side.adapter.get(), can.MaxCqDepth + 1, nullptr, nullptr, nullptr, nullptr, nullptr, &queue),
        STATUS_INVALID_PARAMETER);
    NDK_LISTENER* listener = nullptr;
    EXPECT_STATUS(call.NdkCreateListener(side.adapter.get(), nullptr, nullptr, nullptr, nullptr, &listener),
                  STATUS_INVALID_PARAMETER);
    EXPECT_STATUS(call.NdkCreatePd(side.adapter.get(), nullptr, nullptr, nullptr), STATUS_INVALID_PARAMETER);
    const auto create = [&](NDK_CQ* receives, ULONG depth, ULONG sges, ULONG inline_bytes) {
        Owned<NDK_QP> made;
        return side.domain->Dispatch->NdkCreateQp(side.domain.get(), receives, side.initiated.get(), nullptr, depth,
                                                  depth, sges, sges, inline_bytes, nullptr, nullptr, made.out());
    };
    EXPECT_STATUS(create(side.received.get(), 0, 0, 0), STATUS_SUCCESS);
    EXPECT_STATUS(create(side.received.get(), can.MaxReceiveQueueDepth, can.MaxReceiveRequestSge, 256), STATUS_SUCCESS);
    EXPECT_STATUS(create(side.received.get(), can.MaxReceiveQueueDepth + 1, 1, 0), STATUS_INVALID_PARAMETER);
    EXPECT_STATUS(create(side.received.get(), 1, can.MaxReceiveRequestSge + 1, 0), STATUS_INVALID_PARAMETER);
    EXPECT_STATUS(create(side.received.get(), 1, 1, can.MaxInlineDataSize + 1), STATUS_INVALID_PARAMETER);
    EXPECT_STATUS(create(nullptr, 1, 1, 0), STATUS_INVALID_PARAMETER);
    EXPECT_STATUS(create(reinterpret_cast<NDK_CQ*>(side.domain.get()), 1, 1, 0), STATUS_INVALID_PARAMETER)
        << "a domain is no queue";
}

}  // namespace
}  // namespace opennd::ndk_test
