// SPDX-License-Identifier: MIT
//
// The thread that calls back: one for each instance, in order, and nobody else waits for it.
#include <opennd.h>

#include <cstdlib>
#include <cstring>
#include <vector>

#include "ndk/consumer/held_thread.h"
#include "support/kernel_limits.h"

namespace opennd::ndk_test {
namespace {

class NdkCallbacks : public NdkTest {};
OPENND_OVER_EACH_TRANSPORT(NdkCallbacks);

struct Threads {
    static VOID note(PVOID self, NTSTATUS status) {
        auto& threads = *static_cast<Threads*>(self);
        threads.seen.push_back(std::this_thread::get_id());
        threads.calls.add(status);
    }
    std::vector<std::thread::id> seen;  // read once the callback was waited for
    Calls calls;
};

NTSTATUS call_nobody(Side& side, Threads& threads) {
    Loopback from, nobody(1);
    EXPECT_STATUS(
        side.connector->Dispatch->NdkConnect(side.connector.get(), side.queue_pair.get(), from.get(), from.length(),
                                             nobody.get(), nobody.length(), 1, 1, nullptr, 0, Threads::note, &threads),
        STATUS_PENDING);
    return threads.calls.next();
}

TEST_P(NdkCallbacks, OfOneInstanceRunOnOneThreadOfItsOwn) {
    proves("NDK-GEN-20", "NDK-GEN-21");
    Threads of_a, of_b;
    Side a, b;
    for (int i = 0; i < 3; ++i) {
        EXPECT_STATUS(call_nobody(a, of_a), STATUS_CONNECTION_REFUSED);
        EXPECT_STATUS(call_nobody(b, of_b), STATUS_CONNECTION_REFUSED);
    }
    EXPECT_EQ(of_a.seen, std::vector(3, of_a.seen[0]));
    EXPECT_EQ(of_b.seen, std::vector(3, of_b.seen[0]));
    EXPECT_NE(of_a.seen[0], of_b.seen[0]);
    EXPECT_NE(of_a.seen[0], std::this_thread::get_id());
}

// The peer goes as soon as it has accepted, so that both happen at once.
TEST_P(NdkCallbacks, ComeInTheOrderOfTheirCauses) {
    proves("NDK-GEN-22", "NDK-CON-EVT-02");
    const auto leave = [](PVOID connector, NTSTATUS) {
        auto* const accepted = static_cast<Owned<NDK_CONNECTOR>*>(connector)->give_up();
        (void)accepted->Dispatch->NdkCloseConnector(&accepted->Header, nullptr, nullptr);
    };
    const bool over_tcp = GetParam() == std::string("iwarp");
    for (int round = 0; round < 20; ++round) {
        Calls in_order;
        Side a, b;
        Host host(b.adapter);
        ASSERT_STATUS(begin_connect(a, host, in_order), STATUS_PENDING);
        b.connector = host.next();
        ASSERT_STATUS(b.connector->Dispatch->NdkAccept(b.connector.get(), b.queue_pair.get(), 1, 1, nullptr, 0, nullptr,
                                                       nullptr, leave, &b.connector),
                      STATUS_PENDING);
        ASSERT_STATUS(in_order.next(), STATUS_SUCCESS);
        ASSERT_STATUS(a.connector->Dispatch->NdkCompleteConnectEx(a.connector.get(), Calls::event_with_reason,
                                                                  &in_order, Calls::request, &in_order),
                      STATUS_PENDING);
        ASSERT_STATUS(in_order.next(), STATUS_SUCCESS) << "the request before the event";
        const NTSTATUS reason = in_order.next() & 0xFFFFFF;
        EXPECT_TRUE(reason == 2 || (reason == 3 && over_tcp)) << "closed; a reset tells no more (NDK-CON-EVT-04)";
    }
}

// A flush ends the connection without a notice: a peer that hears one would go on as after an NdkDisconnect.
TEST_P(NdkCallbacks, TellNoNoticeOfAPeerThatFlushes) {
    proves("NDK-QP-FLUSH-02", "NDK-CON-EVT-04");
    Calls connected, accepted, ended;
    Side a, b;
    Host host(b.adapter);
    ASSERT_STATUS(begin_connect(a, host, connected), STATUS_PENDING);
    b.connector = host.next();
    ASSERT_STATUS(accept(b, accepted), STATUS_PENDING);
    ASSERT_STATUS(connected.next(), STATUS_SUCCESS);
    ASSERT_STATUS(connected.end(a.connector->Dispatch->NdkCompleteConnectEx(a.connector.get(), Calls::event_with_reason,
                                                                            &ended, Calls::request, &connected)),
                  STATUS_SUCCESS);
    ASSERT_STATUS(accepted.next(), STATUS_SUCCESS);
    host.listener = {};
    EXPECT_STATUS(b.receive(1, 0, 64), STATUS_SUCCESS);
    b.queue_pair->Dispatch->NdkFlush(b.queue_pair.get());
    EXPECT_STATUS(next_result(b.received.get()).Status, STATUS_CANCELLED);
    const NTSTATUS reason = ended.next() & 0xFFFFFF;
    const bool over_tcp = GetParam() == std::string("iwarp");
    EXPECT_TRUE(reason == 2 || (reason == 3 && over_tcp)) << reason << ": closed without a notice";
}

TEST_P(NdkCallbacks, ThatBlockHoldUpNothingElse) {
    proves("NDK-GEN-26");
    Pair pair;
    HeldThread at_a(pair.a), at_b(pair.b);
    std::memset(pair.a.memory->data(), 0x2A, 64);
    EXPECT_STATUS(pair.b.receive(1, 0, 64), STATUS_SUCCESS);
    EXPECT_STATUS(pair.a.send(2, 0, 64), STATUS_SUCCESS);
    EXPECT_STATUS(next_result(pair.b.received.get()).Status, STATUS_SUCCESS);
    EXPECT_STATUS(next_result(pair.a.initiated.get()).Status, STATUS_SUCCESS);
    const NDK_SGE entry = pair.a.part(0, 64);
    const auto& call = *pair.a.queue_pair->Dispatch;
    EXPECT_STATUS(
        call.NdkWrite(pair.a.queue_pair.get(), tag(3), &entry, 1, pair.b.address(4096), pair.b.remote_token, 0),
        STATUS_SUCCESS);
    EXPECT_STATUS(next_result(pair.a.initiated.get()).Status, STATUS_SUCCESS);
    EXPECT_STATUS(
        call.NdkRead(pair.a.queue_pair.get(), tag(4), &entry, 1, pair.b.address(4096), pair.b.remote_token, 0),
        STATUS_SUCCESS);
    EXPECT_STATUS(next_result(pair.a.initiated.get()).Status, STATUS_SUCCESS);
    EXPECT_EQ((*pair.b.memory)[4096 + 63], std::byte{0x2A});
}

TEST_P(NdkCallbacks, AreNotMadeForWhatWasTakenMeanwhile) {
    proves("NDK-CQ-ARM-05", "NDK-CONS-60");
    Pair pair;
    NDK_CQ* const queue = pair.a.received.get();
    const auto deliver = [&] {
        EXPECT_STATUS(pair.a.receive(1, 0, 64), STATUS_SUCCESS);
        EXPECT_STATUS(pair.b.send(2, 0, 8), STATUS_SUCCESS);
        EXPECT_STATUS(next_result(pair.b.initiated.get()).Status, STATUS_SUCCESS);
    };
    {
        HeldThread held(pair.a);
        queue->Dispatch->NdkArmCq(queue, NDK_CQ_NOTIFY_ANY);
        deliver();
        EXPECT_STATUS(next_result(queue).Status, STATUS_SUCCESS);
    }
    EXPECT_EQ(pair.a.received_armed.next(support::milliseconds(100)), kNoCallback);
    deliver();
    EXPECT_STATUS(pair.a.received_armed.next(), STATUS_SUCCESS) << "and it is armed as before";
}

TEST_P(NdkCallbacks, OfAQueueThatIsClosedAreDropped) {
    proves("NDK-CQ-ARM-09");
    Pair pair;
    Calls closed;
    {
        HeldThread held(pair.a);
        NDK_CQ* const queue = pair.a.received.give_up();
        queue->Dispatch->NdkArmCq(queue, NDK_CQ_NOTIFY_ANY);
        EXPECT_STATUS(pair.a.receive(1, 0, 64), STATUS_SUCCESS);
        EXPECT_STATUS(pair.b.send(2, 0, 8), STATUS_SUCCESS);
        EXPECT_STATUS(next_result(pair.b.initiated.get()).Status, STATUS_SUCCESS);
        EXPECT_STATUS(begin_close(queue, closed), STATUS_PENDING);
    }
    pair.a.connector.close();
    pair.a.queue_pair.close();
    EXPECT_STATUS(closed.next(), STATUS_SUCCESS);
    EXPECT_EQ(pair.a.received_armed.count(), 0);
}

TEST(NdkQueueCallback, HoldsUpTheCloseWhileItRuns) {
    proves("NDK-CQ-ARM-09", "NDK-GEN-03");
    struct Slow {
        static VOID on_event(PVOID self, NTSTATUS) {
            auto& slow = *static_cast<Slow*>(self);
            slow.runs = true;
            while (!slow.let_go) std::this_thread::yield();
        }
        std::atomic<bool> runs = false, let_go = false;
    } slow;
    Side side;
    Owned<NDK_CQ> queue = side.adapter.create_completion_queue(4, Slow::on_event, &slow);
    Owned<NDK_QP> queue_pair;
    ASSERT_STATUS(side.domain->Dispatch->NdkCreateQp(side.domain.get(), queue.get(), queue.get(), nullptr, 1, 1, 1, 1,
                                                     0, nullptr, nullptr, queue_pair.out()),
                  STATUS_SUCCESS);
    queue->Dispatch->NdkArmCq(queue.get(), NDK_CQ_NOTIFY_ANY);
    ASSERT_STATUS(queue_pair->Dispatch->NdkReceive(queue_pair.get(), nullptr, nullptr, 0), STATUS_SUCCESS);
    queue_pair->Dispatch->NdkFlush(queue_pair.get());
    ASSERT_TRUE(support::wait_until([&] { return slow.runs.load(); }));
    ASSERT_STATUS(queue_pair.close(), STATUS_SUCCESS);
    Calls closed;
    EXPECT_STATUS(begin_close(queue.give_up(), closed), STATUS_PENDING);
    EXPECT_EQ(closed.count(), 0);
    slow.let_go = true;
    EXPECT_STATUS(closed.next(), STATUS_SUCCESS);
}

// Has the adapter closed by the callback of a connect that is refused, with a log in any environment.
void close_from_callback() {
    ::setenv("OPENND_LOG", "error", 1);
    (void)opennd_log_sink(nullptr, nullptr, OPENND_LOG_ERROR);
    Side side;
    Loopback from, nobody(1);
    const auto close_all = [](PVOID adapter, NTSTATUS) {
        opennd_ndk_close_adapter(static_cast<NDK_ADAPTER*>(adapter));
    };
    (void)side.connector->Dispatch->NdkConnect(side.connector.get(), side.queue_pair.get(), from.get(), from.length(),
                                               nobody.get(), nobody.length(), 1, 1, nullptr, 0, close_all,
                                               side.adapter.get());
    std::this_thread::sleep_for(kDeadline);  // the callback ends the process meanwhile, or the test fails
}

TEST(NdkCallbackDeathTest, TheCloseOfTheAdapterFromACallbackEndsTheProcess) {
    proves("NDK-GEN-24");
    if (const std::string reason = support::starts_no_program(); !reason.empty()) GTEST_SKIP() << reason;
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_DEATH(close_from_callback(), "NDK-GEN-24");
}

}  // namespace
}  // namespace opennd::ndk_test
