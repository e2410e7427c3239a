// SPDX-License-Identifier: MIT
//
// Windows that the peer takes away: SendAndInvalidate, and the owner's notice of it. Requirements ND1-EP-SINV-*,
// ND1-MW-05 to -08.
#include "conformance/nd1/windows.h"
#include "support/tested_device.h"

namespace opennd::conformance::nd1 {
namespace {

class Nd1Invalidations : public Nd1Windows {};

TEST_P(Nd1Invalidations, ThePeerTakesAWindowAwayWithASend) {
    proves("ND1-EP-SINV-01", "ND1-EP-SINV-02", "ND1-EP-SINV-03", "ND1-EP-SINV-05", "ND1-EP-SINV-06", "ND1-MW-05",
           "ND1-MW-06", "ND1-MW-07", "ND1-AD-MW-02", "ND1-CN-CREP-08", "ND1-EP-BIND-06");
    Pair pair;
    pair.connected();
    ND_RESULT report, received, sent, written, got;
    const auto window = memory_window(*pair.b.adapter.get(), &report);
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{64}, std::size_t{40'000}}) {
        ND_MW_DESCRIPTOR descriptor = bind(pair, window.get());
        fill_with(pair.a.memory.bytes(), std::byte{0x42});
        ASSERT_TRUE(is(pair.b.receive(received, 50'000), ND_SUCCESS));
        ASSERT_TRUE(is(write(pair.a, written, 8, &descriptor, 0), ND_SUCCESS));
        const ND_SGE sge = pair.a.piece(0, bytes);
        ASSERT_TRUE(
            is(pair.a.endpoint->SendAndInvalidate(&sent, &sge, bytes != 0 ? 1 : 0, &descriptor, 0), ND_SUCCESS));
        EXPECT_TRUE(comes(*pair.b.inbound.get(), report, ND_SUCCESS)) << "the window first";
        EXPECT_TRUE(comes(*pair.b.inbound.get(), received, ND_SUCCESS, bytes));
        EXPECT_TRUE(comes(*pair.a.outbound.get(), written, ND_SUCCESS, 8));
        EXPECT_TRUE(comes(*pair.a.outbound.get(), sent, ND_SUCCESS, bytes));
    }
    const ND_MW_DESCRIPTOR last = bind(pair, window.get());
    ASSERT_TRUE(is(pair.b.receive(received, 64), ND_SUCCESS));
    ASSERT_TRUE(
        is(pair.a.endpoint->SendAndInvalidate(&sent, nullptr, 0, &last, ND_OP_FLAG_SILENT_SUCCESS), ND_SUCCESS));
    EXPECT_TRUE(comes(*pair.b.inbound.get(), report, ND_SUCCESS));
    EXPECT_TRUE(comes(*pair.b.inbound.get(), received, ND_SUCCESS));
    ASSERT_TRUE(is(read(pair.a, got, 8, &last, 0), ND_SUCCESS));
    EXPECT_TRUE(comes(*pair.a.outbound.get(), got, ND_REMOTE_ERROR)) << "scenario 4 of 7.5";
}

// The solicit flag goes with it as with a Send, in one part and in many.
TEST_P(Nd1Invalidations, MayBeSolicited) {
    proves("ND1-EP-SEND-05", "ND1-CQ-NTF-13", "IW-RDMAP-20");
    Pair pair;
    pair.connected();
    const auto window = memory_window(*pair.b.adapter.get());  // no report wanted
    ND_RESULT received, sent;
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{64}, std::size_t{40'000}}) {
        SCOPED_TRACE(bytes);
        Request solicited;
        ASSERT_TRUE(is(pair.b.inbound->Notify(NdCqNotifySolicited, solicited), ND_PENDING));
        for (const DWORD flags : {DWORD{0}, DWORD{ND_OP_FLAG_SEND_AND_SOLICIT_EVENT}}) {
            const ND_MW_DESCRIPTOR descriptor = bind(pair, window.get());
            ASSERT_TRUE(is(pair.b.receive(received, 50'000), ND_SUCCESS));
            const ND_SGE sge = pair.a.piece(0, bytes);
            ASSERT_TRUE(is(pair.a.endpoint->SendAndInvalidate(&sent, &sge, bytes != 0 ? 1 : 0, &descriptor, flags),
                           ND_SUCCESS));
            if (flags != 0) {
                EXPECT_TRUE(is(solicited.wait(), ND_SUCCESS));
            }
            EXPECT_TRUE(comes(*pair.b.inbound.get(), received, ND_SUCCESS, bytes));
            EXPECT_TRUE(comes(*pair.a.outbound.get(), sent, ND_SUCCESS, bytes));
            if (flags == 0) {
                EXPECT_TRUE(is(solicited.now(), ND_PENDING)) << "not solicited";
            }
        }
    }
}

TEST_P(Nd1Invalidations, InvalidationsNeedNoRoomInTheQueue) {
    proves("ND1-CQ-08", "ND1-MW-07", "ND1-CQ-06", "ND1-CQ-RSZ-03");
    const StrictOverrun strict;
    Pair pair({}, {.inbound = 1});
    pair.b.inbound = {};  // a queue with room for the one Receive
    pair.b.endpoint = {};
    pair.b.connector = connector(*pair.b.adapter.get());
    pair.b.inbound = completion_queue(*pair.b.adapter.get(), 1);
    ASSERT_TRUE(is(pair.b.connector->CreateEndpoint(pair.b.inbound.get(), pair.b.outbound.get(), 1, 16, 4, 1, 16, 16,
                                                    nullptr, pair.b.endpoint.put()),
                   ND_SUCCESS));
    pair.connected();
    ND_RESULT report, received, sent;
    const auto window = memory_window(*pair.b.adapter.get(), &report);
    const ND_MW_DESCRIPTOR descriptor = bind(pair, window.get());
    ASSERT_TRUE(is(pair.b.receive(received, 64), ND_SUCCESS));
    ASSERT_TRUE(is(pair.a.endpoint->SendAndInvalidate(&sent, nullptr, 0, &descriptor, 0), ND_SUCCESS));
    EXPECT_TRUE(comes(*pair.a.outbound.get(), sent, ND_SUCCESS)) << "both are in the queue now";
    EXPECT_TRUE(is(pair.b.inbound->Resize(1), ND_SUCCESS)) << "the Receive alone counts";
    EXPECT_TRUE(comes(*pair.b.inbound.get(), report, ND_SUCCESS));
    EXPECT_TRUE(comes(*pair.b.inbound.get(), received, ND_SUCCESS));
}

TEST_P(Nd1Invalidations, TakingAwayWhatIsNotThereFailsBothSides) {
    if (const char* const why = support::lacks(support::Ability::ends_windows_once)) GTEST_SKIP() << why;
    proves("ND1-EP-SINV-04", "ND1-MW-08", "ND1-EP-RECV-04");
    Pair pair;
    pair.connected();
    const auto window = memory_window(*pair.b.adapter.get());
    const ND_MW_DESCRIPTOR descriptor = bind(pair, window.get());
    ND_RESULT invalidated, received, sent;
    ASSERT_TRUE(is(pair.b.endpoint->Invalidate(&invalidated, window.get(), 0), ND_SUCCESS));
    EXPECT_TRUE(comes(*pair.b.outbound.get(), invalidated, ND_SUCCESS)) << "the owner was first";
    ASSERT_TRUE(is(pair.b.receive(received, 64), ND_SUCCESS));
    ASSERT_TRUE(is(pair.a.endpoint->SendAndInvalidate(&sent, nullptr, 0, &descriptor, 0), ND_SUCCESS));
    EXPECT_TRUE(comes(*pair.b.inbound.get(), received, ND_INVALIDATION_ERROR));
    EXPECT_TRUE(comes(*pair.a.outbound.get(), sent, ND_INVALIDATION_ERROR));
}

TEST_P(Nd1Invalidations, OnlyOneOfTwoEndsABinding) {
    proves("ND1-MW-08", "ND1-EP-INV-04");
    Pair pair;
    pair.connected();
    const auto window = memory_window(*pair.b.adapter.get());  // no report wanted (ND1-AD-MW-03)
    const ND_MW_DESCRIPTOR descriptor = bind(pair, window.get());
    ND_RESULT received, sent, invalidated;
    ASSERT_TRUE(is(pair.b.receive(received, 64), ND_SUCCESS));
    ASSERT_TRUE(is(pair.a.endpoint->SendAndInvalidate(&sent, nullptr, 0, &descriptor, 0), ND_SUCCESS));
    EXPECT_TRUE(comes(*pair.b.inbound.get(), received, ND_SUCCESS)) << "not reported";
    ASSERT_TRUE(is(pair.b.endpoint->Invalidate(&invalidated, window.get(), 0), ND_SUCCESS));
    EXPECT_TRUE(comes(*pair.b.outbound.get(), invalidated, ND_INVALIDATION_ERROR));
}

INSTANTIATE_TEST_SUITE_P(, Nd1Invalidations, testing::ValuesIn(variants_of("Nd1")), variant_name);

}  // namespace
}  // namespace opennd::conformance::nd1
