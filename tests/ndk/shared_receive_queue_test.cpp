// SPDX-License-Identifier: MIT
//
// Receives that several queue pairs take from, and the callback when they run low.
#include "ndk/consumer/held_thread.h"

namespace opennd::ndk_test {
namespace {

class NdkSharedReceives : public NdkTest {
protected:
    static constexpr ULONG kRoom = 8;
    static constexpr ULONG kThreshold = 3;

    NdkSharedReceives() {
        EXPECT_STATUS(create(kRoom, 2, kThreshold, shared_.out()), STATUS_SUCCESS);
        Owned<NDK_QP> queue_pair;
        EXPECT_STATUS(b_.domain->Dispatch->NdkCreateQpWithSrq(b_.domain.get(), b_.received.get(), b_.initiated.get(),
                                                              shared_.get(), tag(5), kDepth, 4, 0, nullptr, nullptr,
                                                              queue_pair.out()),
                      STATUS_SUCCESS);
        b_.queue_pair = std::move(queue_pair);
    }
    NTSTATUS create(ULONG depth, ULONG sges, ULONG threshold, NDK_SRQ** out) {
        return b_.domain->Dispatch->NdkCreateSrq(b_.domain.get(), depth, sges, threshold, Calls::request, &low_,
                                                 nullptr, nullptr, nullptr, out);
    }
    NTSTATUS post(ULONG_PTR number, ULONG entries = 1) {
        const std::vector<NDK_SGE> list(entries, b_.part(0, 64));
        return shared_->Dispatch->NdkSrqReceive(shared_.get(), tag(number), list.data(), entries);
    }
    NTSTATUS modify(ULONG depth, ULONG threshold) {
        return shared_->Dispatch->NdkModifySrq(shared_.get(), depth, threshold, nullptr, nullptr);
    }
    void connect() {
        host_ = std::make_unique<Host>(b_.adapter);
        Calls connected, accepted;
        ASSERT_STATUS(begin_connect(a_, *host_, connected), STATUS_PENDING);
        b_.connector = host_->next();
        ASSERT_STATUS(accept(b_, accepted), STATUS_PENDING);
        ASSERT_STATUS(connected.next(), STATUS_SUCCESS);
        ASSERT_STATUS(connected.end(a_.connector->Dispatch->NdkCompleteConnect(a_.connector.get(), nullptr, nullptr,
                                                                               Calls::request, &connected)),
                      STATUS_SUCCESS);
        ASSERT_STATUS(accepted.next(), STATUS_SUCCESS);
        host_->listener = {};
    }
    void deliver(ULONG messages) {
        for (ULONG i = 0; i < messages; ++i) {
            ASSERT_STATUS(a_.send(9, 0, 8, NDK_OP_FLAG_SILENT_SUCCESS), STATUS_SUCCESS);
            const NDK_RESULT_EX result = next_result(b_.received.get());
            ASSERT_STATUS(result.Status, STATUS_SUCCESS);
            EXPECT_EQ(result.QPContext, tag(5));
        }
    }

    Calls low_;
    std::unique_ptr<Host> host_;
    Side a_, b_;
    Owned<NDK_SRQ> shared_;
};
OPENND_OVER_EACH_TRANSPORT(NdkSharedReceives);

TEST_P(NdkSharedReceives, TellOnceWhenTheyFallBelowTheThreshold) {
    proves("NDK-SRQ-01", "NDK-SRQ-02", "NDK-SRQ-03", "NDK-SRQ-05");
    connect();
    for (ULONG i = 0; i < 5; ++i) ASSERT_STATUS(post(i), STATUS_SUCCESS);
    deliver(2);
    EXPECT_EQ(low_.next(support::milliseconds(100)), kNoCallback) << "three are left";
    deliver(1);
    EXPECT_STATUS(low_.next(), STATUS_SUCCESS);
    deliver(1);
    EXPECT_EQ(low_.next(support::milliseconds(100)), kNoCallback) << "it was not armed again";
    EXPECT_STATUS(modify(0, 2), STATUS_SUCCESS);
    EXPECT_STATUS(low_.next(), STATUS_SUCCESS) << "it is so already";
}

TEST_P(NdkSharedReceives, CheckTheirNumbers) {
    proves("NDK-SRQ-01", "NDK-QP-CREATE-06");
    const NDK_ADAPTER_INFO can = b_.adapter.info();
    Owned<NDK_SRQ> none;
    EXPECT_STATUS(create(0, 1, 0, none.out()), STATUS_INVALID_PARAMETER);
    EXPECT_STATUS(create(can.MaxSrqDepth + 1, 1, 0, none.out()), STATUS_INVALID_PARAMETER);
    EXPECT_STATUS(create(4, can.MaxReceiveRequestSge + 1, 0, none.out()), STATUS_INVALID_PARAMETER);
    EXPECT_STATUS(create(4, 1, 5, none.out()), STATUS_INVALID_PARAMETER);
    EXPECT_STATUS(post(1, 3), STATUS_DATA_OVERRUN);
    for (ULONG i = 0; i < kRoom; ++i) ASSERT_STATUS(post(i), STATUS_SUCCESS);
    EXPECT_STATUS(post(9), STATUS_INSUFFICIENT_RESOURCES);
    EXPECT_STATUS(modify(kRoom - 1, 0), STATUS_INVALID_PARAMETER);
    EXPECT_STATUS(modify(kRoom, kRoom + 1), STATUS_INVALID_PARAMETER);
    EXPECT_STATUS(modify(can.MaxSrqDepth + 1, 0), STATUS_INVALID_PARAMETER);
    EXPECT_STATUS(modify(kRoom + 1, 0), STATUS_SUCCESS);
    EXPECT_STATUS(post(9), STATUS_SUCCESS);
    EXPECT_STATUS(b_.receive(1, 0, 64), STATUS_INVALID_DEVICE_REQUEST);
}

TEST_P(NdkSharedReceives, TellNothingOnceTheyAreClosed) {
    proves("NDK-SRQ-09");
    connect();
    for (ULONG i = 0; i < kThreshold; ++i) ASSERT_STATUS(post(i), STATUS_SUCCESS);
    Calls closed;
    {
        HeldThread held(b_);
        deliver(1);  // below the threshold, and the callback has to wait
        EXPECT_STATUS(begin_close(shared_.give_up(), closed), STATUS_PENDING);
    }
    b_.connector.close();
    b_.queue_pair.close();
    EXPECT_STATUS(closed.next(), STATUS_SUCCESS);
    EXPECT_EQ(low_.count(), 0);
}

TEST_P(NdkSharedReceives, StayWhenAQueuePairIsFlushed) {
    proves("NDK-SRQ-06", "NDK-SRQ-07");
    connect();
    ASSERT_STATUS(post(1), STATUS_SUCCESS);
    b_.connector.close();
    NDK_RESULT_EX none{};
    EXPECT_EQ(b_.received->Dispatch->NdkGetCqResultsEx(b_.received.get(), &none, 1), 0u);
    Calls closed;
    EXPECT_STATUS(begin_close(shared_.give_up(), closed), STATUS_PENDING) << "the queue pair relies on it";
    b_.queue_pair.close();
    EXPECT_STATUS(closed.next(), STATUS_SUCCESS);
}

}  // namespace
}  // namespace opennd::ndk_test
