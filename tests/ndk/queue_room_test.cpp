// SPDX-License-Identifier: MIT
//
// How many requests a queue holds, and when it has room again.
#include "ndk/consumer/side.h"

namespace opennd::ndk_test {
namespace {

class NdkQueueRoom : public NdkTest {
protected:
    // Messages that nobody receives yet, so that each keeps its slot.
    void fill(ULONG flags_of_odd_ones) {
        for (ULONG i = 0; i < kDepth; ++i)
            ASSERT_STATUS(a_.send(i, 0, 8, i % 2 != 0 ? flags_of_odd_ones : 0), STATUS_SUCCESS) << i;
        ASSERT_STATUS(a_.send(99, 0, 8), STATUS_INSUFFICIENT_RESOURCES);
    }
    void receive_one() {
        ASSERT_STATUS(b_.receive(1, 0, 64), STATUS_SUCCESS);
        ASSERT_STATUS(next_result(b_.received.get()).Status, STATUS_SUCCESS);
    }
    // Room for one request, and not for two.
    void expect_room_for_one(ULONG_PTR number) {
        EXPECT_TRUE(support::wait_until([&] { return a_.send(number, 0, 8) == STATUS_SUCCESS; }));
        EXPECT_STATUS(a_.send(99, 0, 8), STATUS_INSUFFICIENT_RESOURCES);
    }

    Pair pair_;
    Side& a_ = pair_.a;
    Side& b_ = pair_.b;
};
OPENND_OVER_EACH_TRANSPORT(NdkQueueRoom);

TEST_P(NdkQueueRoom, EveryRequestHasASlotUntilItIsDone) {
    proves("NDK-QP-POST-02");
    fill(NDK_OP_FLAG_SILENT_SUCCESS);
    receive_one();
    EXPECT_EQ(next_result(a_.initiated.get()).RequestContext, tag(0));
    expect_room_for_one(100);
    receive_one();  // of number 1, which is silent
    expect_room_for_one(101);
    for (ULONG i = 2; i < kDepth + 2; ++i) receive_one();
    for (ULONG i = 2; i < kDepth; i += 2) EXPECT_EQ(next_result(a_.initiated.get()).RequestContext, tag(i));
    for (ULONG_PTR number : {100, 101}) EXPECT_EQ(next_result(a_.initiated.get()).RequestContext, tag(number));
}

TEST_P(NdkQueueRoom, EveryKindOfRequestFindsItFull) {
    proves("NDK-QP-POST-02");
    Owned<NDK_MW> window;
    ASSERT_STATUS(a_.domain->Dispatch->NdkCreateMw(a_.domain.get(), nullptr, nullptr, window.out()), STATUS_SUCCESS);
    fill(0);
    const auto& call = *a_.queue_pair->Dispatch;
    NDK_QP* const queue_pair = a_.queue_pair.get();
    const NDK_SGE entry = a_.part(0, 8);
    EXPECT_STATUS(call.NdkRead(queue_pair, nullptr, &entry, 1, b_.address(0), b_.remote_token, 0),
                  STATUS_INSUFFICIENT_RESOURCES);
    EXPECT_STATUS(call.NdkWrite(queue_pair, nullptr, &entry, 1, b_.address(0), b_.remote_token, 0),
                  STATUS_INSUFFICIENT_RESOURCES);
    EXPECT_STATUS(call.NdkWrite(queue_pair, nullptr, &entry, 1, b_.address(0), b_.remote_token,
                                NDK_OP_FLAG_INLINE | NDK_OP_FLAG_SILENT_SUCCESS),
                  STATUS_INSUFFICIENT_RESOURCES);
    EXPECT_STATUS(call.NdkSendAndInvalidate(queue_pair, nullptr, &entry, 1, 0, b_.remote_token),
                  STATUS_INSUFFICIENT_RESOURCES);
    EXPECT_STATUS(call.NdkBind(queue_pair, nullptr, a_.region.get(), window.get(), a_.memory->data(), 64,
                               NDK_OP_FLAG_ALLOW_REMOTE_READ),
                  STATUS_INSUFFICIENT_RESOURCES);
    EXPECT_STATUS(call.NdkInvalidate(queue_pair, nullptr, &window->Header, 0), STATUS_INSUFFICIENT_RESOURCES);
    for (ULONG i = 0; i < kDepth; ++i) receive_one();
    for (ULONG i = 0; i < kDepth; ++i) {
        const NDK_RESULT_EX sent = next_result(a_.initiated.get());
        EXPECT_STATUS(sent.Status, STATUS_SUCCESS);
        EXPECT_EQ(sent.RequestContext, tag(i)) << "what was refused left no trace";
    }
}

TEST_P(NdkQueueRoom, AReceiveHasASlotUntilItIsDone) {
    proves("NDK-QP-POST-02");
    for (ULONG i = 0; i < kDepth; ++i) ASSERT_STATUS(b_.receive(i, 0, 64), STATUS_SUCCESS);
    EXPECT_STATUS(b_.receive(99, 0, 64), STATUS_INSUFFICIENT_RESOURCES);
    ASSERT_STATUS(a_.send(1, 0, 8), STATUS_SUCCESS);
    EXPECT_EQ(next_result(b_.received.get()).RequestContext, tag(0));
    EXPECT_STATUS(b_.receive(100, 0, 64), STATUS_SUCCESS);
    EXPECT_STATUS(b_.receive(99, 0, 64), STATUS_INSUFFICIENT_RESOURCES);
}

}  // namespace
}  // namespace opennd::ndk_test
