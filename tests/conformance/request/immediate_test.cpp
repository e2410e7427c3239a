// SPDX-License-Identifier: MIT
//
// Immediate data: Sends and Writes that hand 32 bits to the result of a receive. Requirements ND2-IMM-*.
#include <opennd.h>

#include <array>

#include "conformance/request/immediate.h"
#include "conformance/vocabulary/shared_receiver.h"
#include "conformance/vocabulary/sizes.h"
#include "support/tested_device.h"

namespace opennd::conformance {
namespace {

constexpr auto kSend = Nd2ImmediateRequestTypeSend, kWrite = Nd2ImmediateRequestTypeWrite,
               kReceive = Nd2ImmediateRequestTypeReceive;
constexpr auto kWithImmediate = Nd2ImmediateRequestTypeReceiveWithImmediate,
               kOfWrite = Nd2ImmediateRequestTypeReceiveWriteWithImmediate;
constexpr std::size_t kTarget = 32 * 1024;  // where Writes go, away from the receives

class Immediate : public ConformanceTest {
protected:
    void SetUp() override {
        if (const char* const why = lacks_immediate(driver())) GTEST_SKIP() << why;
    }
};
class ImmediateData : public DataTest {
protected:
    void SetUp() override {
        if (const char* const why = lacks_immediate(driver())) GTEST_SKIP() << why;
    }
};

TEST_P(ImmediateData, ComesWithSendsOfEverySize) {
    proves("ND2-IMM-SEND-01", "ND2-IMM-DATA-01", "ND2-IMM-RES-01");
    auto pair = connected(kLargestMessage + 8);
    ImmediateEnd a(pair.a), b(pair.b);
    for (const std::size_t size : kMessageSizes) {
        SCOPED_TRACE(size);
        const UINT32 data = 0x01020304u + static_cast<UINT32>(size);
        fill_pattern(pair.a.bytes(0, size), size);
        fill_with(pair.b.bytes(0, size + 8), std::byte{0xEE});
        ASSERT_EQ(pair.b.receive(7, 0, size + 8), Outcome::success);
        ASSERT_TRUE(is(a.send(8, 0, size, data), ND_SUCCESS));
        ASSERT_TRUE(brought(b.received(), 7, kWithImmediate, size, data));
        ASSERT_TRUE(ended(a.initiated(), 8, kSend, ND_SUCCESS));
        ASSERT_TRUE(has_pattern(pair.b.bytes(0, size), size));
        ASSERT_TRUE(is_filled_with(pair.b.bytes(size, 8), std::byte{0xEE})) << "beyond the message";
    }
}

TEST_P(ImmediateData, ComesWithWritesOfEverySize) {
    proves("ND2-IMM-WRITE-01", "ND2-IMM-WRITE-02", "ND2-IMM-WRITE-05", "ND2-IMM-DATA-01");
    auto pair = connected(kLargestMessage + 64);
    ImmediateEnd a(pair.a), b(pair.b);
    for (const std::size_t size : kMessageSizes) {
        SCOPED_TRACE(size);
        const UINT32 data = 0xFFFFFFFFu - static_cast<UINT32>(size);
        fill_pattern(pair.a.bytes(0, size), size);
        fill_with(pair.b.bytes(0, 64), std::byte{0xEE});
        ASSERT_EQ(pair.b.receive(7, 0, 64), Outcome::success);
        ASSERT_TRUE(is(a.write(8, 0, size, pair.b.remote(64), data), ND_SUCCESS));
        ASSERT_TRUE(brought(b.received(), 7, kOfWrite, size, data));
        ASSERT_TRUE(has_pattern(pair.b.bytes(64, size), size)) << "placed before the result";
        ASSERT_TRUE(ended(a.initiated(), 8, kWrite, ND_SUCCESS));
        ASSERT_TRUE(is_filled_with(pair.b.bytes(0, 64), std::byte{0xEE})) << "the receive keeps its content";
    }
}

TEST_P(Immediate, OfAnyValueComesAsItIs) {
    proves("ND2-IMM-DATA-01");
    ConnectedPair pair(driver());
    ImmediateEnd a(pair.a), b(pair.b);
    for (const UINT32 data : {0u, 1u, 0x00000100u, 0x80000000u, 0xFFFFFFFFu, 0x12345678u}) {
        ASSERT_EQ(pair.b.receive(1), Outcome::success);
        ASSERT_EQ(pair.b.receive(2), Outcome::success);
        ASSERT_TRUE(is(a.send(3, 0, 0, data), ND_SUCCESS));
        ASSERT_TRUE(is(a.write(4, 0, 16, pair.b.remote(kTarget), data), ND_SUCCESS));
        EXPECT_TRUE(brought(b.received(), 1, kWithImmediate, 0, data));
        EXPECT_TRUE(brought(b.received(), 2, kOfWrite, 16, data));
        EXPECT_TRUE(ended(a.initiated(), 3, kSend, ND_SUCCESS));
        EXPECT_TRUE(ended(a.initiated(), 4, kWrite, ND_SUCCESS));
    }
}

TEST_P(Immediate, TakesOneReceiveEachInTheOrderOfPosting) {
    proves("ND2-IMM-ORD-01", "ND2-IMM-WRITE-01");
    ConnectedPair pair(driver());
    ImmediateEnd a(pair.a), b(pair.b);
    for (Tag tag = 0; tag < 6; ++tag) ASSERT_EQ(pair.b.receive(tag, tag * 64, 64), Outcome::success);
    ASSERT_EQ(pair.a.send(10, 0, 5), Outcome::success);
    ASSERT_TRUE(is(a.write(11, 0, 6, pair.b.remote(kTarget), 11), ND_SUCCESS));
    ASSERT_EQ(pair.a.write(12, 0, 7, pair.b.remote(kTarget)), Outcome::success);
    ASSERT_TRUE(is(a.send(13, 0, 8, 13), ND_SUCCESS));
    ASSERT_TRUE(is(a.write(14, 0, 0, {}, 14), ND_SUCCESS));
    ASSERT_EQ(pair.a.send(15, 0, 9), Outcome::success);
    EXPECT_TRUE(brought(b.received(), 0, kReceive, 5, 0));
    EXPECT_TRUE(brought(b.received(), 1, kOfWrite, 6, 11));
    EXPECT_TRUE(brought(b.received(), 2, kWithImmediate, 8, 13));
    EXPECT_TRUE(brought(b.received(), 3, kOfWrite, 0, 14)) << "of its own Write, not of the one before";
    EXPECT_TRUE(brought(b.received(), 4, kReceive, 9, 0));
    constexpr std::array kTypes{kSend, kWrite, kWrite, kSend, kWrite, kSend};
    for (Tag tag = 10; tag < 16; ++tag) EXPECT_TRUE(ended(a.initiated(), tag, kTypes[tag - 10], ND_SUCCESS));
}

TEST_P(Immediate, OfAWriteWaitsForAReceiveWithItsBytesPlaced) {
    if (const char* const why = support::lacks(support::Ability::late_receives)) GTEST_SKIP() << why;
    provokes("CHECK-NO-RECEIVE", "CHECK-RECEIVE-LATE");
    proves("ND2-IMM-WRITE-03");
    ConnectedPair pair(driver());
    ImmediateEnd a(pair.a), b(pair.b);
    fill_pattern(pair.a.bytes(0, 64), 5);
    ASSERT_TRUE(is(a.write(1, 0, 64, pair.b.remote(kTarget), 77), ND_SUCCESS));
    ASSERT_TRUE(wait_until([&] {
        (void)pair.b.received->poll(1);
        return has_pattern(pair.b.bytes(kTarget, 64), 5);
    }));
    ASSERT_EQ(pair.b.receive(2, 0, 16), Outcome::success);
    EXPECT_TRUE(brought(b.received(), 2, kOfWrite, 64, 77));
    EXPECT_TRUE(ended(a.initiated(), 1, kWrite, ND_SUCCESS));
}

TEST_P(Immediate, OfAWriteWithoutAReceiveTimesOut) {
    provokes("CHECK-NO-RECEIVE");
    proves("ND2-IMM-WRITE-03");
    ConnectedPair pair(driver());
    ImmediateEnd a(pair.a);
    ASSERT_TRUE(is(a.write(1, 0, 64, pair.b.remote(kTarget), 77), ND_SUCCESS));
    EXPECT_TRUE(ended(a.initiated(), 1, kWrite, ND_IO_TIMEOUT));
}

TEST_P(Immediate, OfARefusedWriteTakesNoReceive) {
    proves("ND2-IMM-WRITE-06");
    ConnectedPair pair(driver());
    ImmediateEnd a(pair.a), b(pair.b);
    ASSERT_EQ(pair.b.receive(1, 0, 16), Outcome::success);
    Remote wrong = pair.b.remote(kTarget);
    wrong.address += pair.b.memory.bytes().size();
    ASSERT_TRUE(is(a.write(2, 0, 64, wrong, 77), ND_SUCCESS));
    EXPECT_TRUE(ended(a.initiated(), 2, kWrite, ND_ACCESS_VIOLATION));
    const ND2_IMMEDIATE_RESULT flushed = b.received();
    EXPECT_TRUE(ended(flushed, 1, kReceive, ND_CANCELED));
}

// The second is posted while the peer has not looked for the first.
TEST_P(Immediate, OfARefusedWriteBehindAnotherTakesNoReceive) {
    proves("ND2-IMM-WRITE-06", "ND2-IMM-ORD-01");
    ConnectedPair pair(driver());
    ImmediateEnd a(pair.a), b(pair.b);
    for (Tag tag : {1, 2}) ASSERT_EQ(pair.b.receive(tag, 0, 16), Outcome::success);
    fill_pattern(pair.a.bytes(0, 64), 5);
    Remote wrong = pair.b.remote(kTarget);
    wrong.address += pair.b.memory.bytes().size();
    ASSERT_TRUE(is(a.write(3, 0, 64, pair.b.remote(kTarget), 77), ND_SUCCESS));
    ASSERT_TRUE(is(a.write(4, 0, 64, wrong, 78), ND_SUCCESS));
    EXPECT_TRUE(brought(b.received(), 1, kOfWrite, 64, 77));
    EXPECT_TRUE(has_pattern(pair.b.bytes(kTarget, 64), 5));
    EXPECT_TRUE(ended(a.initiated(), 3, kWrite, ND_SUCCESS));
    EXPECT_TRUE(ended(a.initiated(), 4, kWrite, ND_ACCESS_VIOLATION));
    EXPECT_TRUE(ended(b.received(), 2, kReceive, ND_CANCELED));
}

TEST_P(Immediate, InlineIsCopiedInTheCall) {
    proves("ND2-IMM-SEND-02");
    EndpointOptions options;
    options.queue_pair.inline_bytes = 64;
    ConnectedPair pair(driver(), options);
    ImmediateEnd a(pair.a), b(pair.b);
    for (Tag tag : {1, 2}) ASSERT_EQ(pair.b.receive(tag, 0, 64), Outcome::success);
    std::array<char, 8> text{"inlined"};
    ND2_SGE sge{text.data(), 8, 0};
    ASSERT_TRUE(is(a.queue_pair().SendWithImmediate(nullptr, &sge, 1, ND_OP_FLAG_INLINE, 5), ND_SUCCESS));
    text = {"changed"};
    ASSERT_TRUE(brought(b.received(), 1, kWithImmediate, 8, 5));
    EXPECT_STREQ(reinterpret_cast<const char*>(pair.b.bytes(0, 8).data()), "inlined");
    const Remote to = pair.b.remote(kTarget);
    ASSERT_TRUE(is(a.queue_pair().WriteWithImmediate(nullptr, &sge, 1, to.address, to.token, ND_OP_FLAG_INLINE, 6),
                   ND_SUCCESS));
    text = {"inlined"};
    ASSERT_TRUE(brought(b.received(), 2, kOfWrite, 8, 6));
    EXPECT_STREQ(reinterpret_cast<const char*>(pair.b.bytes(kTarget, 8).data()), "changed");
}

TEST_P(Immediate, MakesNoResultWhereSuccessIsSilent) {
    proves("ND2-IMM-ORD-01");
    ConnectedPair pair(driver());
    ImmediateEnd a(pair.a), b(pair.b);
    for (Tag tag : {1, 2, 3}) ASSERT_EQ(pair.b.receive(tag, 0, 16), Outcome::success);
    ASSERT_TRUE(is(a.send(1, 0, 4, 1, ND_OP_FLAG_SILENT_SUCCESS), ND_SUCCESS));
    ASSERT_TRUE(is(a.write(2, 0, 4, pair.b.remote(kTarget), 2, ND_OP_FLAG_SILENT_SUCCESS), ND_SUCCESS));
    ASSERT_TRUE(is(a.send(3, 0, 4, 3), ND_SUCCESS));
    EXPECT_TRUE(ended(a.initiated(), 3, kSend, ND_SUCCESS));
    EXPECT_TRUE(brought(b.received(), 1, kWithImmediate, 4, 1));
    EXPECT_TRUE(brought(b.received(), 2, kOfWrite, 4, 2));
    EXPECT_TRUE(brought(b.received(), 3, kWithImmediate, 4, 3));
}

TEST_P(Immediate, FencedComesAfterEarlierReads) {
    proves("ND2-IMM-ORD-01");
    ConnectedPair pair(driver());
    ImmediateEnd a(pair.a), b(pair.b);
    constexpr std::size_t kBytes = 8192;
    fill_pattern(pair.b.bytes(kTarget, kBytes), 9);
    ASSERT_EQ(pair.b.receive(1, 0, 16), Outcome::success);
    ASSERT_EQ(pair.a.read(2, 0, kBytes, pair.b.remote(kTarget)), Outcome::success);
    ASSERT_TRUE(is(a.write(3, 0, kBytes, pair.b.remote(kTarget + kBytes), 4, ND_OP_FLAG_READ_FENCE), ND_SUCCESS));
    EXPECT_TRUE(brought(b.received(), 1, kOfWrite, kBytes, 4));
    EXPECT_TRUE(has_pattern(pair.b.bytes(kTarget + kBytes, kBytes), 9)) << "what the Read brought";
    EXPECT_TRUE(ended(a.initiated(), 2, Nd2ImmediateRequestTypeRead, ND_SUCCESS));
    EXPECT_TRUE(ended(a.initiated(), 3, kWrite, ND_SUCCESS));
}

TEST_P(Immediate, CountsAsSolicitedWhereAsked) {
    proves("ND2-IMM-WRITE-04", "ND2-IMM-SEND-02");
    ConnectedPair pair(driver());
    ImmediateEnd a(pair.a), b(pair.b);
    for (Tag tag : {1, 2, 3, 4}) ASSERT_EQ(pair.b.receive(tag, 0, 16), Outcome::success);
    ASSERT_TRUE(is(a.send(1, 0, 0, 1), ND_SUCCESS));
    ASSERT_TRUE(is(a.write(2, 0, 8, pair.b.remote(kTarget), 2), ND_SUCCESS));
    for (Tag tag : {1, 2}) EXPECT_EQ(reinterpret_cast<Tag>(b.received().RequestContext), tag);
    for (const bool write : {false, true}) {
        const Operation news = pair.b.received->notify(NotifyType::solicited);
        ASSERT_EQ(news.now(), Outcome::pending);
        const HRESULT posted = write ? a.write(4, 0, 8, pair.b.remote(kTarget), 4, ND_OP_FLAG_SEND_AND_SOLICIT_EVENT)
                                     : a.send(3, 0, 0, 3, ND_OP_FLAG_SEND_AND_SOLICIT_EVENT);
        ASSERT_TRUE(is(posted, ND_SUCCESS));
        EXPECT_EQ(news.wait(), Outcome::success);
        EXPECT_TRUE(write ? brought(b.received(), 4, kOfWrite, 8, 4) : brought(b.received(), 3, kWithImmediate, 0, 3));
    }
}

TEST_P(Immediate, IsFlushedInTheOrderOfPosting) {
    if (const char* const why = support::lacks(support::Ability::late_receives)) GTEST_SKIP() << why;
    provokes("CHECK-NO-RECEIVE");
    proves("ND2-IMM-ORD-01");
    ConnectedPair pair(driver());
    ImmediateEnd a(pair.a);
    ASSERT_EQ(pair.a.send(1), Outcome::success);
    ASSERT_TRUE(is(a.write(2, 0, 8, pair.b.remote(kTarget), 2), ND_SUCCESS));
    ASSERT_TRUE(is(a.send(3, 0, 8, 3), ND_SUCCESS));
    ASSERT_EQ(pair.a.queue_pair->flush(), Outcome::success);
    EXPECT_TRUE(ended(a.initiated(), 1, kSend, ND_CANCELED));
    EXPECT_TRUE(ended(a.initiated(), 2, kWrite, ND_CANCELED));
    EXPECT_TRUE(ended(a.initiated(), 3, kSend, ND_CANCELED));
}

TEST_P(Immediate, IsLostToAProgramThatTakesPlainResults) {
    proves("ND2-IMM-RES-02");
    ConnectedPair pair(driver());
    ImmediateEnd a(pair.a);
    for (Tag tag : {1, 2}) ASSERT_EQ(pair.b.receive(tag, 0, 16), Outcome::success);
    ASSERT_TRUE(is(a.send(3, 0, 8, 3), ND_SUCCESS));
    ASSERT_TRUE(is(a.write(4, 0, 8, pair.b.remote(kTarget), 4), ND_SUCCESS));
    const auto next_type = [](CompletionQueue& queue) {
        ND2_RESULT result{};
        auto* const raw = dynamic_cast<nd2::Nd2CompletionQueue&>(queue).get();
        EXPECT_TRUE(wait_until([&] { return raw->GetResults(&result, 1) == 1; }));
        EXPECT_TRUE(is(result.Status, ND_SUCCESS));
        EXPECT_EQ(result.BytesTransferred, result.RequestType == Nd2RequestTypeReceive ? 8u : 0u);
        return result.RequestType;
    };
    for (int i = 0; i < 2; ++i) EXPECT_EQ(next_type(*pair.b.received), Nd2RequestTypeReceive);
    EXPECT_EQ(next_type(*pair.a.initiated), Nd2RequestTypeSend);
    EXPECT_EQ(next_type(*pair.a.initiated), Nd2RequestTypeWrite);
}

TEST_P(Immediate, OfATooLongSendIsADataError) {
    proves("ND2-IMM-SEND-02");
    ConnectedPair pair(driver());
    ImmediateEnd a(pair.a), b(pair.b);
    ASSERT_EQ(pair.b.receive(1, 0, 16), Outcome::success);
    ASSERT_TRUE(is(a.send(2, 0, 17, 3), ND_SUCCESS));
    EXPECT_TRUE(ended(b.received(), 1, kReceive, ND_DATA_OVERRUN));
    EXPECT_TRUE(ended(a.initiated(), 2, kSend, STATUS_DATA_ERROR));
}

TEST_P(Immediate, GoesThroughAMemoryWindow) {
    proves("ND2-IMM-WRITE-01");
    ConnectedPair pair(driver());
    ImmediateEnd a(pair.a), b(pair.b);
    const auto window = pair.b.adapter->create_memory_window();
    ASSERT_EQ(pair.b.queue_pair->bind(1, *pair.b.region, *window, pair.b.bytes(kTarget, 64).data(), 64, kAllowWrite),
              Outcome::success);
    ASSERT_TRUE(reports(*pair.b.initiated, RequestKind::bind, 1, Outcome::success));
    ASSERT_EQ(pair.b.receive(2, 0, 16), Outcome::success);
    fill_pattern(pair.a.bytes(0, 64), 3);
    ASSERT_TRUE(is(a.write(3, 0, 64, {pair.b.remote(kTarget).address, window->remote_token()}, 8), ND_SUCCESS));
    EXPECT_TRUE(brought(b.received(), 2, kOfWrite, 64, 8));
    EXPECT_TRUE(has_pattern(pair.b.bytes(kTarget, 64), 3));
}

TEST_P(Immediate, TakesReceivesOfASharedQueue) {
    proves("ND2-IMM-SRQ-01");
    SharedReceiver shared(driver());
    SharedConnection connection(driver(), shared);
    ImmediateEnd a(connection.peer);
    ASSERT_EQ(shared.receive(1, 0, 64), Outcome::success);
    ASSERT_EQ(shared.receive(2, 64, 64), Outcome::success);
    ASSERT_TRUE(is(a.send(3, 0, 8, 30), ND_SUCCESS));
    ASSERT_TRUE(is(a.write(4, 0, 0, {}, 40), ND_SUCCESS));
    ComPtr<IND2ImmediateCompletionQueue> queue;
    ASSERT_TRUE(is(dynamic_cast<nd2::Nd2CompletionQueue&>(*connection.received)
                       .get()
                       ->QueryInterface(IID_IND2ImmediateCompletionQueue, queue.out()),
                   S_OK));
    ND2_IMMEDIATE_RESULT result{};
    ASSERT_TRUE(wait_until([&] { return queue->GetImmediateResults(&result, 1) == 1; }));
    EXPECT_TRUE(brought(result, 1, kWithImmediate, 8, 30));
    ASSERT_TRUE(wait_until([&] { return queue->GetImmediateResults(&result, 1) == 1; }));
    EXPECT_TRUE(brought(result, 2, kOfWrite, 0, 40));
}

INSTANTIATE_TEST_SUITE_P(, Immediate, testing::ValuesIn(variants_of("Nd2")), variant_name);
INSTANTIATE_TEST_SUITE_P(, ImmediateData,
                         testing::Combine(testing::ValuesIn(variants_of("Nd2")),
                                          testing::Values(MemoryKind::ordinary, MemoryKind::mappable)),
                         data_variant_name);

}  // namespace
}  // namespace opennd::conformance
