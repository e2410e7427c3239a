// SPDX-License-Identifier: MIT
// A message in segments: contiguous, as full as they may be, the last one marked.
#include "transport/iwarp/stream/ddp_segmenter.h"

#include <gtest/gtest.h>

#include <limits>

#include "support/requirement.h"
#include "transport/iwarp/wire/fpdu.h"
#include "unit/transport/iwarp/segments.h"

namespace opennd::iwarp {
namespace {

using support::proves;

// The segment as it arrives, with `payload_bytes` of nothing.
Octets arrived(const OutboundSegment& segment) {
    Octets ulpdu = copy(segment.header());
    ulpdu.resize(ulpdu.size() + segment.payload_bytes);
    return ulpdu;
}

TEST(DdpSegmenter, SendsAMessageOfLengthZeroInOneSegment) {
    proves("IW-RDMAP-03", "IW-ND-04");
    DdpSegmenter send(Opcode::send, 1, Stag::none, 0);
    EXPECT_EQ(arrived(send.next(kMinMulpdu)), ulpdu_of(vectors::kSendEmpty));
    EXPECT_TRUE(send.done());
    DdpSegmenter rtr(Opcode::write, {Stag{1}, 0}, 0);
    EXPECT_EQ(arrived(rtr.next(kMinMulpdu)), ulpdu_of(vectors::kRtrWrite));
    DdpSegmenter response(Opcode::read_response, {Stag::none, 0}, 0);
    EXPECT_EQ(arrived(response.next(kMinMulpdu)), ulpdu_of(vectors::kRtrReadResponse));
}

TEST(DdpSegmenter, HasTheHeadersOfTheGoldenFrames) {
    const auto same_header = [](DdpSegmenter segmenter, const vectors::Frame& frame) {
        const Octets expected = ulpdu_of(frame);
        const OutboundSegment segment = segmenter.next(1442);
        EXPECT_TRUE(same(segment.header(), std::span(expected).first(segment.header().size()))) << frame.name;
        EXPECT_EQ(segment.header().size() + segment.payload_bytes, expected.size()) << frame.name;
    };
    same_header(DdpSegmenter(Opcode::send, 1, Stag{9}, 7), vectors::kSend);
    same_header(DdpSegmenter(Opcode::send_solicited, 1, Stag::none, 1), vectors::kSendSolicited);
    same_header(DdpSegmenter(Opcode::send_solicited_invalidate, 2, Stag{0x11223344}, 0), vectors::kSendInvalidate);
    same_header(DdpSegmenter(Opcode::write, {Stag{0xa1b2c3d4}, 0x100000010}, 5), vectors::kWrite);
    same_header(DdpSegmenter(Opcode::read_response, {Stag{0x55667788}, 0x1000}, 4), vectors::kReadResponse);
}

TEST(DdpSegmenter, CutsASendIntoFullSegments) {
    proves("IW-DDP-01", "IW-DDP-02", "IW-RDMAP-01", "IW-RDMAP-02");
    constexpr std::uint32_t kLength = 3 * 1424 + 1;
    DdpSegmenter segmenter(Opcode::send_invalidate, 5, Stag{0x1234}, kLength);
    std::uint32_t sent = 0;
    for (int i = 0; i < 4; ++i) {
        const OutboundSegment outbound = segmenter.next(1442);
        const Octets ulpdu = arrived(outbound);
        const Segment segment = segment_of(ulpdu);
        EXPECT_EQ(outbound.message_offset, sent);
        EXPECT_EQ(segment.untagged.offset, sent);
        EXPECT_EQ(segment.untagged.msn, 5u);
        EXPECT_EQ(segment.opcode, Opcode::send_invalidate);
        EXPECT_EQ(segment.untagged.invalidate, Stag{0x1234});
        EXPECT_EQ(segment.payload().size(), i < 3 ? 1424u : 1u);
        EXPECT_EQ(segment.last, i == 3);
        EXPECT_EQ(segmenter.done(), i == 3);
        sent += outbound.payload_bytes;
    }
    EXPECT_EQ(sent, kLength);
}

TEST(DdpSegmenter, HasRoomForAReceiptInASend) {
    proves("IW-RDMAP-50");
    DdpSegmenter segmenter(Opcode::send, 5, Stag{9}, 8);
    OutboundSegment segment = segmenter.next(1442);
    EXPECT_EQ(segment_of(arrived(segment)).untagged.invalidate, Stag::none);
    segment.stamp({0x1'2345'6789});
    const Octets octets = arrived(segment);
    EXPECT_EQ(segment_of(octets).untagged.invalidate, Stag{0x23456789});
    EXPECT_EQ(segment_of(octets).untagged.msn, 5u);
    EXPECT_FALSE(segment_of(octets).receipt);
}

TEST(DdpSegmenter, CountsTheTaggedOffsetUp) {
    DdpSegmenter segmenter(Opcode::write, {Stag{7}, 0xffffffff}, 2 * 1428);
    const Octets first = arrived(segmenter.next(1442)), second = arrived(segmenter.next(1442));
    EXPECT_EQ(segment_of(first).tagged.offset, 0xffffffffu);
    EXPECT_EQ(segment_of(second).tagged.offset, 0xffffffffu + 1428ull);
    EXPECT_FALSE(segment_of(first).last);
    EXPECT_TRUE(segment_of(second).last);
}

TEST(DdpSegmenter, FollowsAMulpduThatChanges) {
    proves("IW-DDP-06");
    DdpSegmenter segmenter(Opcode::write, {Stag{7}, 0}, 5000);
    EXPECT_EQ(segmenter.next(1442).payload_bytes, 1428u);
    const OutboundSegment shorter = segmenter.next(530);
    EXPECT_EQ(shorter.payload_bytes, 516u);
    EXPECT_EQ(shorter.message_offset, 1428u);
    EXPECT_EQ(segmenter.next(kMaxMulpdu).payload_bytes, 5000u - 1428 - 516);
    EXPECT_TRUE(segmenter.done());
}

TEST(DdpSegmenter, SendsTheLongestMessage) {
    constexpr std::uint32_t kLongest = std::numeric_limits<std::uint32_t>::max();
    DdpSegmenter segmenter(Opcode::send, 1, Stag::none, kLongest);
    std::uint64_t sent = 0;
    while (!segmenter.done()) {
        const OutboundSegment segment = segmenter.next(kMaxMulpdu);
        ASSERT_EQ(segment.message_offset, sent);
        sent += segment.payload_bytes;
    }
    EXPECT_EQ(sent, kLongest);
}

}  // namespace
}  // namespace opennd::iwarp
