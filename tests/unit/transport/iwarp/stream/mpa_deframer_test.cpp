// SPDX-License-Identifier: MIT
// FPDUs out of a stream: in any portions, without a copy where they are whole, and never with a wrong CRC.
#include "transport/iwarp/stream/mpa_deframer.h"

#include <gtest/gtest.h>

#include "support/requirement.h"
#include "transport/iwarp/stream/mpa_framer.h"
#include "unit/transport/iwarp/segments.h"

namespace opennd::iwarp {
namespace {

using support::proves;

Octets golden_stream() {
    Octets stream;
    for (const vectors::Frame& frame : vectors::kFpdus) {
        const Octets fpdu = vectors::octets(frame.hex);
        stream.insert(stream.end(), fpdu.begin(), fpdu.end());
    }
    return stream;
}

Octets framed(const Octets& ulpdu, Crc crc = Crc::on, Markers markers = Markers::none) {
    MpaFramer framer(crc, markers);
    Fpdu fpdu;
    framer.frame({{ulpdu}}, fpdu);
    Octets all;
    for (const auto piece : fpdu.pieces()) all.insert(all.end(), piece.begin(), piece.end());
    return all;
}

// Everything that `portion` completes.
void drain(MpaDeframer& deframer, std::span<const std::byte> portion, std::vector<Octets>& ulpdus) {
    for (;;) {
        const auto next = deframer.next(portion);
        ASSERT_TRUE(next.ok()) << std::string_view(describe(next.fault()));
        if (!next.value()) break;
        ulpdus.push_back(copy(*next.value()));
    }
    EXPECT_TRUE(portion.empty());
}

std::vector<Octets> golden_ulpdus() {
    std::vector<Octets> ulpdus;
    for (const vectors::Frame& frame : vectors::kFpdus) ulpdus.push_back(ulpdu_of(frame));
    return ulpdus;
}

Checked<std::optional<std::span<const std::byte>>> only(MpaDeframer& deframer, const Octets& stream) {
    std::span<const std::byte> arrived(stream);
    return deframer.next(arrived);
}

TEST(MpaDeframer, FindsTheGoldenFramesInOnePortion) {
    MpaDeframer deframer(Crc::on);
    std::vector<Octets> ulpdus;
    drain(deframer, golden_stream(), ulpdus);
    EXPECT_EQ(ulpdus, golden_ulpdus());
    EXPECT_TRUE(deframer.at_boundary());
}

TEST(MpaDeframer, FindsThemInPortionsOfAnyLength) {
    proves("IW-DDP-04", "IW-PERF-04", "IW-NEG-46");
    const Octets stream = golden_stream();
    for (std::size_t length = 1; length <= 90; ++length) {
        MpaDeframer deframer(Crc::on);
        std::vector<Octets> ulpdus;
        for (std::size_t from = 0; from < stream.size(); from += length)
            drain(deframer, std::span(stream).subspan(from, std::min(length, stream.size() - from)), ulpdus);
        ASSERT_EQ(ulpdus, golden_ulpdus()) << length;
    }
}

TEST(MpaDeframer, PointsIntoTheCallersBuffer) {
    const Octets stream = golden_stream();
    std::span<const std::byte> arrived(stream);
    MpaDeframer deframer(Crc::on);
    const auto first = deframer.next(arrived);
    const auto second = deframer.next(arrived);
    EXPECT_EQ(first.value()->data(), &stream[2]);
    EXPECT_EQ(second.value()->data(), &stream[22]);
    EXPECT_EQ(arrived.data(), &stream[72]);
}

TEST(MpaDeframer, KnowsWhetherTheStreamMayEnd) {
    const Octets stream = vectors::octets(vectors::kSend.hex);
    MpaDeframer deframer(Crc::on);
    EXPECT_TRUE(deframer.at_boundary());
    for (std::size_t i = 0; i < stream.size(); ++i) {
        std::span<const std::byte> one = std::span(stream).subspan(i, 1);
        ASSERT_TRUE(deframer.next(one).ok());
        EXPECT_EQ(deframer.at_boundary(), i + 1 == stream.size());
    }
}

TEST(MpaDeframer, RefusesEveryFlippedBit) {
    proves("IW-MPA-21", "IW-NEG-36");
    const Octets golden = vectors::octets(vectors::kSend.hex);
    for (std::size_t bit = 0; bit < golden.size() * 8; ++bit) {
        Octets stream = golden;
        stream[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
        stream.resize(stream.size() + 70000);  // so that a longer length finds its octets
        MpaDeframer deframer(Crc::on);
        ASSERT_EQ(cause_of(only(deframer, stream)), term(2, 0, 2)) << bit;
    }
}

TEST(MpaDeframer, RefusesACrcOfOtherOctetsOrInOtherOrder) {
    proves("IW-NEG-37", "IW-NEG-38", "IW-NEG-32");
    Octets reversed = vectors::octets(vectors::kSend.hex);
    std::reverse(reversed.end() - 4, reversed.end());
    MpaDeframer first(Crc::on);
    EXPECT_EQ(cause_of(only(first, reversed)), term(2, 0, 2));

    Octets without_pad = vectors::octets(vectors::kSendSolicited.hex);
    Crc32c crc(0);
    crc.add(std::span(without_pad).first(without_pad.size() - 7));
    store_crc(&without_pad[without_pad.size() - 4], crc.value());
    MpaDeframer second(Crc::on);
    EXPECT_EQ(cause_of(only(second, without_pad)), term(2, 0, 2));

    Octets reply = vectors::octets(vectors::kReply.hex);  // a second one, read as an FPDU
    reply.resize(70000);
    MpaDeframer third(Crc::on);
    EXPECT_EQ(cause_of(only(third, reply)), term(2, 0, 2));
}

TEST(MpaDeframer, RefusesMarkersThatNobodyAskedFor) {
    proves("IW-NEG-47");
    Octets stream = framed(untagged_ulpdu({}, 24), Crc::on, Markers::inserted);
    MpaDeframer deframer(Crc::on);
    EXPECT_EQ(cause_of(only(deframer, stream)), term(2, 0, 2));
}

TEST(MpaDeframer, DoesNotLookAtAnUnusedCrc) {
    proves("IW-NEG-39");
    Octets stream = vectors::octets(vectors::kSend.hex);
    stream.back() ^= std::byte{0xff};
    MpaDeframer deframer(Crc::off);
    EXPECT_TRUE(same(*only(deframer, stream).value(), ulpdu_of(vectors::kSend)));
}

TEST(MpaDeframer, DoesNotLookAtThePad) {
    proves("IW-NEG-40");
    Octets stream = vectors::octets(vectors::kSendSolicited.hex);
    stream[stream.size() - 5] = std::byte{0x77};
    Crc32c crc(0);
    crc.add(std::span(stream).first(stream.size() - 4));
    store_crc(&stream[stream.size() - 4], crc.value());
    MpaDeframer deframer(Crc::on);
    EXPECT_TRUE(only(deframer, stream).ok());
}

TEST(MpaDeframer, TakesUlpdusOfEveryLength) {
    proves("IW-NEG-43", "IW-IOP-12");
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{64769}, kMaxUlpdu}) {
        const Octets ulpdu(bytes, std::byte{0x33});
        const Octets stream = framed(ulpdu);
        MpaDeframer whole(Crc::on);
        EXPECT_TRUE(same(*only(whole, stream).value(), ulpdu)) << bytes;
        MpaDeframer cut(Crc::on);
        std::vector<Octets> ulpdus;
        drain(cut, std::span(stream).first(3), ulpdus);
        drain(cut, std::span(stream).subspan(3), ulpdus);
        ASSERT_EQ(ulpdus.size(), 1u);
        EXPECT_EQ(ulpdus[0], ulpdu);
    }
}

}  // namespace
}  // namespace opennd::iwarp
