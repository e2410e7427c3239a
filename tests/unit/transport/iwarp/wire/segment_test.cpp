// SPDX-License-Identifier: MIT
// The headers of every kind of segment, and the faults in them.
#include "transport/iwarp/wire/ddp_header.h"

#include <gtest/gtest.h>

#include "support/requirement.h"
#include "unit/transport/iwarp/segments.h"

namespace opennd::iwarp {
namespace {

using support::proves;

TerminateCause refused(const Octets& ulpdu) { return cause_of(Segment::load(ulpdu)); }

Octets with_control(const vectors::Frame& frame, int ddp, int rdmap) {
    Octets ulpdu = ulpdu_of(frame);
    ulpdu[0] = static_cast<std::byte>(ddp);
    ulpdu[1] = static_cast<std::byte>(rdmap);
    return ulpdu;
}

TEST(Segment, LoadsATaggedHeader) {
    const Octets ulpdu = ulpdu_of(vectors::kWrite);
    const Segment segment = segment_of(ulpdu);
    EXPECT_EQ(segment.opcode, Opcode::write);
    EXPECT_TRUE(segment.last);
    EXPECT_EQ(segment.tagged.stag, Stag{0xa1b2c3d4});
    EXPECT_EQ(segment.tagged.offset, 0x0000000100000010u);
    EXPECT_EQ(copy(segment.payload()), vectors::octets("01 02 03 04 05"));
}

TEST(Segment, LoadsAnUntaggedHeader) {
    const Octets ulpdu = ulpdu_of(vectors::kSendInvalidate);
    const Segment segment = segment_of(ulpdu);
    EXPECT_EQ(segment.opcode, Opcode::send_solicited_invalidate);
    EXPECT_TRUE(invalidates(segment.opcode) && is_solicited(segment.opcode));
    EXPECT_EQ(segment.untagged.invalidate, Stag{0x11223344});
    EXPECT_EQ(segment.untagged.queue, Queue::sends);
    EXPECT_EQ(segment.untagged.msn, 2u);
    EXPECT_EQ(segment.untagged.offset, 0u);
    EXPECT_TRUE(segment.payload().empty());
}

TEST(Segment, IsStoredAsItWasLoaded) {
    for (const vectors::Frame& frame : vectors::kFpdus) {
        const Octets ulpdu = ulpdu_of(frame);
        const Segment segment = segment_of(ulpdu);
        Octets again = ulpdu;
        std::fill_n(again.begin(), header_bytes(segment.model()), std::byte{0xee});
        if (segment.model() == Model::tagged)
            segment.tagged.store(std::span(again).first<TaggedHeader::kBytes>(), segment.opcode, segment.last);
        else
            segment.untagged.store(std::span(again).first<UntaggedHeader::kBytes>(), segment.opcode, segment.last);
        EXPECT_EQ(again, ulpdu) << frame.name;
    }
}

TEST(ReadRequest, IsThatOfTheGoldenFrames) {
    proves("IW-RDMAP-05");
    const Octets ulpdu = ulpdu_of(vectors::kReadRequest);
    const ReadRequest request = ReadRequest::load(segment_of(ulpdu).payload().first<ReadRequest::kBytes>());
    EXPECT_EQ(request.sink, Stag{0x55667788});
    EXPECT_EQ(request.sink_offset, 0x1000u);
    EXPECT_EQ(request.size, 4u);
    EXPECT_EQ(request.source, Stag{0xa1b2c3d4});
    EXPECT_EQ(request.source_offset, 0x0000000100000000u);
    EXPECT_TRUE(same(request.message(1), ulpdu));
    const ReadRequest rtr{Stag::none, 0, 0, Stag{1}, 0};
    EXPECT_TRUE(same(rtr.message(1), ulpdu_of(vectors::kRtrRead)));
}

TEST(Segment, RefusesAUlpduWithoutRoomForItsHeader) {
    proves("IW-NEG-41", "IW-NEG-42");
    for (std::size_t bytes = 0; bytes < TaggedHeader::kBytes; ++bytes) {
        Octets ulpdu = ulpdu_of(vectors::kWrite);
        ulpdu.resize(bytes);
        EXPECT_EQ(refused(ulpdu), term(0, 2, 0xff)) << bytes;
    }
    for (std::size_t bytes = 0; bytes < UntaggedHeader::kBytes; ++bytes) {
        Octets ulpdu = ulpdu_of(vectors::kSend);
        ulpdu.resize(bytes);
        EXPECT_EQ(refused(ulpdu), term(0, 2, 0xff)) << bytes;
    }
}

TEST(Segment, RefusesOtherVersions) {
    proves("IW-NEG-49", "IW-NEG-50");
    for (const int version : {0, 2, 3}) {
        EXPECT_EQ(refused(with_control(vectors::kWrite, 0xc0 | version, 0x40)), term(1, 1, 4));
        EXPECT_EQ(refused(with_control(vectors::kSend, 0x40 | version, 0x43)), term(1, 2, 6));
        EXPECT_EQ(refused(with_control(vectors::kWrite, 0xc1, version << 6)), term(0, 2, 5));
        EXPECT_EQ(refused(with_control(vectors::kSend, 0x41, version << 6 | 3)), term(0, 2, 5));
    }
}

TEST(Segment, DoesNotLookAtReservedBits) {
    proves("IW-RDMAP-33", "IW-NEG-51");
    EXPECT_EQ(segment_of(with_control(vectors::kWrite, 0xfd, 0x70)).opcode, Opcode::write);
    Octets ulpdu = with_control(vectors::kSend, 0x7d, 0x73);
    ulpdu[2] = std::byte{0xff};  // the Invalidate STag of a Send that has none
    EXPECT_EQ(segment_of(ulpdu).opcode, Opcode::send);
}

TEST(Segment, RefusesOpcodesThatAreNotOffered) {
    proves("IW-ND-03", "IW-NEG-52");
    for (int opcode = 8; opcode < 16; ++opcode) {
        EXPECT_EQ(refused(with_control(vectors::kSend, 0x41, 0x40 | opcode)), term(0, 2, 6)) << opcode;
        EXPECT_EQ(refused(with_control(vectors::kWrite, 0xc1, 0x40 | opcode)), term(0, 2, 6)) << opcode;
    }
    EXPECT_EQ(rule(Opcode::atomic_request).name, "Atomic Request");
    EXPECT_EQ(rule(Opcode::atomic_response).queue, Queue::atomic_responses);
}

TEST(Segment, RefusesAnOpcodeOfTheOtherModel) {
    proves("IW-NEG-53");
    for (const int opcode : {1, 3, 4, 5, 6, 7})
        EXPECT_EQ(refused(with_control(vectors::kWrite, 0xc1, 0x40 | opcode)), term(0, 2, 6)) << opcode;
    for (const int opcode : {0, 2})
        EXPECT_EQ(refused(with_control(vectors::kSend, 0x41, 0x40 | opcode)), term(0, 2, 6)) << opcode;
}

TEST(Segment, RefusesAQueueThatDoesNotExist) {
    proves("IW-NEG-54");
    for (const std::uint32_t queue : {3u, 4u, 0xffffffffu})
        EXPECT_EQ(refused(untagged_ulpdu({.queue = static_cast<Queue>(queue)}, 0)), term(1, 2, 1));
}

TEST(Segment, RefusesAQueueOfAnotherOpcode) {
    proves("IW-NEG-55");
    EXPECT_EQ(refused(untagged_ulpdu({.queue = Queue::read_requests}, 0)), term(0, 2, 6));
    EXPECT_EQ(refused(untagged_ulpdu({.queue = Queue::terminates}, 0)), term(0, 2, 6));
    EXPECT_EQ(refused(untagged_ulpdu({.opcode = Opcode::read_request}, 28)), term(0, 2, 6));
    EXPECT_EQ(refused(untagged_ulpdu({.opcode = Opcode::terminate}, 4)), term(0, 2, 6));
}

}  // namespace
}  // namespace opennd::iwarp
