// SPDX-License-Identifier: MIT
//
// Posting to an endpoint: statuses at the call and in the result, byte counts, inline data, batches. Requirements
// ND1-EP-GEN-*, ND1-EP-INL-*, ND1-EP-SEND-*, ND1-EP-RECV-*, ND1-EP-BATCH-*, ND1-EP-FLUSH-*, ND1-RES-*; vectors 7.4.
#include <vector>

#include "conformance/nd1/nd1_test.h"
#include "support/tested_device.h"

namespace opennd::conformance::nd1 {
namespace {

class Nd1Posting : public Nd1Test {};

TEST_P(Nd1Posting, ResultsAreTheProgramsOwnAndHaveTheBytesOfEachTransfer) {
    proves("ND1-RES-01", "ND1-RES-02", "ND1-RES-03", "ND1-RES-04", "ND1-RES-07", "ND1-RES-09", "ND1-EP-SEND-02",
           "ND1-EP-SEND-03", "ND1-EP-SEND-07", "ND1-EP-RECV-05", "ND1-EP-RECV-06", "ND1-GEN-01");
    struct Larger {
        ND_RESULT result;
        int more;
    };
    Pair pair;
    pair.connected();
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{100}, std::size_t{20'000}}) {
        Larger sent, received;
        std::memset(static_cast<void*>(&sent), 0x5A, sizeof sent);
        const Larger before = sent;
        ASSERT_TRUE(is(pair.b.receive(received.result, 40'000), ND_SUCCESS));
        ASSERT_TRUE(is(pair.a.send(sent.result, bytes), ND_SUCCESS));
        EXPECT_TRUE(comes(*pair.b.inbound.get(), received.result, ND_SUCCESS, bytes));
        EXPECT_EQ(std::memcmp(&sent, &before, sizeof sent), 0) << "written by GetResults alone";
        EXPECT_TRUE(comes(*pair.a.outbound.get(), sent.result, ND_SUCCESS, bytes));
        EXPECT_EQ(sent.more, before.more);
        std::uint32_t padding = 0;
        std::memcpy(&padding, reinterpret_cast<const char*>(&sent) + 4, sizeof padding);
        EXPECT_EQ(padding, 0x5A5A5A5Au);
    }
}

TEST_P(Nd1Posting, OnePointerMayBeOutstandingTwice) {
    proves("ND1-RES-05", "ND1-CQ-04");
    Pair pair;
    pair.connected();
    ND_RESULT sent, received;
    for (int i = 0; i < 2; ++i) ASSERT_TRUE(is(pair.b.receive(received, 64), ND_SUCCESS));
    for (int i = 0; i < 2; ++i) ASSERT_TRUE(is(pair.a.send(sent, 64), ND_SUCCESS));
    for (int i = 0; i < 2; ++i) EXPECT_TRUE(comes(*pair.a.outbound.get(), sent, ND_SUCCESS, 64));
    for (int i = 0; i < 2; ++i) EXPECT_TRUE(comes(*pair.b.inbound.get(), received, ND_SUCCESS, 64));
    ND_RESULT* more = nullptr;
    EXPECT_EQ(pair.a.outbound->GetResults(&more, 1), 0u);
}

TEST_P(Nd1Posting, ArgumentsAreCheckedInTheirOrder) {
    proves("ND1-GEN-06", "ND1-GEN-09", "ND1-GEN-10", "ND1-EP-GEN-01", "ND1-EP-GEN-06", "ND1-EP-SEND-01",
           "ND1-EP-SEND-04", "ND1-EP-SEND-06", "ND1-EP-RECV-03");
    Side side;
    ND_RESULT result;
    const std::vector<ND_SGE> many(17, side.piece(0, 8));
    EXPECT_TRUE(is(side.endpoint->Send(nullptr, nullptr, 1, 0x20), ND_INVALID_PARAMETER_1));
    EXPECT_TRUE(is(side.endpoint->Send(&result, nullptr, 1, 0x20), ND_INVALID_PARAMETER_2));
    EXPECT_TRUE(is(side.endpoint->Send(&result, many.data(), 17, 0x20), ND_INVALID_PARAMETER_4));
    EXPECT_TRUE(is(side.endpoint->Send(&result, many.data(), 17, 0), ND_CONNECTION_INVALID));
    EXPECT_TRUE(is(side.endpoint->Receive(nullptr, nullptr, 1), ND_INVALID_PARAMETER_1));
    EXPECT_TRUE(is(side.endpoint->Receive(&result, nullptr, 1), ND_INVALID_PARAMETER_2));
    EXPECT_TRUE(is(side.endpoint->Receive(&result, many.data(), 17), ND_DATA_OVERRUN));
    ND_MW_DESCRIPTOR descriptor{};
    EXPECT_TRUE(is(side.endpoint->Read(&result, many.data(), 1, nullptr, 0, 0), ND_INVALID_PARAMETER_4));
    EXPECT_TRUE(is(side.endpoint->Read(&result, many.data(), 1, &descriptor, 0, 0x40), ND_INVALID_PARAMETER_6));
    EXPECT_TRUE(is(side.endpoint->Read(&result, many.data(), 17, &descriptor, 9, 0), ND_CONNECTION_INVALID));
    EXPECT_TRUE(is(side.endpoint->Write(&result, many.data(), 1, nullptr, 0, 0), ND_INVALID_PARAMETER_4));
    EXPECT_TRUE(is(side.endpoint->Write(&result, many.data(), 1, &descriptor, 0, 0x40), ND_INVALID_PARAMETER_6));
    EXPECT_TRUE(is(side.endpoint->SendAndInvalidate(&result, nullptr, 0, nullptr, 0), ND_INVALID_PARAMETER_4));
    EXPECT_TRUE(is(side.endpoint->SendAndInvalidate(&result, nullptr, 0, &descriptor, 0x20), ND_INVALID_PARAMETER_5));
    EXPECT_TRUE(is(side.endpoint->SendAndInvalidate(&result, nullptr, 0, &descriptor, 0), ND_CONNECTION_INVALID));
}

TEST_P(Nd1Posting, CountsAndLengthsAreCheckedAtFullWidth) {
    proves("ND1-GEN-04", "ND1-GEN-11", "ND1-EP-GEN-04", "ND1-EP-GEN-05", "ND1-EP-RECV-02", "ND1-EP-READ-06",
           "ND1-CN-CREP-10");
    Pair pair({.outbound = 2, .outbound_sge = 1}, {.inbound_sge = 1});
    pair.connected();
    const SIZE_T most = info_of(*pair.a.adapter.get()).MaxOutboundLength;
    ND_RESULT result, received;
    const ND_SGE two[] = {pair.a.piece(0, 8), pair.a.piece(8, 8)};
    EXPECT_TRUE(is(pair.a.endpoint->Send(&result, two, 2, 0), ND_DATA_OVERRUN));
    EXPECT_TRUE(is(pair.b.endpoint->Receive(&result, two, 2), ND_DATA_OVERRUN));
    EXPECT_TRUE(is(pair.a.endpoint->Send(&result, two, (SIZE_T{1} << 32) + 1, 0), ND_DATA_OVERRUN));
    for (const SIZE_T length : {most + 1, SIZE_T{1} << 32, ~SIZE_T{0}}) {
        const ND_SGE sge{pair.a.memory.data(), length, pair.a.mr};
        EXPECT_TRUE(is(pair.a.endpoint->Send(&result, &sge, 1, 0), ND_BUFFER_OVERFLOW)) << length;
        EXPECT_TRUE(is(pair.b.endpoint->Receive(&result, &sge, 1), ND_BUFFER_OVERFLOW)) << length;
    }
    Side wide;
    const ND_SGE wrapping[] = {{wide.memory.data(), most, wide.mr}, {wide.memory.data(), most, wide.mr}};
    EXPECT_TRUE(is(wide.endpoint->Receive(&result, wrapping, 2), ND_BUFFER_OVERFLOW)) << "their sum";
    ASSERT_TRUE(is(pair.b.receive(received, 64), ND_SUCCESS));
    ASSERT_TRUE(is(pair.a.send(result, 64), ND_SUCCESS)) << "nothing has happened to the endpoint";
    EXPECT_TRUE(comes(*pair.a.outbound.get(), result, ND_SUCCESS, 64));
}

TEST_P(Nd1Posting, AnEndpointForNoEntriesTakesRequestsWithoutBytes) {
    proves("ND1-CN-CREP-05", "ND1-EP-GEN-04", "ND1-EP-GEN-06");
    Pair pair({.outbound_sge = 0}, {.inbound_sge = 0});
    pair.connected();
    ND_MW_DESCRIPTOR descriptor{};
    ND_RESULT received, sent;
    INDEndpoint& endpoint = *pair.a.endpoint.get();
    for (const ND_SGE& entry : {pair.a.piece(0, 8), ND_SGE{pair.a.memory.data(), 8, nullptr}, ND_SGE{}}) {
        EXPECT_TRUE(is(endpoint.Send(&sent, &entry, 1, 0), ND_DATA_OVERRUN));
        EXPECT_TRUE(is(endpoint.Write(&sent, &entry, 1, &descriptor, 0, 0), ND_DATA_OVERRUN));
        EXPECT_TRUE(is(endpoint.Read(&sent, &entry, 1, &descriptor, 0, 0), ND_DATA_OVERRUN));
        EXPECT_TRUE(is(pair.b.endpoint->Receive(&received, &entry, 1), ND_DATA_OVERRUN));
    }
    ASSERT_TRUE(is(pair.b.endpoint->Receive(&received, nullptr, 0), ND_SUCCESS));
    ASSERT_TRUE(is(endpoint.Send(&sent, nullptr, 0, 0), ND_SUCCESS));
    EXPECT_TRUE(comes(*pair.b.inbound.get(), received, ND_SUCCESS, 0));
    EXPECT_TRUE(comes(*pair.a.outbound.get(), sent, ND_SUCCESS, 0));
}

TEST_P(Nd1Posting, ListsBeyondTheLimitAreRefusedUnread) {
    proves("ND1-EP-GEN-04", "ND1-GEN-10");
    Pair pair;
    pair.connected();
    auto* const beyond = reinterpret_cast<const ND_SGE*>(sizeof(ND_SGE));  // no memory at all
    ND_MW_DESCRIPTOR descriptor{};
    ND_RESULT result;
    for (const SIZE_T count : {SIZE_T{0x10000}, SIZE_T{0xffffffff}}) {
        SCOPED_TRACE(count);
        INDEndpoint& endpoint = *pair.a.endpoint.get();
        EXPECT_TRUE(is(endpoint.Send(&result, beyond, count, 0), ND_DATA_OVERRUN));
        EXPECT_TRUE(is(endpoint.SendAndInvalidate(&result, beyond, count, &descriptor, 0), ND_DATA_OVERRUN));
        EXPECT_TRUE(is(endpoint.Receive(&result, beyond, count), ND_DATA_OVERRUN));
        for (const ND_MW_DESCRIPTOR* window :
             {static_cast<const ND_MW_DESCRIPTOR*>(nullptr), static_cast<const ND_MW_DESCRIPTOR*>(&descriptor)}) {
            EXPECT_TRUE(is(endpoint.Read(&result, beyond, count, window, 0, 0), ND_DATA_OVERRUN));
            EXPECT_TRUE(is(endpoint.Write(&result, beyond, count, window, 0, 0), ND_DATA_OVERRUN));
        }
    }
}

TEST_P(Nd1Posting, QueuesAreExactlyAsDeepAsAskedFor) {
    proves("ND1-EP-GEN-02", "ND1-EP-GEN-03", "ND1-CQ-GR-03", "ND1-CN-CREP-05", "ND1-CN-CREP-07", "ND1-EP-RECV-01");
    Pair pair({.inbound = 2, .outbound = 2}, {.inbound = 3});
    std::array<ND_RESULT, 3> sent{}, received{};
    for (ND_RESULT& each : received) ASSERT_TRUE(is(pair.b.receive(each, 64), ND_SUCCESS)) << "before any connection";
    EXPECT_TRUE(is(pair.b.receive(received[0], 64), ND_NO_MORE_ENTRIES));
    pair.connected();
    ASSERT_TRUE(is(pair.a.send(sent[0], 8), ND_SUCCESS));
    ASSERT_TRUE(is(pair.a.send(sent[1], 8), ND_SUCCESS));
    EXPECT_TRUE(is(pair.a.send(sent[2], 8), ND_NO_MORE_ENTRIES));
    EXPECT_TRUE(comes(*pair.a.outbound.get(), sent[0], ND_SUCCESS, 8));
    EXPECT_TRUE(is(pair.a.send(sent[2], 8), ND_SUCCESS)) << "the slot is free when the result is taken";
    Side nothing({.inbound = 0, .outbound = 0, .inbound_sge = 0, .outbound_sge = 0});
    EXPECT_TRUE(is(nothing.receive(sent[0], 0), ND_NO_MORE_ENTRIES));
    EXPECT_TRUE(is(nothing.receive(sent[0], 8), ND_DATA_OVERRUN));
}

TEST_P(Nd1Posting, SilentRequestsFreeTheirOwnSlots) {
    proves("ND1-EP-GEN-03", "ND1-RES-06", "ND1-CQ-NTF-12");
    Pair pair({.outbound = 4}, {.inbound = 64});
    pair.connected();
    std::vector<ND_RESULT> received(41);
    ND_RESULT silent{}, last;
    for (ND_RESULT& each : received) ASSERT_TRUE(is(pair.b.receive(each, 8), ND_SUCCESS));
    for (int i = 0; i < 40; ++i)
        ASSERT_TRUE(support::wait_until([&] {
            // The peer takes messages by itself; this side makes no call but this one.
            return pair.a.send(silent, 8, ND_OP_FLAG_SILENT_SUCCESS) == ND_SUCCESS;
        }));
    ASSERT_TRUE(support::wait_until([&] { return pair.a.send(last, 8) == ND_SUCCESS; }));
    EXPECT_TRUE(comes(*pair.a.outbound.get(), last, ND_SUCCESS, 8));
    ND_RESULT* more = nullptr;
    EXPECT_EQ(pair.a.outbound->GetResults(&more, 1), 0u);
}

TEST_P(Nd1Posting, AFailedRequestEndsEverythingInOrder) {
    provokes("CHECK-ENTRY");
    proves("ND1-GEN-05", "ND1-RES-08", "ND1-EP-GEN-09", "ND1-EP-GEN-10", "ND1-EP-GEN-11", "ND1-CQ-02",
           "ND1-EP-RECV-04");
    Pair pair;
    pair.connected();
    Request a_ends, b_ends;
    ASSERT_TRUE(is(pair.a.connector->NotifyDisconnect(a_ends), ND_PENDING));
    ASSERT_TRUE(is(pair.b.connector->NotifyDisconnect(b_ends), ND_PENDING));
    ND_RESULT own[2], theirs[2], bad, silent, sent;
    for (ND_RESULT& each : own) ASSERT_TRUE(is(pair.a.receive(each, 8), ND_SUCCESS));
    for (ND_RESULT& each : theirs) ASSERT_TRUE(is(pair.b.receive(each, 8), ND_SUCCESS));
    const ND_SGE stale{pair.a.memory.data(), 8, reinterpret_cast<ND_MR_HANDLE>(pair.a.memory.data())};
    ASSERT_TRUE(is(pair.a.endpoint->Send(&bad, &stale, 1, 0), ND_SUCCESS)) << "accepted, and fails as a request";
    ASSERT_TRUE(is(pair.a.send(silent, 8, ND_OP_FLAG_SILENT_SUCCESS), ND_SUCCESS));
    ASSERT_TRUE(is(pair.a.send(sent, 8), ND_SUCCESS)) << "a failed endpoint accepts, and gives back";
    EXPECT_TRUE(comes(*pair.a.outbound.get(), bad, ND_ACCESS_VIOLATION));
    EXPECT_TRUE(comes(*pair.a.outbound.get(), silent, ND_CANCELED));
    EXPECT_TRUE(comes(*pair.a.outbound.get(), sent, ND_CANCELED));
    for (const ND_RESULT& each : own) EXPECT_TRUE(comes(*pair.a.inbound.get(), each, ND_CANCELED));
    EXPECT_TRUE(is(a_ends.wait(), ND_SUCCESS));
    EXPECT_TRUE(is(b_ends.wait(), ND_SUCCESS));
    flush_if_it_outlives(pair.b);
    for (const ND_RESULT& each : theirs) EXPECT_TRUE(comes(*pair.b.inbound.get(), each, ND_CANCELED));
}

TEST_P(Nd1Posting, AMessageThatDoesNotFitFailsBothSides) {
    if (const char* const why = support::lacks(support::Ability::tells_refusals)) GTEST_SKIP() << why;
    proves("ND1-EP-GEN-20", "ND1-EP-RECV-04", "ND1-EP-RECV-07");
    for (const std::size_t room : {std::size_t{8}, std::size_t{0}}) {
        Pair pair;
        pair.connected();
        fill_with(pair.b.memory.bytes(), std::byte{0xEE});
        ND_RESULT received, sent;
        ASSERT_TRUE(is(pair.b.receive(received, room), ND_SUCCESS));
        ASSERT_TRUE(is(pair.a.send(sent, 9), ND_SUCCESS));
        EXPECT_TRUE(comes(*pair.b.inbound.get(), received, ND_BUFFER_OVERFLOW));
        EXPECT_TRUE(comes(*pair.a.outbound.get(), sent, ND_REMOTE_ERROR));
        EXPECT_TRUE(is_filled_with(pair.b.memory.bytes().subspan(room), std::byte{0xEE}));
    }
}

TEST_P(Nd1Posting, AMessageWithoutAReceiveTimesOut) {
    if (const char* const why = support::lacks(support::Ability::late_receives)) GTEST_SKIP() << why;
    provokes("CHECK-NO-RECEIVE");
    proves("ND1-EP-GEN-19", "ND1-GEN-02", "ND1-RES-08");
    Pair pair;
    pair.connected();
    ND_RESULT sent;
    ASSERT_TRUE(is(pair.a.send(sent, 9), ND_SUCCESS));
    EXPECT_TRUE(comes(*pair.a.outbound.get(), sent, ND_TIMEOUT));
}

TEST_P(Nd1Posting, EntriesOfNoBytesAreNotLookedAt) {
    support::skip_without(info_of(*open_adapter().get()).MaxOutboundSge > 3, "requests with several entries",
                          "MaxOutboundSge");
    proves("ND1-EP-GEN-06", "ND1-EP-GEN-07", "ND1-EP-GEN-08");
    Pair pair;
    pair.connected();
    ND_RESULT received, sent;
    ND_SGE list[] = {{nullptr, 0, nullptr}, pair.b.piece(0, 64), {reinterpret_cast<void*>(1), 0, pair.a.mr}};
    ASSERT_TRUE(is(pair.b.endpoint->Receive(&received, list, 3), ND_SUCCESS));
    list[1] = pair.a.piece(0, 64);
    ASSERT_TRUE(is(pair.a.endpoint->Send(&sent, list, 3, 0), ND_SUCCESS)) << "the list may be used again";
    EXPECT_TRUE(comes(*pair.b.inbound.get(), received, ND_SUCCESS, 64));
    EXPECT_TRUE(comes(*pair.a.outbound.get(), sent, ND_SUCCESS, 64));
}

TEST_P(Nd1Posting, EntriesWithoutAHandleAreInline) {
    support::skip_without(info_of(*open_adapter().get()).MaxOutboundSge > 3, "requests with several entries",
                          "MaxOutboundSge");
    proves("ND1-EP-INL-01", "ND1-EP-INL-02", "ND1-EP-INL-03", "ND1-EP-INL-04", "ND1-EP-INL-05", "ND1-EP-INL-06",
           "ND1-EP-INL-07", "ND1-CN-CREP-06");
    Pair pair;
    pair.connected();
    ASSERT_LE(pair.a.inline_limit, info_of(*pair.a.adapter.get()).MaxInlineData);
    ASSERT_GE(pair.a.inline_limit, 64u);
    fill_pattern(pair.a.memory.bytes(), 1);
    ND_RESULT received, sent;
    std::vector<unsigned char> loose(pair.a.inline_limit + 1, 0x77);
    ASSERT_TRUE(is(pair.b.receive(received, 40'000), ND_SUCCESS));
    const ND_SGE list[] = {
        {loose.data(), 10, nullptr}, pair.a.piece(0, 20'000), {loose.data(), 10, nullptr}, pair.a.piece(100, 5)};
    ASSERT_TRUE(is(pair.a.endpoint->Send(&sent, list, 4, 0), ND_SUCCESS));
    std::fill(loose.begin(), loose.end(), 0x11);  // free on return
    EXPECT_TRUE(comes(*pair.b.inbound.get(), received, ND_SUCCESS, 20'025));
    EXPECT_TRUE(comes(*pair.a.outbound.get(), sent, ND_SUCCESS, 20'025));
    const std::byte* const arrived = pair.b.memory.data();
    EXPECT_TRUE(is_filled_with({pair.b.memory.data(), 10}, std::byte{0x77}));
    EXPECT_EQ(std::memcmp(arrived + 10, pair.a.memory.data(), 20'000), 0);
    EXPECT_TRUE(is_filled_with({pair.b.memory.data() + 20'010, 10}, std::byte{0x77}));
    EXPECT_EQ(std::memcmp(arrived + 20'020, pair.a.memory.data() + 100, 5), 0);

    const ND_SGE all{loose.data(), pair.a.inline_limit, nullptr},
        too_much{loose.data(), pair.a.inline_limit + 1, nullptr};
    ASSERT_TRUE(is(pair.b.receive(received, 40'000), ND_SUCCESS));
    ASSERT_TRUE(is(pair.a.endpoint->Send(&sent, &all, 1, 0), ND_SUCCESS));
    EXPECT_TRUE(comes(*pair.b.inbound.get(), received, ND_SUCCESS, pair.a.inline_limit));
    EXPECT_TRUE(comes(*pair.a.outbound.get(), sent, ND_SUCCESS, pair.a.inline_limit));
    EXPECT_TRUE(is(pair.a.endpoint->Send(&sent, &too_much, 1, 0), ND_BUFFER_OVERFLOW));
    EXPECT_TRUE(is(pair.a.endpoint->Receive(&sent, &all, 1), ND_INVALID_PARAMETER_2));
    ND_MW_DESCRIPTOR descriptor{};
    EXPECT_TRUE(is(pair.a.endpoint->Read(&sent, &all, 1, &descriptor, 0, 0), ND_INVALID_PARAMETER_2));
}

// Beside inline entries, which need no registration, the others need theirs.
TEST_P(Nd1Posting, EntriesBesideInlineOnesAreChecked) {
    support::skip_without(info_of(*open_adapter().get()).MaxOutboundSge > 3, "requests with several entries",
                          "MaxOutboundSge");
    provokes("CHECK-ENTRY");
    proves("ND1-EP-GEN-09", "ND1-EP-INL-02");
    std::array<unsigned char, 10> loose{};
    for (const bool stale : {true, false}) {
        SCOPED_TRACE(stale);
        Pair pair;
        pair.connected();
        support::Buffer other(4096);
        const ND_MR_HANDLE handle = registered(*pair.a.adapter.get(), other.data(), 4096);
        if (stale) {
            ASSERT_TRUE(is(deregister(*pair.a.adapter.get(), handle), ND_SUCCESS));
        }
        const ND_SGE list[] = {{loose.data(), loose.size(), nullptr},
                               {other.data() + (stale ? 0 : 1), 4096, handle}};  // one byte too far
        ND_RESULT received, sent;
        Request ended;
        ASSERT_TRUE(is(pair.b.connector->NotifyDisconnect(ended), ND_PENDING));
        ASSERT_TRUE(is(pair.b.receive(received, 10'000), ND_SUCCESS));
        ASSERT_TRUE(is(pair.a.endpoint->Send(&sent, list, 2, 0), ND_SUCCESS));
        EXPECT_TRUE(comes(*pair.a.outbound.get(), sent, ND_ACCESS_VIOLATION));
        EXPECT_TRUE(is(ended.wait(), ND_SUCCESS));
        flush_if_it_outlives(pair.b);
        EXPECT_TRUE(comes(*pair.b.inbound.get(), received, ND_CANCELED)) << "nothing has arrived";
        if (!stale) {
            EXPECT_TRUE(is(deregister(*pair.a.adapter.get(), handle), ND_SUCCESS));
        }
    }
}

TEST_P(Nd1Posting, BatchesChangeNothingButTheMoment) {
    proves("ND1-EP-BATCH-01", "ND1-EP-BATCH-02", "ND1-EP-BATCH-03", "ND1-EP-BATCH-04", "ND1-EP-BATCH-05",
           "ND1-EP-BATCH-06", "ND1-EP-BATCH-07", "ND1-EP-FLUSH-01", "ND1-EP-FLUSH-03", "ND1-EP-FLUSH-05",
           "ND1-EP-FLUSH-06");
    Pair pair;
    std::array<ND_RESULT, 4> flushed;
    pair.b.endpoint->SubmitRequestBatch();
    pair.b.endpoint->StartRequestBatch();
    pair.b.endpoint->StartRequestBatch();
    for (ND_RESULT& each : flushed) ASSERT_TRUE(is(pair.b.receive(each, 64), ND_SUCCESS));
    EXPECT_TRUE(is(pair.b.endpoint->Send(&flushed[0], nullptr, 0, 0x20), ND_INVALID_PARAMETER_4));
    EXPECT_TRUE(is(pair.b.endpoint->Flush(), ND_SUCCESS)) << "without Submit";
    EXPECT_TRUE(is(pair.b.endpoint->Flush(), ND_SUCCESS));
    for (const ND_RESULT& each : flushed) EXPECT_TRUE(comes(*pair.b.inbound.get(), each, ND_CANCELED));
    pair.b.endpoint->StartRequestBatch();
    ND_RESULT received, sent;
    ASSERT_TRUE(is(pair.b.receive(received, 64), ND_SUCCESS)) << "it stays usable";
    pair.b.endpoint->SubmitRequestBatch();
    pair.connected();
    pair.a.endpoint->StartRequestBatch();
    ASSERT_TRUE(is(pair.a.send(sent, 64), ND_SUCCESS));
    pair.a.endpoint->SubmitRequestBatch();
    EXPECT_TRUE(comes(*pair.b.inbound.get(), received, ND_SUCCESS, 64));
    EXPECT_TRUE(comes(*pair.a.outbound.get(), sent, ND_SUCCESS, 64));
}

TEST_P(Nd1Posting, FlushEndsDataTransferAndNotTheConnection) {
    proves("ND1-EP-FLUSH-02", "ND1-EP-FLUSH-04", "ND1-EP-GEN-01", "ND1-CN-DISC-01");
    Pair pair;
    pair.connected();
    ND_RESULT received, sent, later;
    ASSERT_TRUE(is(pair.a.receive(received, 64), ND_SUCCESS));
    ASSERT_TRUE(is(pair.a.endpoint->Flush(), ND_SUCCESS));
    EXPECT_TRUE(comes(*pair.a.inbound.get(), received, ND_CANCELED));
    ASSERT_TRUE(is(pair.a.send(sent, 64), ND_SUCCESS)) << "Failed: accepted";
    EXPECT_TRUE(comes(*pair.a.outbound.get(), sent, ND_CANCELED));
    Request ending;
    EXPECT_TRUE(is(finish(pair.a.connector->Disconnect(ending), ending), ND_SUCCESS));
    EXPECT_TRUE(is(pair.a.send(sent, 64), ND_CONNECTION_INVALID)) << "Closed: refused";
    ASSERT_TRUE(is(pair.a.receive(later, 64), ND_SUCCESS));
    EXPECT_TRUE(comes(*pair.a.inbound.get(), later, ND_CANCELED));
}

INSTANTIATE_TEST_SUITE_P(, Nd1Posting, testing::ValuesIn(variants_of("Nd1")), variant_name);

}  // namespace
}  // namespace opennd::conformance::nd1
