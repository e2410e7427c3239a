// SPDX-License-Identifier: MIT
// Terminates: the headers that each one carries, and the reading of any sender's.
#include "transport/iwarp/wire/terminate.h"

#include <gtest/gtest.h>

#include "support/requirement.h"
#include "unit/transport/iwarp/segments.h"

namespace opennd::iwarp {
namespace {

using support::proves;
using Form = ReceivedTerminate::Form;

Octets sent(const TerminateCause& cause, std::span<const std::byte> blamed = {}) {
    return copy(Terminate(cause, blamed).ulpdu());
}

Octets read_request(std::uint32_t size, std::uint64_t sink_offset = 0x1000, std::uint64_t source = 0x100000f00) {
    return copy(ReadRequest{Stag{0x55667788}, sink_offset, size, Stag{0xa1b2c3d4}, source}.message(1));
}

// `ulpdu` outlives the result.
ReceivedTerminate received(const Octets& ulpdu, Arrival arrival = Arrival::after_messages) {
    return ReceivedTerminate::load(segment_of(ulpdu), arrival);
}

// A Terminate of these control octets, and more.
Octets terminate(std::string_view control) {
    return joined(
        {untagged_ulpdu({.opcode = Opcode::terminate, .queue = Queue::terminates}, 0), vectors::octets(control)});
}

TEST(Terminate, QuotesNothingAfterAnErrorOfMpa) {
    proves("IW-ERR-05", "IW-ERR-12");
    const Octets blamed = ulpdu_of(vectors::kSend);
    EXPECT_EQ(sent(term(2, 0, 2), blamed), ulpdu_of(vectors::kTerminateCrc));
    EXPECT_EQ(sent(term(2, 0, 5)), ulpdu_of(vectors::kTerminateSetup));
    EXPECT_EQ(sent(term(2, 0, 6)), ulpdu_of(vectors::kTerminateReads));
    EXPECT_EQ(sent(term(2, 0, 7)), ulpdu_of(vectors::kTerminateRtr));
}

TEST(Terminate, QuotesTheHeaderOfASegment) {
    proves("IW-RDMAP-09", "IW-ERR-06");
    EXPECT_EQ(sent(term(1, 2, 5), untagged_ulpdu({.msn = 7}, 1024)), ulpdu_of(vectors::kTerminateTooLong));
    const Octets write = ulpdu_of(vectors::kWrite);
    const Octets quotation = joined({vectors::octets("c0 00 00 13"), std::span(write).first(14)});
    const Octets tagged = sent(term(1, 1, 0), write);
    EXPECT_EQ(tagged.size(), 38u);
    EXPECT_TRUE(same(std::span(tagged).subspan(20), quotation));
}

TEST(Terminate, QuotesAllOfAReadRequestOnlyInItsOwnLayer) {
    proves("IW-RDMAP-10", "IW-RDMAP-11");
    EXPECT_EQ(sent(term(0, 1, 1), read_request(4096)), ulpdu_of(vectors::kTerminateBounds));
    EXPECT_EQ(sent(term(1, 2, 3), read_request(4096)).size(), 42u);
    EXPECT_EQ(sent(term(0, 2, 6), read_request(4096)).size(), 42u);
    EXPECT_EQ(sent(term(0, 0, 0), read_request(4096)).size(), 22u);
}

TEST(Terminate, QuotesWhatIsLeftOfAReadInMidResponse) {
    const Octets blamed = read_request(8192, 0, 0x100000000);
    const Terminate terminate(term(0, 1, 0), std::span(blamed).first<ReadRequest::kUlpduBytes>(), 4096);
    const Octets left = read_request(4096, 4096, 0x100001000);
    EXPECT_TRUE(same(terminate.ulpdu().last(28), std::span(left).last(28)));
    EXPECT_TRUE(same(terminate.ulpdu().subspan(24, 18), std::span(blamed).first(18)));
}

TEST(Terminate, QuotesNothingThatIsNotThere) {
    const Octets send = ulpdu_of(vectors::kSend);
    for (const std::size_t bytes : {0, 1, 2, 17})
        EXPECT_EQ(sent(term(0, 2, 0xff), std::span(send).first(bytes)).size(), 22u) << bytes;
    const Octets cut = read_request(4096);
    EXPECT_EQ(sent(term(0, 1, 0), std::span(cut).first(45)).size(), 42u) << "the RDMAP header is cut";
}

TEST(ReceivedTerminate, IsReadAsItWasSent) {
    proves("IW-RDMAP-08");
    const Octets ulpdu = ulpdu_of(vectors::kTerminateBounds);
    const ReceivedTerminate terminate = received(ulpdu);
    EXPECT_EQ(terminate.cause, term(0, 1, 1));
    EXPECT_EQ(terminate.form, Form::standard);
    EXPECT_EQ(terminate.segment_bytes, 46);
    EXPECT_EQ(terminate.ddp_header.size(), 18u);
    ASSERT_TRUE(terminate.read_request);
    EXPECT_EQ(terminate.read_request->size, 4096u);
    for (const auto* const frame : {&vectors::kTerminateCrc, &vectors::kTerminateSetup, &vectors::kTerminateReads}) {
        const Octets bare = ulpdu_of(*frame);
        for (const Arrival arrival : {Arrival::before_messages, Arrival::after_messages}) {
            EXPECT_EQ(received(bare, arrival).cause->layer, Layer::mpa) << frame->name;
            EXPECT_TRUE(received(bare, arrival).ddp_header.empty());
        }
    }
}

TEST(ReceivedTerminate, HasEachPartByItsOwnBit) {
    Octets only_header = ulpdu_of(vectors::kTerminateTooLong);
    only_header[20] = std::byte{0x40};  // D: the length is there and means nothing
    EXPECT_FALSE(received(only_header).segment_bytes);
    EXPECT_EQ(received(only_header).ddp_header.size(), 18u);
    const Octets only_length = terminate("12 05 80 00");
    EXPECT_EQ(received(only_length).cause, term(1, 2, 5));
    EXPECT_TRUE(received(only_length).ddp_header.empty());
    const Octets request = read_request(9);
    const Octets only_request = joined({terminate("01 01 20 00"), std::span(request).last<28>()});
    ASSERT_TRUE(received(only_request).read_request);
    EXPECT_EQ(received(only_request).read_request->size, 9u);
}

TEST(ReceivedTerminate, UnderstandsSwappedNibbles) {
    proves("IW-ERR-11", "IW-NEG-112", "IW-IOP-06");
    const Octets crc = ulpdu_of(vectors::kSwappedCrc);
    EXPECT_EQ(received(crc).cause, term(2, 0, 2));
    EXPECT_EQ(received(crc).form, Form::swapped);
    const Octets no_receive = ulpdu_of(vectors::kSwappedNoReceive);
    const ReceivedTerminate terminate = received(no_receive);
    EXPECT_EQ(terminate.cause, term(1, 2, 2));
    EXPECT_EQ(terminate.form, Form::swapped);
    EXPECT_EQ(terminate.segment_bytes, 0x400);
    EXPECT_EQ(terminate.ddp_header.size(), 18u);
}

// 0/2/05 to 07 read the other way round are 2/0/05 to 07.
TEST(ReceivedTerminate, TakesAnAmbiguousOneAsOfTheHandshakeUntilMessagesArrive) {
    for (const int code : {5, 6, 7}) {
        Octets ulpdu = terminate("02 00 00 00");
        ulpdu[19] = static_cast<std::byte>(code);
        EXPECT_EQ(received(ulpdu, Arrival::before_messages).cause, term(2, 0, code));
        EXPECT_EQ(received(ulpdu, Arrival::after_messages).cause, term(0, 2, code));
    }
}

TEST(ReceivedTerminate, MarksOneWhosePresenceBitsContradictEachOther) {
    const Octets both = terminate("12 02 c3 00 00 00");
    EXPECT_EQ(received(both).form, Form::ambiguous);
    const Octets neither = terminate("12 02 00 00 00 00");
    EXPECT_EQ(received(neither).form, Form::ambiguous);
    EXPECT_EQ(received(neither).cause, term(1, 2, 2)) << "read as the RFC has it";
}

TEST(ReceivedTerminate, HasNoCauseWhereItIsCut) {
    proves("IW-ERR-10", "IW-NEG-109", "IW-NEG-110");
    for (std::size_t bytes = 0; bytes < 4; ++bytes) {
        Octets ulpdu = terminate("12 02 c0 00");
        ulpdu.resize(18 + bytes);
        EXPECT_FALSE(received(ulpdu).cause) << bytes;
    }
    const Octets whole = ulpdu_of(vectors::kTerminateBounds);
    for (std::size_t bytes = 22; bytes < whole.size(); ++bytes) {
        Octets ulpdu = whole;
        ulpdu.resize(bytes);
        EXPECT_FALSE(received(ulpdu).cause) << bytes;
        EXPECT_FALSE(received(ulpdu).read_request) << bytes;
    }
}

TEST(ReceivedTerminate, HasNoCauseThatNoRegistryKnows) {
    proves("IW-NEG-111");
    for (const char* const control : {"99 02 c0 00", "14 02 c0 00", "13 00 00 00", "20 0a 00 00"}) {
        const Octets ulpdu = terminate(control);
        EXPECT_FALSE(received(ulpdu).cause) << control;
    }
}

TEST(ReceivedTerminate, IsOneWhateverItsNumbers) {
    proves("IW-NEG-114");
    const Octets ulpdu =
        joined({untagged_ulpdu(
                    {.msn = 2, .offset = 4, .last = false, .opcode = Opcode::terminate, .queue = Queue::terminates}, 0),
                vectors::octets("20 02 00 00")});
    EXPECT_EQ(received(ulpdu).cause, term(2, 0, 2));
}

}  // namespace
}  // namespace opennd::iwarp
