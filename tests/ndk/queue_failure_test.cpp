// SPDX-License-Identifier: MIT
//
// Completion queues that fail, which takes the strict rule of overruns: an entry that has no room ends them.
#include <opennd.h>

#include "ndk/consumer/counters.h"
#include "ndk/consumer/side.h"

namespace opennd::ndk_test {
namespace {

class NdkQueueFailure : public NdkTest {
protected:
    static constexpr ULONG kRoom = 2;

    NdkQueueFailure() {
        EXPECT_EQ(opennd_overrun_select("strict"), ND_SUCCESS);
        small_ = a_.adapter.create_completion_queue(kRoom, Calls::request, &told_);
        EXPECT_STATUS(a_.domain->Dispatch->NdkCreateQp(a_.domain.get(), small_.get(), a_.initiated.get(), nullptr, 8, 8,
                                                       4, 4, 0, nullptr, nullptr, small_user_.out()),
                      STATUS_SUCCESS);
        std::swap(a_.queue_pair, small_user_);
        connect();
    }
    ~NdkQueueFailure() override { EXPECT_EQ(opennd_overrun_select(nullptr), ND_SUCCESS); }

    void connect() {
        Host host(b_.adapter);
        Calls connected, accepted;
        ASSERT_STATUS(begin_connect(a_, host, connected), STATUS_PENDING);
        b_.connector = host.next();
        ASSERT_STATUS(accept(b_, accepted), STATUS_PENDING);
        ASSERT_STATUS(connected.next(), STATUS_SUCCESS);
        ASSERT_STATUS(connected.end(a_.connector->Dispatch->NdkCompleteConnectEx(
                          a_.connector.get(), Calls::event_with_reason, &a_.disconnected, Calls::request, &connected)),
                      STATUS_SUCCESS);
        ASSERT_STATUS(accepted.next(), STATUS_SUCCESS);
        host.listener = {};
    }
    void deliver(ULONG messages) {
        for (ULONG i = 0; i < messages; ++i) ASSERT_STATUS(a_.receive(i, 0, 64), STATUS_SUCCESS);
        for (ULONG i = 0; i < messages; ++i) ASSERT_STATUS(b_.send(i, 0, 8), STATUS_SUCCESS);
    }
    void arm(ULONG type) { small_->Dispatch->NdkArmCq(small_.get(), type); }
    ULONG poll() {
        NDK_RESULT results[8];
        return small_->Dispatch->NdkGetCqResults(small_.get(), results, 8);
    }

    Calls told_;
    Side a_, b_;
    Owned<NDK_CQ> small_;
    Owned<NDK_QP> small_user_;  // the one that is not connected
};
OPENND_OVER_EACH_TRANSPORT(NdkQueueFailure);

TEST_P(NdkQueueFailure, AQueueHoldsAsManyAsItWasAskedFor) {
    proves("NDK-CQ-CREATE-02");
    deliver(kRoom);
    for (ULONG i = 0; i < kRoom; ++i) EXPECT_STATUS(next_result(b_.initiated.get()).Status, STATUS_SUCCESS);
    EXPECT_EQ(poll(), kRoom);
    arm(NDK_CQ_NOTIFY_ERRORS);
    deliver(1);
    EXPECT_STATUS(next_result(small_.get()).Status, STATUS_SUCCESS);
    EXPECT_EQ(told_.count(), 0);
}

TEST_P(NdkQueueFailure, AnEntryWithoutRoomFailsTheQueueAndItsQueuePairs) {
    proves("NDK-CQ-ERR-01", "NDK-CQ-ERR-02", "NDK-CQ-ERR-03", "NDK-GEN-08");
    arm(NDK_CQ_NOTIFY_ERRORS);
    deliver(kRoom + 1);
    EXPECT_STATUS(told_.next(), STATUS_BUFFER_OVERFLOW);
    EXPECT_NE(a_.disconnected.next(), kNoCallback);
    EXPECT_NE(b_.disconnected.next(), kNoCallback);
    EXPECT_STATUS(a_.send(9, 0, 8), STATUS_CONNECTION_INVALID);
    EXPECT_EQ(poll(), kRoom) << "what was queued before can be polled, and no more";
    EXPECT_STATUS(small_->Dispatch->NdkResizeCq(small_.get(), 64, nullptr, nullptr), STATUS_INVALID_DEVICE_STATE);
    EXPECT_STATUS(small_->Dispatch->NdkResizeCq(small_.get(), 0, nullptr, nullptr), STATUS_INVALID_PARAMETER);
    arm(NDK_CQ_NOTIFY_ANY);
    EXPECT_EQ(told_.next(support::milliseconds(100)), kNoCallback) << "it is told once";
}

TEST_P(NdkQueueFailure, IsCountedOnce) {
    proves("NDK-STAT-01", "NDK-STAT-04");
    const ULONG64 before = counters().CQError;
    deliver(kRoom);
    for (ULONG i = 0; i < kRoom; ++i) EXPECT_STATUS(next_result(b_.initiated.get()).Status, STATUS_SUCCESS);
    EXPECT_EQ(counters().CQError, before) << "it is full, which is no failure";
    arm(NDK_CQ_NOTIFY_ERRORS);
    deliver(2);
    EXPECT_STATUS(told_.next(), STATUS_BUFFER_OVERFLOW);
    EXPECT_NE(a_.disconnected.next(), kNoCallback);
    EXPECT_EQ(counters().CQError, before + 1);
}

TEST_P(NdkQueueFailure, IsKeptForTheNextArm) {
    proves("NDK-CQ-ERR-02");
    deliver(kRoom + 1);
    EXPECT_NE(b_.disconnected.next(), kNoCallback);
    EXPECT_EQ(told_.count(), 0);
    arm(NDK_CQ_NOTIFY_SOLICITED);
    EXPECT_STATUS(told_.next(), STATUS_BUFFER_OVERFLOW);
    arm(NDK_CQ_NOTIFY_ANY);
    EXPECT_EQ(told_.next(support::milliseconds(100)), kNoCallback);
}

}  // namespace
}  // namespace opennd::ndk_test
