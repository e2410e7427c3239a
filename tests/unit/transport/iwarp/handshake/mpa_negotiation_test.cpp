// SPDX-License-Identifier: MIT
// The tables of 2.1, 2.2, 3.2, 3.8 and 3.9.
#include "transport/iwarp/handshake/mpa_negotiation.h"

#include <gtest/gtest.h>

#include "support/requirement.h"
#include "unit/transport/iwarp/segments.h"

namespace opennd::iwarp {
namespace {

using support::proves;

constexpr std::uint16_t kNotNegotiated = EnhancedData::kNotNegotiated;

MpaTerms terms() {
    MpaTerms terms;
    terms.most = {64, 64};
    return terms;
}

MpaFrame request(const EnhancedData& enhanced) {
    MpaFrame frame;
    frame.enhanced = enhanced;
    return frame;
}

MpaFrame reply(const EnhancedData& enhanced) {
    MpaFrame frame = request(enhanced);
    frame.role = MpaRole::reply;
    return frame;
}

MpaFrame plain(MpaRole role, std::uint8_t revision) {
    MpaFrame frame;
    frame.role = role;
    frame.revision = revision;
    return frame;
}

constexpr EnhancedData kOffer{true, Rtr::write | Rtr::read, 8, 16};

FaultKind refused(const Checked<MpaAgreement>& result) {
    EXPECT_FALSE(result.ok());
    return result.ok() ? kLastFault : result.fault().kind;
}

TEST(MpaNegotiation, OffersWriteAndReadInEveryRequest) {
    proves("IW-MPA-11", "IW-IOP-18");
    const MpaFrame frame = make_request(terms(), {32, 16}, {});
    EXPECT_EQ(frame.enhanced, (EnhancedData{true, Rtr::write | Rtr::read, 32, 16}));
    EXPECT_EQ(frame.markers, Markers::none);
    EXPECT_EQ(frame.crc, Crc::on);
}

TEST(MpaNegotiation, FindsAPeerOfItsOwnKind) {
    proves("IW-MPA-04");
    const MpaFrame ours = make_request(terms(), {8, 8}, {});
    EXPECT_EQ(ours.maker, Maker::opennd);
    MpaFrame answer = make_reply(terms(), ours, {8, 8}, false, {});
    EXPECT_EQ(answer.maker, Maker::opennd);
    EXPECT_EQ(agreed(terms(), ours, answer, {8, 8}).peer, Maker::opennd);
    EXPECT_EQ(settle(terms(), ours, answer, {8, 8}).value().peer, Maker::opennd);
    answer.maker = Maker::other;
    EXPECT_EQ(settle(terms(), ours, answer, {8, 8}).value().peer, Maker::other);
    const MpaFrame foreign = request(kOffer);
    answer = make_reply(terms(), foreign, {8, 8}, false, {});
    EXPECT_EQ(answer.maker, Maker::other) << "others see reserved bits of zero";
    EXPECT_EQ(agreed(terms(), foreign, answer, {8, 8}).peer, Maker::other);
}

TEST(MpaNegotiation, OffersImmediateDataToItsOwnKindInTheReply) {
    proves("IW-IMM-01");
    const MpaFrame ours = make_request(terms(), {8, 8}, {});
    EXPECT_FALSE(has(ours.enhanced->rtr, Rtr::send)) << "no other peer sees anything";
    const MpaFrame answer = make_reply(terms(), ours, {8, 8}, false, {});
    EXPECT_EQ(answer.enhanced->rtr, Rtr::write | Rtr::send);
    EXPECT_TRUE(agreed(terms(), ours, answer, {8, 8}).immediate);
    EXPECT_EQ(agreed(terms(), ours, answer, {8, 8}).rtr, Rtr::write);
    EXPECT_TRUE(settle(terms(), ours, answer, {8, 8}).value().immediate);
    EXPECT_EQ(settle(terms(), ours, answer, {8, 8}).value().rtr, Rtr::write) << "what older initiators take, too";
    const MpaFrame foreign = request(kOffer);
    const MpaFrame plainly = make_reply(terms(), foreign, {8, 8}, false, {});
    EXPECT_EQ(plainly.enhanced->rtr, Rtr::write);
    EXPECT_FALSE(agreed(terms(), foreign, plainly, {8, 8}).immediate);
}

TEST(MpaNegotiation, AgreesOnNoImmediateDataWithoutAnOfferOrAWrite) {
    proves("IW-IMM-01");
    const MpaFrame ours = make_request(terms(), {8, 8}, {});
    MpaTerms without = terms();
    without.immediate = false;
    const MpaFrame older = make_reply(without, ours, {8, 8}, false, {});
    EXPECT_EQ(older.enhanced->rtr, Rtr::write);
    EXPECT_FALSE(settle(terms(), ours, older, {8, 8}).value().immediate);
    const MpaFrame answer = make_reply(terms(), ours, {8, 8}, false, {});
    EXPECT_FALSE(settle(without, ours, answer, {8, 8}).value().immediate);
    MpaFrame unmarked = answer;
    unmarked.maker = Maker::other;
    EXPECT_FALSE(settle(terms(), ours, unmarked, {8, 8}).value().immediate);
    MpaTerms by_read = terms();
    by_read.taken = Rtr::read;
    EXPECT_EQ(make_reply(by_read, ours, {8, 8}, false, {}).enhanced->rtr, Rtr::read);
    MpaTerms revision_1 = terms();
    revision_1.revision = 1;
    const MpaFrame old = make_request(revision_1, {8, 8}, {});
    EXPECT_FALSE(settle(revision_1, old, make_reply(terms(), old, {8, 8}, false, {}), {8, 8}).value().immediate);
}

TEST(MpaNegotiation, AgreesOnReceiptsWhereBothEndsSaySo) {
    proves("IW-RDMAP-48");
    for (const bool proposed : {false, true})
        for (const bool wanted : {false, true}) {
            MpaTerms asking = terms(), answering = terms();
            asking.receipts = proposed;
            answering.receipts = wanted;
            const MpaFrame ours = make_request(asking, {8, 8}, {});
            const MpaFrame answer = make_reply(answering, ours, {8, 8}, false, {});
            EXPECT_EQ(answer.receipts, proposed && wanted);
            EXPECT_EQ(agreed(answering, ours, answer, {8, 8}).receipts, proposed && wanted);
            EXPECT_EQ(settle(asking, ours, answer, {8, 8}).value().receipts, proposed && wanted);
        }
    MpaTerms silent = terms();
    silent.receipts = false;
    const MpaFrame ours = make_request(silent, {8, 8}, {});
    MpaFrame answer = make_reply(silent, ours, {8, 8}, false, {});
    answer.receipts = true;
    EXPECT_FALSE(settle(silent, ours, answer, {8, 8}).value().receipts) << "an answer to no proposal";
}

TEST(MpaNegotiation, HasACrcWhereEitherSideWantsOne) {
    proves("IW-MPA-07");
    for (const Crc asked : {Crc::off, Crc::on})
        for (const Crc answered : {Crc::off, Crc::on}) {
            MpaFrame ours = request(kOffer), theirs = make_reply(terms(), ours, {8, 8}, false, {});
            ours.crc = asked;
            theirs.crc = answered;
            const Crc expected = asked == Crc::on || answered == Crc::on ? Crc::on : Crc::off;
            EXPECT_EQ(settle(terms(), ours, theirs, {8, 8}).value().crc, expected);
        }
}

TEST(MpaNegotiation, ClampsWhatTheProgramAsksFor) {
    proves("IW-CM-29", "IW-CM-30");
    EXPECT_EQ(make_request(terms(), {1000, 1000}, {}).enhanced->inbound_reads, 64);
    MpaTerms generous = terms();
    generous.most = {1 << 20, 1 << 20};
    EXPECT_EQ(make_request(generous, {1 << 20, 1 << 20}, {}).enhanced->outbound_reads, EnhancedData::kMaxDepth);
}

TEST(MpaNegotiation, HasNothingToNegotiateInRevision1) {
    proves("IW-CM-20", "IW-CM-25");
    MpaTerms first = terms();
    first.revision = 1;
    const MpaFrame frame = make_request(first, {4, 5}, {});
    EXPECT_FALSE(frame.enhanced);
    const auto agreement = settle(first, frame, plain(MpaRole::reply, 1), {4, 5});
    ASSERT_TRUE(agreement.ok());
    EXPECT_EQ(agreement.value().limits.inbound, 4u);
    EXPECT_EQ(agreement.value().limits.outbound, 5u);
    EXPECT_EQ(agreement.value().rtr, Rtr::none);
    EXPECT_EQ(limits_left(frame, {64, 64}).outbound, 64u);
}

// They are in revision 1 because a first attempt broke, not because their programs look after the depths.
TEST(MpaNegotiation, TakesInRevision1AllReadsThatAnotherOpenNdCanOpen) {
    proves("IW-CM-25", "IW-NEG-91");
    MpaTerms first = terms();
    first.revision = 1;
    const MpaFrame ours = make_request(first, {1, 5}, {});
    const MpaFrame answer = make_reply(first, ours, {2, 7}, false, {});
    const ReadLimits initiator = settle(first, ours, answer, {1, 5}).value().limits;
    const ReadLimits responder = agreed(first, ours, answer, {2, 7}).limits;
    EXPECT_EQ(initiator.inbound, first.most.inbound) << "the responder may open 7";
    EXPECT_EQ(responder.inbound, first.most.inbound) << "the initiator may open 5";
    EXPECT_EQ(initiator.outbound, 5u);
    EXPECT_EQ(responder.outbound, 7u);
}

TEST(MpaNegotiation, LeavesTheResponderWhatTheRequestHas) {
    const ReadLimits left = limits_left(request(kOffer), {12, 12});
    EXPECT_EQ(left.inbound, 12u) << "the peer would open 16";
    EXPECT_EQ(left.outbound, 8u);
    EXPECT_EQ(limits_left(request({true, Rtr::write, kNotNegotiated, kNotNegotiated}), {12, 13}).outbound, 13u);
}

TEST(MpaNegotiation, AnswersInTheFormOfTheRequest) {
    proves("IW-MPA-05", "IW-MPA-06");
    for (const std::uint8_t revision : {1, 2}) {
        const MpaFrame answer = make_reply(terms(), plain(MpaRole::request, revision), {4, 4}, false, {});
        EXPECT_EQ(answer.revision, revision);
        EXPECT_FALSE(answer.enhanced);
    }
    EXPECT_TRUE(make_reply(terms(), request(kOffer), {4, 4}, true, {}).enhanced) << "a rejection as well";
}

TEST(MpaNegotiation, PicksOneTypeOutOfTheOffer) {
    proves("IW-MPA-12", "IW-MPA-13", "IW-NEG-20");
    const auto picked = [](const MpaTerms& mine, const EnhancedData& offer) {
        return make_reply(mine, request(offer), {4, 4}, false, {}).enhanced->rtr;
    };
    EXPECT_EQ(picked(terms(), {true, Rtr::write | Rtr::read | Rtr::send, 1, 1}), Rtr::write);
    EXPECT_EQ(picked(terms(), {true, Rtr::read, 1, 1}), Rtr::read);
    EXPECT_EQ(picked(terms(), {true, Rtr::send, 1, 1}), Rtr::write) << "the initiator then gives up";
    EXPECT_EQ(picked(terms(), {true, Rtr::none, 1, 1}), Rtr::write);
    EXPECT_EQ(picked(terms(), {false, Rtr::none, 1, 1}), Rtr::none);
    MpaTerms takes_sends = terms();
    takes_sends.taken = Rtr::write | Rtr::read | Rtr::send;
    EXPECT_EQ(picked(takes_sends, {true, Rtr::send, 1, 1}), Rtr::send);
}

TEST(MpaNegotiation, AnswersWithNoMoreReadsThanThePeerNeeds) {
    const MpaFrame answer = make_reply(terms(), request(kOffer), {4, 32}, false, {});
    EXPECT_EQ(answer.enhanced->inbound_reads, 4);
    EXPECT_EQ(answer.enhanced->outbound_reads, 8);
    const MpaAgreement agreement = agreed(terms(), request(kOffer), answer, {4, 32});
    EXPECT_EQ(agreement.limits.inbound, 4u);
    EXPECT_EQ(agreement.limits.outbound, 8u);
    EXPECT_EQ(agreement.rtr, Rtr::write);
}

TEST(MpaNegotiation, GivesARtrReadTheOneSlotThatItNeeds) {
    EXPECT_EQ(make_reply(terms(), request({true, Rtr::read, 0, 0}), {0, 0}, false, {}).enhanced->inbound_reads, 1);
    EXPECT_EQ(make_reply(terms(), request({true, Rtr::write, 0, 0}), {0, 0}, false, {}).enhanced->inbound_reads, 0);
}

TEST(MpaNegotiation, KeepsItsLimitsWhereThePeerDoesNotNegotiate) {
    proves("IW-MPA-15", "IW-NEG-24");
    const MpaFrame open = request({true, Rtr::write, kNotNegotiated, kNotNegotiated});
    const MpaFrame answer = make_reply(terms(), open, {4, 5}, false, {});
    EXPECT_EQ(answer.enhanced->inbound_reads, kNotNegotiated);
    EXPECT_EQ(answer.enhanced->outbound_reads, kNotNegotiated);
    EXPECT_EQ(agreed(terms(), open, answer, {4, 5}).limits.outbound, 5u);
    const auto settled =
        settle(terms(), request(kOffer), reply({true, Rtr::write, kNotNegotiated, kNotNegotiated}), {8, 16});
    ASSERT_TRUE(settled.ok());
    EXPECT_EQ(settled.value().limits.inbound, 8u);
    EXPECT_EQ(settled.value().limits.outbound, 16u);
}

TEST(MpaNegotiation, RejectsWithTheReadsThatItWouldNeed) {
    const MpaFrame rejection = make_reply(terms(), request(kOffer), {0, 0}, true, {});
    EXPECT_TRUE(rejection.rejected);
    EXPECT_EQ(rejection.enhanced, (EnhancedData{true, Rtr::write, 0, 0}));
}

TEST(MpaNegotiation, UsesCrcIfEitherSideWantsIt) {
    proves("IW-MPA-07", "IW-NEG-26");
    MpaFrame without = request(kOffer);
    without.crc = Crc::off;
    MpaTerms off = terms();
    off.crc = Crc::off;
    EXPECT_EQ(make_reply(off, request(kOffer), {}, false, {}).crc, Crc::on) << "the Request has C=1";
    EXPECT_EQ(make_reply(terms(), without, {}, false, {}).crc, Crc::on);
    const MpaFrame neither = make_reply(off, without, {}, false, {});
    EXPECT_EQ(neither.crc, Crc::off);
    EXPECT_EQ(agreed(off, without, neither, {}).crc, Crc::off);
    EXPECT_EQ(settle(terms(), request(kOffer), neither, {}).value().crc, Crc::on) << "whatever the Reply has";
}

TEST(MpaNegotiation, InsertsMarkersIfThePeerWantsThem) {
    proves("IW-MPA-08", "IW-NEG-27");
    MpaFrame wanting = request(kOffer);
    wanting.markers = Markers::inserted;
    const MpaFrame answer = make_reply(terms(), wanting, {}, false, {});
    EXPECT_EQ(answer.markers, Markers::none) << "OpenND never asks for them";
    EXPECT_EQ(agreed(terms(), wanting, answer, {}).markers, Markers::inserted);
    EXPECT_EQ(settle(terms(), wanting, answer, {}).value().markers, Markers::none);
}

TEST(MpaNegotiation, LowersItsReadsToWhatTheReplyGives) {
    proves("IW-CM-23");
    const auto settled = settle(terms(), request(kOffer), reply({true, Rtr::write, 2, 3}), {8, 16});
    ASSERT_TRUE(settled.ok());
    EXPECT_EQ(settled.value().limits.outbound, 2u);
    EXPECT_EQ(settled.value().limits.inbound, 3u);
    EXPECT_EQ(settled.value().rtr, Rtr::write);
}

TEST(MpaNegotiation, RaisesItsInboundReadsAsFarAsTheAdapterCan) {
    proves("IW-NEG-23");
    EXPECT_EQ(settle(terms(), request(kOffer), reply({true, Rtr::write, 2, 64}), {8, 16}).value().limits.inbound, 64u);
    const auto more = settle(terms(), request(kOffer), reply({true, Rtr::write, 2, 65}), {8, 16});
    EXPECT_EQ(refused(more), FaultKind::reply_needs_more_inbound_reads);
    EXPECT_EQ(cause(more.fault()), term(2, 0, 6));
    EXPECT_EQ(settle(terms(), request(kOffer), reply({true, Rtr::write, 0, 0}), {8, 16}).value().limits.outbound, 0u);
}

TEST(MpaNegotiation, RefusesARtrThatItCannotSend) {
    proves("IW-NEG-21", "IW-NEG-22");
    for (const Rtr named : {Rtr::send, Rtr::none}) {
        const auto settled = settle(terms(), request(kOffer), reply({true, named, 1, 1}), {8, 16});
        EXPECT_EQ(refused(settled), FaultKind::reply_without_common_rtr);
        EXPECT_EQ(cause(settled.fault()), term(2, 0, 7));
    }
    EXPECT_EQ(settle(terms(), request(kOffer), reply({true, Rtr::read | Rtr::write, 1, 1}), {8, 16}).value().rtr,
              Rtr::write);
}

TEST(MpaNegotiation, OpensWithAWriteWhereThePeerWaivesIt) {
    proves("IW-CM-27", "IW-CM-28");
    const auto waived = settle(terms(), request(kOffer), reply({false, Rtr::none, 1, 1}), {8, 16});
    ASSERT_TRUE(waived.ok());
    EXPECT_FALSE(waived.value().peer_to_peer);
    EXPECT_EQ(waived.value().rtr, Rtr::write);
    EXPECT_EQ(refused(settle(terms(), request({false, Rtr::none, 1, 1}), reply(kOffer), {8, 16})),
              FaultKind::reply_wants_unoffered_opening);
}

TEST(MpaNegotiation, MayFallBackAfterAReplyOfAnOlderForm) {
    const FaultKind lower = refused(settle(terms(), request(kOffer), plain(MpaRole::reply, 1), {8, 16}));
    EXPECT_EQ(lower, FaultKind::reply_of_lower_revision);
    const FaultKind unenhanced = refused(settle(terms(), request(kOffer), plain(MpaRole::reply, 2), {8, 16}));
    EXPECT_EQ(unenhanced, FaultKind::reply_without_enhanced_data);
    const auto told = settle(terms(), request(kOffer), plain(MpaRole::reply, 2), {8, 16});
    EXPECT_EQ(std::string_view(describe(told.fault())), "Reply: S is 0, the Request had 1 (IW-MPA-06)");
    EXPECT_TRUE(may_fall_back(lower) && may_fall_back(unenhanced));
    const FaultKind newer = refused(settle(terms(), plain(MpaRole::request, 1), reply(kOffer), {8, 16}));
    EXPECT_EQ(newer, FaultKind::reply_with_enhanced_data);
    EXPECT_FALSE(may_fall_back(newer));
}

}  // namespace
}  // namespace opennd::iwarp
