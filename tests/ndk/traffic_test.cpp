// SPDX-License-Identifier: MIT
//
// Requests between two connected sides: the arriving bytes, the results, the refusals of posts.
#include <algorithm>
#include <cstring>

#include "ndk/consumer/side.h"

namespace opennd::ndk_test {
namespace {

class NdkTraffic : public NdkTest {};
OPENND_OVER_EACH_TRANSPORT(NdkTraffic);

void fill(Side& side, ULONG offset, ULONG bytes, unsigned char value) {
    std::memset(side.memory->data() + offset, value, bytes);
}
bool holds(const Side& side, ULONG offset, ULONG bytes, unsigned char value) {
    const auto* const first = side.memory->data() + offset;
    return std::all_of(first, first + bytes, [&](std::byte each) { return each == std::byte{value}; });
}

TEST_P(NdkTraffic, ASendFillsAReceiveAndBothTellOfIt) {
    proves("NDK-QP-SEND-01", "NDK-QP-SEND-02", "NDK-QP-RECV-03", "NDK-QP-RECV-04", "NDK-CQ-POLL-01", "NDK-CQ-POLL-02",
           "NDK-CQ-POLL-04", "NDK-CQ-POLL-05", "NDK-QP-COMP-05", "NDK-QP-CREATE-05", "NDK-GEN-12", "NDK-GEN-13",
           "NDK-CONS-62", "NDK-CONS-63", "NDK-CONS-68");
    SideOptions options;
    options.queue_pair_context = tag(77);
    Pair pair(options);
    fill(pair.a, 0, 1000, 0xA1);
    EXPECT_STATUS(pair.b.receive(1, 0, 4096), STATUS_SUCCESS);
    EXPECT_STATUS(pair.a.send(2, 0, 1000), STATUS_SUCCESS);
    const NDK_RESULT_EX received = next_result(pair.b.received.get());
    EXPECT_STATUS(received.Status, STATUS_SUCCESS);
    EXPECT_EQ(received.BytesTransferred, 1000u);
    EXPECT_EQ(received.RequestContext, tag(1));
    EXPECT_EQ(received.QPContext, tag(77));
    EXPECT_EQ(received.Type, NdkOperationTypeReceive);
    EXPECT_EQ(received.ProviderErrorCode, 0u);
    EXPECT_EQ(received.TypeSpecificCompletionOutput, 0u);
    EXPECT_TRUE(holds(pair.b, 0, 1000, 0xA1));
    EXPECT_TRUE(holds(pair.b, 1000, 3096, 0));
    const NDK_RESULT_EX sent = next_result(pair.a.initiated.get());
    EXPECT_STATUS(sent.Status, STATUS_SUCCESS);
    EXPECT_EQ(sent.BytesTransferred, 0u);
    EXPECT_EQ(sent.Type, NdkOperationTypeSend);
    NDK_RESULT short_form{};
    EXPECT_EQ(pair.a.initiated->Dispatch->NdkGetCqResults(pair.a.initiated.get(), &short_form, 1), 0u);
}

TEST_P(NdkTraffic, ReceivesPostedLateFindTheMessage) {
    proves("NDK-QP-SEND-04", "NDK-CONS-40", "NDK-QP-SEND-05");
    Pair pair;
    fill(pair.a, 0, 16, 0x42);
    EXPECT_STATUS(pair.a.send(1, 0, 16), STATUS_SUCCESS);
    EXPECT_STATUS(pair.a.send(2, 0, 0), STATUS_SUCCESS);
    EXPECT_STATUS(pair.b.receive(3, 64, 16), STATUS_SUCCESS);
    EXPECT_STATUS(pair.b.receive(4, 128, 16), STATUS_SUCCESS);
    EXPECT_EQ(next_result(pair.b.received.get()).BytesTransferred, 16u);
    const NDK_RESULT_EX empty = next_result(pair.b.received.get());
    EXPECT_STATUS(empty.Status, STATUS_SUCCESS);
    EXPECT_EQ(empty.BytesTransferred, 0u);
    EXPECT_TRUE(holds(pair.b, 64, 16, 0x42));
}

TEST_P(NdkTraffic, InlineBytesAreTakenInTheCallFromAnyNumberOfEntries) {
    proves("NDK-QP-FLAG-04", "NDK-QP-FLAG-05", "NDK-QP-POST-03", "NDK-QP-WRITE-03");
    Pair pair;
    EXPECT_STATUS(pair.b.receive(1, 0, 4096), STATUS_SUCCESS);
    unsigned char bytes[200];
    std::memset(bytes, 0x33, sizeof bytes);
    std::vector<NDK_SGE> entries;
    for (unsigned char& each : bytes) entries.push_back(sge(&each, 1, 0));
    const auto& call = *pair.a.queue_pair->Dispatch;
    EXPECT_STATUS(call.NdkSend(pair.a.queue_pair.get(), tag(2), entries.data(), 200, NDK_OP_FLAG_INLINE),
                  STATUS_SUCCESS);
    std::memset(bytes, 0, sizeof bytes);
    EXPECT_EQ(next_result(pair.b.received.get()).BytesTransferred, 200u);
    EXPECT_TRUE(holds(pair.b, 0, 200, 0x33));
    std::memset(bytes, 0x44, sizeof bytes);
    entries.resize(256, entries.front());  // as many as bytes fit: the most
    EXPECT_STATUS(pair.b.receive(1, 0, 4096), STATUS_SUCCESS);
    EXPECT_STATUS(call.NdkSend(pair.a.queue_pair.get(), tag(5), entries.data(), 256, NDK_OP_FLAG_INLINE),
                  STATUS_SUCCESS);
    EXPECT_EQ(next_result(pair.b.received.get()).BytesTransferred, 256u);
    EXPECT_TRUE(holds(pair.b, 0, 256, 0x44));
    entries.resize(257, entries.front());
    EXPECT_STATUS(call.NdkSend(pair.a.queue_pair.get(), tag(3), entries.data(), 257, NDK_OP_FLAG_INLINE),
                  STATUS_INVALID_PARAMETER);
    const NDK_SGE long_one = sge(pair.a.memory->data(), 257, 0);
    EXPECT_STATUS(call.NdkSend(pair.a.queue_pair.get(), tag(4), &long_one, 1, NDK_OP_FLAG_INLINE), STATUS_DATA_OVERRUN);
}

TEST_P(NdkTraffic, PostsCheckFlagsEntriesAndRoom) {
    proves("NDK-QP-POST-01", "NDK-QP-POST-02", "NDK-QP-POST-03", "NDK-QP-POST-04", "NDK-QP-POST-05");
    Pair pair;
    const auto& call = *pair.a.queue_pair->Dispatch;
    NDK_QP* const queue_pair = pair.a.queue_pair.get();
    const std::vector<NDK_SGE> entries(5, pair.a.part(0, 1));
    EXPECT_STATUS(call.NdkSend(queue_pair, nullptr, entries.data(), 5, 0), STATUS_DATA_OVERRUN);
    EXPECT_STATUS(call.NdkReceive(queue_pair, nullptr, entries.data(), 5), STATUS_DATA_OVERRUN);
    const std::vector<NDK_SGE> gigabytes(2, sge(pair.a.memory->data(), 0x30000000, pair.a.local_token));
    EXPECT_STATUS(call.NdkSend(queue_pair, nullptr, gigabytes.data(), 2, 0), STATUS_DATA_OVERRUN);
    EXPECT_STATUS(call.NdkReceive(queue_pair, nullptr, gigabytes.data(), 2), STATUS_DATA_OVERRUN);
    EXPECT_STATUS(call.NdkSend(queue_pair, nullptr, nullptr, 1, 0), STATUS_INVALID_PARAMETER);
    EXPECT_STATUS(call.NdkSend(queue_pair, nullptr, entries.data(), 1, NDK_OP_FLAG_ALLOW_REMOTE_READ),
                  STATUS_INVALID_PARAMETER);
    EXPECT_STATUS(call.NdkWrite(queue_pair, nullptr, entries.data(), 1, pair.b.address(0), pair.b.remote_token,
                                NDK_OP_FLAG_RDMA_READ_LOCAL_INVALIDATE),
                  STATUS_INVALID_PARAMETER);
    EXPECT_STATUS(call.NdkSend(queue_pair, nullptr, entries.data(), 1, 0x400), STATUS_INVALID_PARAMETER);
    EXPECT_STATUS(pair.b.receive(1, 0, 64), STATUS_SUCCESS);
    EXPECT_STATUS(call.NdkSend(queue_pair, nullptr, nullptr, 0, NDK_OP_FLAG_RDMA_READ_SINK), STATUS_SUCCESS);
    EXPECT_STATUS(next_result(pair.b.received.get()).Status, STATUS_SUCCESS);
    EXPECT_STATUS(next_result(pair.a.initiated.get()).Status, STATUS_SUCCESS);
    for (ULONG i = 0; i < kDepth; ++i) EXPECT_STATUS(pair.a.receive(i, 0, 64), STATUS_SUCCESS);
    EXPECT_STATUS(pair.a.receive(99, 0, 64), STATUS_INSUFFICIENT_RESOURCES);
}

TEST_P(NdkTraffic, ASilentRequestHasNoResultWhenItSucceeds) {
    proves("NDK-QP-FLAG-01", "NDK-QP-POST-10", "NDK-QP-POST-11", "NDK-CONS-64", "NDK-CQ-POLL-08");
    Pair pair;
    EXPECT_STATUS(pair.b.receive(1, 0, 64), STATUS_SUCCESS);
    EXPECT_STATUS(pair.b.receive(2, 0, 64), STATUS_SUCCESS);
    EXPECT_STATUS(pair.a.send(3, 0, 8, NDK_OP_FLAG_SILENT_SUCCESS | NDK_OP_FLAG_DEFER), STATUS_SUCCESS);
    EXPECT_STATUS(pair.a.send(4, 0, 8), STATUS_SUCCESS);
    EXPECT_EQ(next_result(pair.a.initiated.get()).RequestContext, tag(4));
    EXPECT_EQ(next_result(pair.b.received.get()).RequestContext, tag(1));
    EXPECT_EQ(next_result(pair.b.received.get()).RequestContext, tag(2));
}

TEST_P(NdkTraffic, RightsAreEnforcedAndTheFaultEndsTheConnection) {
    proves("NDK-CONS-33", "NDK-CONS-87", "NDK-QP-COMP-01", "NDK-QP-COMP-02", "NDK-QP-COMP-03", "NDK-CONS-85");
    SideOptions options;
    options.rights = NDK_MR_FLAG_ALLOW_LOCAL_WRITE;
    Pair pair(options);
    EXPECT_STATUS(pair.a.receive(1, 0, 64), STATUS_SUCCESS);
    const NDK_SGE entry = pair.a.part(0, 64);
    EXPECT_STATUS(pair.a.queue_pair->Dispatch->NdkRead(pair.a.queue_pair.get(), tag(2), &entry, 1, pair.b.address(0),
                                                       pair.b.remote_token, 0),
                  STATUS_SUCCESS);
    const NDK_RESULT_EX refused = next_result(pair.a.initiated.get());
    EXPECT_STATUS(refused.Status, STATUS_ACCESS_VIOLATION);
    EXPECT_EQ(refused.BytesTransferred, 0u);
    EXPECT_STATUS(next_result(pair.a.received.get()).Status, STATUS_CANCELLED);
    EXPECT_NE(pair.a.disconnected.next(), kNoCallback);
    EXPECT_NE(pair.b.disconnected.next(), kNoCallback);
}

TEST_P(NdkTraffic, AMessageThatIsTooLongFailsAtBothSides) {
    proves("NDK-QP-SEND-03");
    Pair pair;
    EXPECT_STATUS(pair.b.receive(1, 0, 16), STATUS_SUCCESS);
    EXPECT_STATUS(pair.a.send(2, 0, 64), STATUS_SUCCESS);
    EXPECT_STATUS(next_result(pair.b.received.get()).Status, STATUS_BUFFER_OVERFLOW);
    const NTSTATUS sent = next_result(pair.a.initiated.get()).Status;
    EXPECT_TRUE(sent == STATUS_REMOTE_RESOURCES || sent == STATUS_CANCELLED) << Hex{sent};
}

TEST_P(NdkTraffic, FlushCancelsAndEndsTheUseOfTheQueuePair) {
    proves("NDK-QP-FLUSH-01", "NDK-QP-FLUSH-02", "NDK-QP-STATE-01");
    Pair pair;
    EXPECT_STATUS(pair.a.receive(1, 0, 64), STATUS_SUCCESS);
    pair.a.queue_pair->Dispatch->NdkFlush(pair.a.queue_pair.get());
    EXPECT_STATUS(next_result(pair.a.received.get()).Status, STATUS_CANCELLED);
    EXPECT_STATUS(pair.a.send(2, 0, 64), STATUS_CONNECTION_INVALID);
    EXPECT_STATUS(pair.a.receive(3, 0, 64), STATUS_SUCCESS);
    EXPECT_STATUS(next_result(pair.a.received.get()).Status, STATUS_CANCELLED);
    EXPECT_NE(pair.b.disconnected.next(), kNoCallback) << "the connection has ended";
}

TEST_P(NdkTraffic, AnUnconnectedQueuePairKeepsReceivesAndRefusesTheRest) {
    proves("NDK-QP-RECV-02", "NDK-QP-FLUSH-02");
    Side side;
    EXPECT_STATUS(side.send(1, 0, 64), STATUS_CONNECTION_INVALID);
    EXPECT_STATUS(side.receive(2, 0, 64), STATUS_SUCCESS);
    side.queue_pair->Dispatch->NdkFlush(side.queue_pair.get());
    EXPECT_STATUS(next_result(side.received.get()).Status, STATUS_CANCELLED);
    EXPECT_STATUS(side.receive(3, 0, 64), STATUS_SUCCESS);
    NDK_RESULT_EX none{};
    EXPECT_EQ(side.received->Dispatch->NdkGetCqResultsEx(side.received.get(), &none, 1), 0u) << "it is as new";
}

TEST_P(NdkTraffic, ReadsNeedALimit) {
    proves("NDK-QP-READ-03");
    SideOptions options;
    options.reads = 0;
    Pair pair(options);
    const NDK_SGE entry = pair.a.part(0, 64);
    EXPECT_STATUS(pair.a.queue_pair->Dispatch->NdkRead(pair.a.queue_pair.get(), tag(2), &entry, 1, pair.b.address(0),
                                                       pair.b.remote_token, 0),
                  STATUS_INVALID_DEVICE_REQUEST);
}

TEST_P(NdkTraffic, ResultsOutliveTheQueuePair) {
    proves("NDK-CQ-POLL-07", "NDK-QP-CLOSE-02", "NDK-CONS-84", "NDK-CON-CLOSE-02");
    Pair pair;
    EXPECT_STATUS(pair.a.receive(1, 0, 64), STATUS_SUCCESS);
    pair.a.connector.close();
    EXPECT_STATUS(pair.a.queue_pair.close(), STATUS_SUCCESS);
    const NDK_RESULT_EX flushed = next_result(pair.a.received.get());
    EXPECT_STATUS(flushed.Status, STATUS_CANCELLED);
    EXPECT_EQ(flushed.RequestContext, tag(1));
}

TEST_P(NdkTraffic, ReadAndWriteReachThePeersMemory) {
    proves("NDK-QP-READ-01", "NDK-QP-WRITE-01", "NDK-QP-WRITE-02", "NDK-QP-WRITE-04", "NDK-MR-TOK-02", "NDK-MR-REG-04",
           "NDK-CONS-33", "NDK-QP-POST-08");
    Pair pair;
    const auto& call = *pair.a.queue_pair->Dispatch;
    fill(pair.a, 0, 8192, 0x5A);
    NDK_SGE entry = pair.a.part(0, 8192);
    EXPECT_STATUS(
        call.NdkWrite(pair.a.queue_pair.get(), tag(1), &entry, 1, pair.b.address(16384), pair.b.remote_token, 0),
        STATUS_SUCCESS);
    NDK_RESULT_EX result = next_result(pair.a.initiated.get());
    EXPECT_STATUS(result.Status, STATUS_SUCCESS);
    EXPECT_EQ(result.Type, NdkOperationTypeWrite);
    entry = pair.a.part(32768, 8192);
    EXPECT_STATUS(call.NdkRead(pair.a.queue_pair.get(), tag(2), &entry, 1, pair.b.address(16384), pair.b.remote_token,
                               NDK_OP_FLAG_READ_FENCE | NDK_OP_FLAG_DEFER),
                  STATUS_SUCCESS);
    result = next_result(pair.a.initiated.get());
    EXPECT_STATUS(result.Status, STATUS_SUCCESS);
    EXPECT_EQ(result.Type, NdkOperationTypeRead);
    EXPECT_TRUE(holds(pair.b, 16384, 8192, 0x5A));
    EXPECT_TRUE(holds(pair.a, 32768, 8192, 0x5A));
}

}  // namespace
}  // namespace opennd::ndk_test
