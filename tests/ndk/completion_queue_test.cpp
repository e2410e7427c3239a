// SPDX-License-Identifier: MIT
//
// The one arm of a completion queue, and the callbacks that follow.
#include <chrono>
#include <thread>

#include "ndk/consumer/side.h"

namespace opennd::ndk_test {
namespace {

using std::chrono::milliseconds;

class NdkArm : public NdkTest {
protected:
    // Messages that `pair_.a` receives, so that entries come one by one.
    void deliver(ULONG messages, ULONG flags = 0) {
        for (ULONG i = 0; i < messages; ++i) {
            ASSERT_STATUS(pair_.a.receive(1, 0, 64), STATUS_SUCCESS);
            ASSERT_STATUS(pair_.b.send(2, 0, 8, flags | NDK_OP_FLAG_SILENT_SUCCESS), STATUS_SUCCESS);
        }
    }
    void arm(ULONG type) { queue_->Dispatch->NdkArmCq(queue_, type); }
    ULONG poll(ULONG most) {
        NDK_RESULT results[kDepth];
        return queue_->Dispatch->NdkGetCqResults(queue_, results, most);
    }
    void take(ULONG number) {
        ULONG taken = 0;
        EXPECT_TRUE(support::wait_until([&] { return (taken += poll(1)) >= number; }));
    }

    Pair pair_;
    NDK_CQ* const queue_ = pair_.a.received.get();
    Calls& calls_ = pair_.a.received_armed;
};
OPENND_OVER_EACH_TRANSPORT(NdkArm);

constexpr milliseconds kNothing{100};  // how long nothing happens that must not

TEST_P(NdkArm, OneArmLeadsToOneCallback) {
    proves("NDK-CQ-CREATE-04", "NDK-CQ-ARM-02", "NDK-CQ-ARM-03", "NDK-CONS-60");
    deliver(1);
    take(1);
    EXPECT_EQ(calls_.next(kNothing), kNoCallback) << "it was not armed";
    arm(NDK_CQ_NOTIFY_ANY);
    deliver(1);
    EXPECT_STATUS(calls_.next(), STATUS_SUCCESS);
    take(1);
    deliver(1);
    take(1);
    EXPECT_EQ(calls_.next(kNothing), kNoCallback) << "the arm is used up";
}

TEST_P(NdkArm, EntriesThatAreThereAtTheFirstArmFireIt) {
    proves("NDK-CQ-ARM-01", "NDK-CQ-ARM-08", "NDK-CONS-72");
    EXPECT_STATUS(pair_.b.receive(9, 0, 64), STATUS_SUCCESS);
    EXPECT_STATUS(pair_.b.send(2, 0, 8, NDK_OP_FLAG_SILENT_SUCCESS), STATUS_SUCCESS);
    EXPECT_STATUS(pair_.a.receive(1, 0, 64), STATUS_SUCCESS);
    arm(NDK_CQ_NOTIFY_ANY);
    EXPECT_STATUS(calls_.next(), STATUS_SUCCESS);
    EXPECT_EQ(poll(4), 1u);
}

TEST_P(NdkArm, WhatWasThereAtTheLastCallbackFiresNoOther) {
    proves("NDK-CQ-ARM-06");
    arm(NDK_CQ_NOTIFY_ANY);
    deliver(1);
    EXPECT_STATUS(calls_.next(), STATUS_SUCCESS);
    arm(NDK_CQ_NOTIFY_ANY);  // without having taken it
    EXPECT_EQ(calls_.next(kNothing), kNoCallback);
    deliver(1);
    EXPECT_STATUS(calls_.next(), STATUS_SUCCESS);
    take(2);
}

// All that was there, not only the entry that fired it; these came while nothing was armed.
TEST_P(NdkArm, EntriesThatWereThereTogetherFireOnce) {
    proves("NDK-CQ-ARM-06", "NDK-CQ-ARM-03");
    for (ULONG i = 0; i < 3; ++i) EXPECT_STATUS(pair_.a.receive(i, 0, 64), STATUS_SUCCESS);
    pair_.a.connector.close();  // flushes them
    arm(NDK_CQ_NOTIFY_ANY);
    EXPECT_STATUS(calls_.next(), STATUS_SUCCESS);
    arm(NDK_CQ_NOTIFY_ANY);
    EXPECT_EQ(calls_.next(kNothing), kNoCallback);
    take(3);
}

TEST_P(NdkArm, TheStrongerOfTwoArmsStays) {
    proves("NDK-CQ-ARM-01", "NDK-QP-FLAG-03");
    arm(NDK_CQ_NOTIFY_SOLICITED);
    deliver(1);
    EXPECT_EQ(calls_.next(kNothing), kNoCallback) << "it is not solicited";
    take(1);
    deliver(1, NDK_OP_FLAG_SEND_AND_SOLICIT_EVENT);
    EXPECT_STATUS(calls_.next(), STATUS_SUCCESS);
    take(1);
    arm(NDK_CQ_NOTIFY_ANY);
    arm(NDK_CQ_NOTIFY_ERRORS);
    deliver(1);
    EXPECT_STATUS(calls_.next(), STATUS_SUCCESS);
    take(1);
    arm(NDK_CQ_NOTIFY_ERRORS);
    deliver(1);
    take(1);
    EXPECT_EQ(calls_.next(kNothing), kNoCallback) << "a result is no error of the queue";
}

TEST_P(NdkArm, ATypeThatIsNoneCountsAsAny) {
    proves("NDK-CQ-ARM-07");
    arm(7);
    deliver(1);
    EXPECT_STATUS(calls_.next(), STATUS_SUCCESS);
    take(1);
}

TEST_P(NdkArm, AFlushedReceiveCountsAsSolicitedAndComesWithTheClose) {
    proves("NDK-CONS-84", "NDK-CONS-83");
    EXPECT_STATUS(pair_.a.receive(1, 0, 64), STATUS_SUCCESS);
    arm(NDK_CQ_NOTIFY_SOLICITED);
    pair_.a.connector.close();
    EXPECT_STATUS(calls_.next(), STATUS_SUCCESS);
    take(1);
}

TEST_P(NdkArm, CallbacksMayPollAndArm) {
    proves("NDK-CONS-61", "NDK-CQ-ARM-04", "NDK-CONS-70");
    struct Drain {
        NDK_CQ* queue = nullptr;
        std::atomic<ULONG> taken = 0;
        std::atomic<int> running = 0, together = 0;
    } drain;
    const auto on_event = [](PVOID context, NTSTATUS) {
        auto* const self = static_cast<Drain*>(context);
        if (self->running++ != 0) ++self->together;
        NDK_RESULT results[4];
        while (const ULONG got = self->queue->Dispatch->NdkGetCqResults(self->queue, results, 4)) self->taken += got;
        self->queue->Dispatch->NdkArmCq(self->queue, NDK_CQ_NOTIFY_ANY);
        --self->running;
    };
    Side& a = pair_.a;
    a.connector.close();
    a.queue_pair.close();
    Owned<NDK_CQ> queue = a.adapter.create_completion_queue(64, on_event, &drain);
    drain.queue = queue.get();
    Side b;
    a.connector = a.adapter.create_connector();
    EXPECT_STATUS(a.domain->Dispatch->NdkCreateQp(a.domain.get(), queue.get(), a.initiated.get(), nullptr, kDepth,
                                                  kDepth, 4, 4, 0, nullptr, nullptr, a.queue_pair.out()),
                  STATUS_SUCCESS);
    Host host(b.adapter);
    Calls connected, accepted;
    ASSERT_STATUS(begin_connect(a, host, connected), STATUS_PENDING);
    b.connector = host.next();
    ASSERT_STATUS(accept(b, accepted), STATUS_PENDING);
    ASSERT_STATUS(connected.next(), STATUS_SUCCESS);
    ASSERT_STATUS(connected.end(a.connector->Dispatch->NdkCompleteConnect(a.connector.get(), nullptr, nullptr,
                                                                          Calls::request, &connected)),
                  STATUS_SUCCESS);
    ASSERT_STATUS(accepted.next(), STATUS_SUCCESS);
    queue->Dispatch->NdkArmCq(queue.get(), NDK_CQ_NOTIFY_ANY);
    constexpr ULONG kMessages = 200;
    for (ULONG i = 0; i < kMessages; ++i) {
        ASSERT_STATUS(a.receive(1, 0, 64), STATUS_SUCCESS);
        ASSERT_STATUS(b.send(2, 0, 8), STATUS_SUCCESS);
        ASSERT_STATUS(next_result(b.initiated.get()).Status, STATUS_SUCCESS);
        ASSERT_TRUE(support::wait_until([&] { return drain.taken == i + 1; }));
    }
    EXPECT_EQ(drain.together, 0);
    b.connector.close();
    a.connector.close();
    a.queue_pair.close();
    queue.close();
}

TEST_P(NdkArm, ModerationHoldsCallbacksBackButNotResults) {
    proves("NDK-CQ-MOD-01", "NDK-CQ-MOD-02", "NDK-CQ-MOD-04", "NDK-CONS-66");
    const auto moderate = queue_->Dispatch->NdkControlCqInterruptModeration;
    constexpr ULONG kUnlimited = 0xFFFFFFFF;
    EXPECT_STATUS(moderate(queue_, kUnlimited, kUnlimited), STATUS_INVALID_PARAMETER_MIX);
    EXPECT_STATUS(moderate(queue_, kUnlimited, kDepth + 1), STATUS_INVALID_PARAMETER_MIX);
    EXPECT_STATUS(moderate(queue_, kUnlimited, 3), STATUS_SUCCESS);
    arm(NDK_CQ_NOTIFY_ANY);
    deliver(2);
    EXPECT_EQ(calls_.next(kNothing), kNoCallback) << "two of three";
    deliver(1);
    EXPECT_STATUS(calls_.next(), STATUS_SUCCESS);
    EXPECT_EQ(poll(4), 3u);
    EXPECT_STATUS(moderate(queue_, 20, kUnlimited), STATUS_SUCCESS);
    arm(NDK_CQ_NOTIFY_ANY);
    deliver(1);
    EXPECT_STATUS(calls_.next(), STATUS_SUCCESS);
    take(1);
    EXPECT_STATUS(moderate(queue_, kUnlimited, 5), STATUS_SUCCESS);
    arm(NDK_CQ_NOTIFY_ANY);
    deliver(1);
    EXPECT_EQ(calls_.next(kNothing), kNoCallback);
    EXPECT_STATUS(moderate(queue_, 0, 0), STATUS_SUCCESS);
    EXPECT_STATUS(calls_.next(), STATUS_SUCCESS) << "judged by the new setting";
    take(1);
    EXPECT_STATUS(moderate(queue_, kUnlimited, 5), STATUS_SUCCESS);
    arm(NDK_CQ_NOTIFY_ANY);
    EXPECT_STATUS(pair_.a.receive(1, 0, 64), STATUS_SUCCESS);
    pair_.a.connector.close();
    EXPECT_STATUS(calls_.next(), STATUS_SUCCESS) << "failures are not held back";
    take(1);
}

TEST_P(NdkArm, ResizingKeepsEntries) {
    proves("NDK-CQ-RSZ-01");
    const auto resize = [&](ULONG depth) { return queue_->Dispatch->NdkResizeCq(queue_, depth, nullptr, nullptr); };
    arm(NDK_CQ_NOTIFY_ANY);  // so that entries are in the queue before they are polled
    deliver(1);
    EXPECT_STATUS(calls_.next(), STATUS_SUCCESS);
    arm(NDK_CQ_NOTIFY_ANY);
    deliver(1);
    EXPECT_STATUS(calls_.next(), STATUS_SUCCESS);
    EXPECT_STATUS(resize(0), STATUS_INVALID_PARAMETER);
    EXPECT_STATUS(resize(65537), STATUS_INVALID_PARAMETER);
    EXPECT_STATUS(resize(1), STATUS_INVALID_PARAMETER) << "two are queued";
    EXPECT_STATUS(resize(64), STATUS_SUCCESS);
    EXPECT_EQ(poll(8), 2u);
    EXPECT_STATUS(resize(1), STATUS_SUCCESS);
}

TEST(NdkPolledQueue, NeedsNoCallback) {
    proves("NDK-CQ-CREATE-03", "NDK-CONS-67", "NDK-GEN-05");
    const Adapter adapter;
    const Owned<NDK_CQ> queue = adapter.create_completion_queue(4);
    queue->Dispatch->NdkArmCq(queue.get(), NDK_CQ_NOTIFY_ANY);
    NDK_RESULT result;
    EXPECT_EQ(queue->Dispatch->NdkGetCqResults(queue.get(), &result, 1), 0u);
    EXPECT_EQ(queue->Dispatch->NdkGetCqResults(queue.get(), &result, 0), 0u);
}

TEST(NdkAffinity, IsAHint) {
    proves("NDK-GEN-23");
    const Adapter adapter;
    for (GROUP_AFFINITY affinity :
         {GROUP_AFFINITY{1, 0, {}}, GROUP_AFFINITY{0, 0, {}}, GROUP_AFFINITY{~KAFFINITY{0}, 999, {}}}) {
        Owned<NDK_CQ> queue;
        EXPECT_STATUS(
            adapter.call().NdkCreateCq(adapter.get(), 4, nullptr, nullptr, &affinity, nullptr, nullptr, queue.out()),
            STATUS_SUCCESS);
    }
}

}  // namespace
}  // namespace opennd::ndk_test
