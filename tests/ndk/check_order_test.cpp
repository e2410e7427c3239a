// SPDX-License-Identifier: MIT
//
// Calls with two things wrong at once: which of them is told. Parameters go before the state of the object, and that
// before resources (NDK-GEN-08).
#include <vector>

#include "ndk/consumer/side.h"

namespace opennd::ndk_test {
namespace {

class NdkCheckOrder : public NdkTest {
protected:
    // Requests with wrong parameters, in any state of the queue pair.
    static void expect_parameters_told(Side& side) {
        const auto& call = *side.queue_pair->Dispatch;
        NDK_QP* const queue_pair = side.queue_pair.get();
        const std::vector<NDK_SGE> entries(257, side.part(0, 1));
        const NDK_SGE* const list = entries.data();
        EXPECT_STATUS(call.NdkSend(queue_pair, nullptr, nullptr, 1, 0), STATUS_INVALID_PARAMETER);
        EXPECT_STATUS(call.NdkSend(queue_pair, nullptr, list, 1, 0x400), STATUS_INVALID_PARAMETER);
        EXPECT_STATUS(call.NdkSend(queue_pair, nullptr, list, 5, 0), STATUS_DATA_OVERRUN);
        EXPECT_STATUS(call.NdkSend(queue_pair, nullptr, list, 257, NDK_OP_FLAG_INLINE), STATUS_INVALID_PARAMETER);
        const NDK_SGE too_long = sge(side.memory->data(), 257, 0);
        EXPECT_STATUS(call.NdkSend(queue_pair, nullptr, &too_long, 1, NDK_OP_FLAG_INLINE), STATUS_DATA_OVERRUN);
        EXPECT_STATUS(call.NdkSendAndInvalidate(queue_pair, nullptr, nullptr, 1, 0, 1), STATUS_INVALID_PARAMETER);
        EXPECT_STATUS(call.NdkSendAndInvalidate(queue_pair, nullptr, list, 5, 0, 1), STATUS_DATA_OVERRUN);
        EXPECT_STATUS(call.NdkReceive(queue_pair, nullptr, nullptr, 1), STATUS_INVALID_PARAMETER);
        EXPECT_STATUS(call.NdkReceive(queue_pair, nullptr, list, 5), STATUS_DATA_OVERRUN);
        EXPECT_STATUS(call.NdkRead(queue_pair, nullptr, nullptr, 1, 0, 0, 0), STATUS_INVALID_PARAMETER);
        EXPECT_STATUS(call.NdkRead(queue_pair, nullptr, list, 1, 0, 0, NDK_OP_FLAG_INLINE), STATUS_INVALID_PARAMETER);
        EXPECT_STATUS(call.NdkRead(queue_pair, nullptr, list, 5, 0, 0, 0), STATUS_DATA_OVERRUN);
        EXPECT_STATUS(call.NdkWrite(queue_pair, nullptr, nullptr, 1, 0, 0, 0), STATUS_INVALID_PARAMETER);
        EXPECT_STATUS(call.NdkWrite(queue_pair, nullptr, list, 1, 0, 0, NDK_OP_FLAG_SEND_AND_SOLICIT_EVENT),
                      STATUS_INVALID_PARAMETER);
        EXPECT_STATUS(call.NdkWrite(queue_pair, nullptr, list, 5, 0, 0, 0), STATUS_DATA_OVERRUN);
        EXPECT_STATUS(call.NdkBind(queue_pair, nullptr, side.region.get(), nullptr, side.memory->data(), 64,
                                   NDK_OP_FLAG_ALLOW_REMOTE_READ),
                      STATUS_INVALID_PARAMETER);
        EXPECT_STATUS(call.NdkInvalidate(queue_pair, nullptr, nullptr, 0), STATUS_INVALID_PARAMETER);
        EXPECT_STATUS(call.NdkFastRegister(queue_pair, nullptr, side.region.get(), 0, nullptr, 0, 0, nullptr, 0),
                      STATUS_INVALID_PARAMETER);
    }
    NTSTATUS connect(Side& side, Loopback from, NDK_QP* queue_pair, ULONG data_bytes = 0) {
        static std::byte data[4096];
        Loopback nobody(1);
        return side.connector->Dispatch->NdkConnect(side.connector.get(), queue_pair, from.get(), from.length(),
                                                    nobody.get(), nobody.length(), 1, 1, data, data_bytes,
                                                    Calls::request, &calls_);
    }
    NTSTATUS accept(Side& side, NDK_QP* queue_pair, ULONG data_bytes = 0) {
        static std::byte data[4096];
        return side.connector->Dispatch->NdkAccept(side.connector.get(), queue_pair, 1, 1, data, data_bytes, nullptr,
                                                   nullptr, Calls::request, &calls_);
    }

    Calls calls_;
};
OPENND_OVER_EACH_TRANSPORT(NdkCheckOrder);

TEST_P(NdkCheckOrder, OfAQueuePairWithoutAConnection) {
    proves("NDK-GEN-08", "NDK-QP-POST-03");
    Side side;
    expect_parameters_told(side);
    EXPECT_STATUS(side.send(1, 0, 8), STATUS_CONNECTION_INVALID);
}

TEST_P(NdkCheckOrder, OfAFullQueue) {
    proves("NDK-GEN-08");
    Pair pair;
    for (ULONG i = 0; i < kDepth; ++i) {
        ASSERT_STATUS(pair.a.send(i, 0, 8), STATUS_SUCCESS);
        ASSERT_STATUS(pair.a.receive(i, 0, 8), STATUS_SUCCESS);
    }
    expect_parameters_told(pair.a);
    EXPECT_STATUS(pair.a.send(9, 0, 8), STATUS_INSUFFICIENT_RESOURCES);
    EXPECT_STATUS(pair.a.receive(9, 0, 8), STATUS_INSUFFICIENT_RESOURCES);
    pair.a.queue_pair->Dispatch->NdkFlush(pair.a.queue_pair.get());
    EXPECT_STATUS(pair.a.send(9, 0, 8), STATUS_CONNECTION_INVALID) << "state, though its results were not taken";
}

TEST_P(NdkCheckOrder, OfAConnectorInUse) {
    proves("NDK-GEN-08");
    Pair pair;
    Side other;
    const ULONG too_long = pair.a.adapter.info().MaxCallerData + 1;
    EXPECT_STATUS(connect(pair.a, Loopback(), nullptr), STATUS_INVALID_PARAMETER);
    EXPECT_STATUS(connect(pair.a, Loopback(), pair.a.queue_pair.get(), too_long), STATUS_INVALID_BUFFER_SIZE);
    EXPECT_STATUS(connect(pair.a, Loopback(), pair.a.queue_pair.get()), STATUS_CONNECTION_ACTIVE);
    EXPECT_STATUS(accept(other, nullptr), STATUS_INVALID_PARAMETER);
    EXPECT_STATUS(accept(other, other.queue_pair.get(), pair.a.adapter.info().MaxCalleeData + 1),
                  STATUS_INVALID_BUFFER_SIZE);
    EXPECT_STATUS(accept(other, other.queue_pair.get()), STATUS_CONNECTION_INVALID);
    std::vector<std::byte> data(pair.a.adapter.info().MaxCalleeData + 1);
    const auto reject = other.connector->Dispatch->NdkReject;
    EXPECT_STATUS(reject(other.connector.get(), data.data(), static_cast<ULONG>(data.size())),
                  STATUS_INVALID_BUFFER_SIZE);
    EXPECT_STATUS(reject(other.connector.get(), nullptr, 0), STATUS_CONNECTION_INVALID);
}

TEST_P(NdkCheckOrder, OfALocalAddressInUse) {
    proves("NDK-GEN-08");
    Pair pair;
    Side other;
    Host host(other.adapter);
    const Loopback taken = host.address();
    EXPECT_STATUS(connect(other, taken, nullptr), STATUS_INVALID_PARAMETER);
    EXPECT_STATUS(connect(other, taken, other.queue_pair.get(), other.adapter.info().MaxCallerData + 1),
                  STATUS_INVALID_BUFFER_SIZE);
    EXPECT_STATUS(connect(pair.a, taken, pair.a.queue_pair.get()), STATUS_CONNECTION_ACTIVE);
    EXPECT_STATUS(connect(other, taken, other.queue_pair.get()), STATUS_SHARING_VIOLATION);
    Loopback bad;
    EXPECT_STATUS(host.listener->Dispatch->NdkListen(host.listener.get(), bad.get(), 3, nullptr, nullptr),
                  STATUS_INVALID_PARAMETER);
    Loopback again = taken;
    EXPECT_STATUS(
        host.listener->Dispatch->NdkListen(host.listener.get(), again.get(), again.length(), nullptr, nullptr),
        STATUS_INVALID_DEVICE_STATE);
}

TEST_P(NdkCheckOrder, OfARegionInUse) {
    proves("NDK-GEN-08");
    Side side;
    const auto enroll = [&](MDL* mdl, SIZE_T bytes, ULONG flags) {
        return side.region->Dispatch->NdkRegisterMr(side.region.get(), mdl, bytes, flags, nullptr, nullptr);
    };
    Mdl mdl(side.memory->data(), kMemory);
    EXPECT_STATUS(enroll(mdl.get(), kMemory, 0x4000), STATUS_INVALID_PARAMETER);
    EXPECT_STATUS(enroll(nullptr, kMemory, 0), STATUS_INVALID_PARAMETER);
    EXPECT_STATUS(enroll(mdl.get(), 0, 0), STATUS_INVALID_PARAMETER);
    EXPECT_STATUS(enroll(mdl.get(), kMemory, 0), STATUS_INVALID_DEVICE_STATE);
}

}  // namespace
}  // namespace opennd::ndk_test
