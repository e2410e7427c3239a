// SPDX-License-Identifier: MIT
// Immediate data on the wire: golden octets of both forms, and the segments that carry them.
#include "transport/iwarp/wire/immediate_data.h"

#include <gtest/gtest.h>

#include "support/requirement.h"
#include "transport/iwarp/stream/ddp_segmenter.h"
#include "unit/transport/iwarp/segments.h"

namespace opennd::iwarp {
namespace {

using support::proves;

Octets octets_of(std::string_view hex) { return vectors::octets(hex); }

// RFC 7306 section 6: untagged, L, queue 0, and eight octets of data.
TEST(ImmediateData, HasTheOctetsOfTheRfc) {
    proves("IW-IMM-02");
    EXPECT_TRUE(same(ImmediateData{0x01020304}.message(7, false),
                     octets_of("4148 00000000 00000000 00000007 00000000 01020304 00000000")));
    EXPECT_TRUE(same(ImmediateData{0xfffefdfc}.message(0xffffffff, true),
                     octets_of("4149 00000000 00000000 ffffffff 00000000 fffefdfc 00000000")));
}

TEST(ImmediateData, IsReadFromTheFirstFourOctets) {
    proves("IW-IMM-02");
    const Octets octets = octets_of("01020304 ffffffff");
    EXPECT_EQ(ImmediateData::load(std::span(octets).first<ImmediateData::kBytes>()).data, 0x01020304u);
}

TEST(ImmediateData, IsASegmentWhereBothEndsAgreed) {
    proves("IW-IMM-01", "IW-IMM-02");
    for (const bool solicited : {false, true}) {
        const auto ulpdu = ImmediateData{5}.message(3, solicited);
        EXPECT_EQ(cause_of(Segment::load(ulpdu)), term(0, 2, 6));
        const auto segment = Segment::load(ulpdu, Immediate::taken);
        ASSERT_TRUE(segment.ok());
        EXPECT_EQ(is_solicited(segment.value().opcode), solicited);
        EXPECT_EQ(segment.value().untagged.msn, 3u);
        EXPECT_EQ(segment.value().payload().size(), 8u);
        EXPECT_FALSE(segment.value().immediate) << "that is the other form";
    }
}

TEST(ImmediateData, OfOtherOpcodesIsRefusedAllTheSame) {
    proves("IW-NEG-52", "IW-ND-03");
    auto ulpdu = ImmediateData{5}.message(3, false);
    for (const int opcode : {10, 11, 12, 15}) {
        ulpdu[1] = static_cast<std::byte>(0x40 | opcode);
        EXPECT_EQ(cause_of(Segment::load(ulpdu, Immediate::taken)), term(0, 2, 6)) << opcode;
    }
}

TEST(ImmediateData, StandsInTheLastSegmentOfASend) {
    proves("IW-IMM-03");
    DdpSegmenter segmenter(Opcode::send, 2, Stag::none, 1500);
    segmenter.set_immediate({0xa1a2a3a4});
    const OutboundSegment first = segmenter.next(1442);
    EXPECT_FALSE(first.immediate);
    EXPECT_TRUE(same(first.header(), octets_of("0143 00000000 00000000 00000002 00000000")));
    const OutboundSegment last = segmenter.next(1442);
    EXPECT_TRUE(last.immediate) << "no receipt there";
    EXPECT_TRUE(same(last.header(), octets_of("4163 a1a2a3a4 00000000 00000002 00000590")));
}

TEST(ImmediateData, IsNoMarkWhereNothingIsAgreed) {
    proves("IW-IMM-03", "IW-IMM-04", "IW-RDMAP-33");
    const Octets send = octets_of("4163 a1a2a3a4 00000000 00000002 00000000");
    EXPECT_FALSE(Segment::load(send).value().immediate);
    EXPECT_TRUE(Segment::load(send, Immediate::taken).value().immediate);
    const Octets invalidating = octets_of("4164 a1a2a3a4 00000000 00000002 00000000");
    EXPECT_FALSE(Segment::load(invalidating, Immediate::taken).value().immediate) << "the field is taken";
    const Octets write = octets_of("c160 a1a2a3a4 0000000000000000");
    EXPECT_FALSE(Segment::load(write, Immediate::taken).value().immediate);
}

}  // namespace
}  // namespace opennd::iwarp
