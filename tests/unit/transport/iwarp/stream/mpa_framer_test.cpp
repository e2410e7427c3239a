// SPDX-License-Identifier: MIT
// FPDUs as in the vectors, from payload that is not copied; and markers, against a second way to insert them.
#include "transport/iwarp/stream/mpa_framer.h"

#include <gtest/gtest.h>

#include "support/requirement.h"
#include "unit/transport/iwarp/segments.h"

namespace opennd::iwarp {
namespace {

using support::proves;

Octets flat(const Fpdu& fpdu) {
    Octets all;
    for (const auto piece : fpdu.pieces()) all.insert(all.end(), piece.begin(), piece.end());
    EXPECT_EQ(all.size(), fpdu.bytes());
    return all;
}

Octets framed(MpaFramer& framer, std::span<const std::byte> ulpdu) {
    Fpdu fpdu;
    framer.frame({{ulpdu}}, fpdu);
    return flat(fpdu);
}

Octets send_ulpdu(std::uint32_t msn, std::size_t payload_bytes) {
    Octets ulpdu = untagged_ulpdu({.msn = msn}, payload_bytes);
    for (std::size_t i = UntaggedHeader::kBytes; i < ulpdu.size(); ++i) ulpdu[i] = static_cast<std::byte>(i * 13);
    return ulpdu;
}

TEST(MpaFramer, MakesTheGoldenFrames) {
    proves("IW-MPA-16");
    for (const vectors::Frame& frame : vectors::kFpdus) {
        MpaFramer framer(Crc::on, Markers::none);
        EXPECT_EQ(framed(framer, ulpdu_of(frame)), vectors::octets(frame.hex)) << frame.name;
    }
}

TEST(MpaFramer, LeavesPayloadWhereItIs) {
    const Octets ulpdu = ulpdu_of(vectors::kSend);
    const std::array<std::span<const std::byte>, 3> parts{std::span(ulpdu).first<18>(), std::span(ulpdu).subspan(18, 3),
                                                          std::span(ulpdu).subspan(21)};
    MpaFramer framer(Crc::on, Markers::none);
    Fpdu fpdu;
    framer.frame(parts, fpdu);
    ASSERT_EQ(fpdu.pieces().size(), 3u) << "length; what lies together in memory; pad and CRC";
    EXPECT_EQ(fpdu.pieces()[1].data(), ulpdu.data());
    EXPECT_EQ(flat(fpdu), vectors::octets(vectors::kSend.hex));
}

TEST(MpaFramer, JoinsPartsFromDifferentPlaces) {
    const Octets ulpdu = ulpdu_of(vectors::kSend);
    const Octets header(ulpdu.begin(), ulpdu.begin() + 18), payload(ulpdu.begin() + 18, ulpdu.end());
    MpaFramer framer(Crc::on, Markers::none);
    Fpdu fpdu;
    framer.frame({{header, std::span<const std::byte>(), payload}}, fpdu);
    ASSERT_EQ(fpdu.pieces().size(), 4u);
    EXPECT_EQ(fpdu.pieces()[2].data(), payload.data());
    EXPECT_EQ(flat(fpdu), vectors::octets(vectors::kSend.hex));
}

TEST(MpaFramer, SendsZeroInsteadOfACrcAndInThePad) {
    proves("IW-SEC-20");
    MpaFramer framer(Crc::off, Markers::none);
    const Octets fpdu = framed(framer, ulpdu_of(vectors::kSendSolicited));
    EXPECT_EQ(Octets(fpdu.end() - 7, fpdu.end()), Octets(7));
}

TEST(MpaFramer, StartsAStreamWithAMarker) {
    proves("IW-MPA-24", "IW-MPA-28");
    MpaFramer framer(Crc::on, Markers::inserted);
    EXPECT_EQ(framed(framer, untagged_ulpdu({.msn = 1}, 24)), vectors::octets(vectors::kMarked.hex));
    MpaFramer plain(Crc::on, Markers::none);
    const Octets unmarked = framed(plain, untagged_ulpdu({.msn = 1}, 24));
    EXPECT_EQ(Octets(unmarked.end() - 4, unmarked.end()), vectors::octets("B7 24 3E C3"));
}

// The second example of RFC 5044: an FPDU that starts at position 0x1EC of the stream.
TEST(MpaFramer, PutsAMarkerInTheMiddleOfAHeader) {
    proves("IW-MPA-23");
    MpaFramer framer(Crc::on, Markers::inserted);
    std::size_t position = 0;
    while (position < 0x1ec) {  // 4 of marker, then 24 octets each of an empty Send, the last one longer
        const std::size_t left = 0x1ec - position - (position == 0 ? 4 : 0);
        position += framed(framer, untagged_ulpdu({}, left < 48 ? left - 24 : 0)).size();
    }
    ASSERT_EQ(position, 0x1ecu);
    const Octets fpdu = framed(framer, untagged_ulpdu({.msn = 2}, 24));
    EXPECT_TRUE(same(std::span(fpdu).subspan(20, 4), vectors::octets("00 00 00 14")));
    EXPECT_EQ(Octets(fpdu.end() - 4, fpdu.end()), vectors::octets("84 92 58 98"));
}

// Inserts the markers of one FPDU the slow way: octet by octet, the position counted from the start of the stream.
Octets marked_slowly(std::span<const std::byte> ulpdu, std::size_t position) {
    Octets fpdu;
    std::size_t start = 0;
    const auto put = [&](std::byte octet) {
        if ((position + fpdu.size()) % 512 == 0) {
            const std::size_t distance = fpdu.empty() ? 0 : fpdu.size() - start;
            for (const std::size_t part : {std::size_t{0}, std::size_t{0}, distance >> 8, distance & 0xff})
                fpdu.push_back(static_cast<std::byte>(part));
            if (start == 0 && fpdu.size() == 4) start = 4;
        }
        fpdu.push_back(octet);
    };
    put(static_cast<std::byte>(ulpdu.size() >> 8));
    put(static_cast<std::byte>(ulpdu.size() & 0xff));
    for (const std::byte octet : ulpdu) put(octet);
    for (std::size_t i = 0; i < pad_bytes(ulpdu.size()); ++i) put(std::byte{});
    Crc32c crc(0);
    const std::size_t before = fpdu.size();
    put(std::byte{});  // the CRC covers the octets before it, a marker too
    fpdu.pop_back();
    crc.add(fpdu);
    EXPECT_TRUE(fpdu.size() == before || fpdu.size() == before + 4);
    std::array<std::byte, 4> octets;
    store_crc(octets.data(), crc.value());
    fpdu.insert(fpdu.end(), octets.begin(), octets.end());
    return fpdu;
}

TEST(MpaFramer, InsertsMarkersWhereverTheyFall) {
    proves("IW-MPA-25", "IW-MPA-26", "IW-MPA-27");
    MpaFramer framer(Crc::on, Markers::inserted);
    std::size_t position = 0;
    bool between = false, before_crc = false;
    for (std::uint32_t i = 0; i < 2000; ++i) {
        const Octets ulpdu = send_ulpdu(i, i * 37 % 1200);
        const Octets expected = marked_slowly(ulpdu, position);
        ASSERT_EQ(framed(framer, ulpdu), expected) << i;
        between |= position % 512 == 0 && position > 0;
        position += expected.size();
        before_crc |= (position - 4) % 512 == 4;
    }
    EXPECT_TRUE(between && before_crc) << "both borders were met";
}

TEST(MpaFramer, HasRoomForTheLongestUlpdu) {
    const Octets ulpdu = send_ulpdu(1, kMaxUlpdu - UntaggedHeader::kBytes);
    for (const std::size_t before : {0, 8, 488, 500}) {
        MpaFramer framer(Crc::on, Markers::inserted);
        const std::size_t position = framed(framer, send_ulpdu(0, before)).size();
        EXPECT_EQ(framed(framer, ulpdu), marked_slowly(ulpdu, position));
    }
}

}  // namespace
}  // namespace opennd::iwarp
