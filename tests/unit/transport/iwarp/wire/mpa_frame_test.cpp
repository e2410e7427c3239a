// SPDX-License-Identifier: MIT
// Requests and Replies, to and from octets.
#include "transport/iwarp/wire/mpa_frame.h"

#include <gtest/gtest.h>

#include <string_view>
#include <utility>

#include "support/requirement.h"
#include "unit/transport/iwarp/segments.h"

namespace opennd::iwarp {
namespace {

using support::proves;

PrivateData data(std::string_view text) { return PrivateData(std::as_bytes(std::span(text))); }

Octets stored(const MpaFrame& frame) {
    std::array<std::byte, MpaFrame::kMaxBytes> room;
    return copy(frame.store(room));
}

MpaFrame loaded(const Octets& octets) {
    const auto header = std::span(octets).first<MpaFrame::kHeaderBytes>();
    const auto rest = MpaFrame::rest_of(header);
    EXPECT_TRUE(rest.ok());
    EXPECT_EQ(rest.value(), octets.size() - MpaFrame::kHeaderBytes);
    return MpaFrame::load(header, std::span(octets).subspan(MpaFrame::kHeaderBytes));
}

MpaFrame request() {
    MpaFrame frame;
    frame.enhanced = EnhancedData{true, Rtr::write | Rtr::read, 32, 16};
    frame.private_data = data("hello");
    return frame;
}

TEST(MpaFrame, StoresTheGoldenFrames) {
    proves("IW-MPA-01", "IW-MPA-14");
    EXPECT_EQ(stored(request()), vectors::octets(vectors::kRequest.hex));

    MpaFrame reply;
    reply.role = MpaRole::reply;
    reply.enhanced = EnhancedData{true, Rtr::write, 16, 32};
    reply.private_data = data("ok");
    EXPECT_EQ(stored(reply), vectors::octets(vectors::kReply.hex));

    reply.rejected = true;
    reply.enhanced = EnhancedData{true, Rtr::write, 0, 0};
    reply.private_data = data("no");
    EXPECT_EQ(stored(reply), vectors::octets(vectors::kRejection.hex));

    MpaFrame first;
    first.revision = 1;
    EXPECT_EQ(stored(first), vectors::octets(vectors::kRequest1.hex));
    first.role = MpaRole::reply;
    EXPECT_EQ(stored(first), vectors::octets(vectors::kReply1.hex));
}

TEST(MpaFrame, LoadsTheGoldenFrames) {
    proves("IW-NEG-33");
    const MpaFrame golden = loaded(vectors::octets(vectors::kRequest.hex));
    EXPECT_EQ(golden.role, MpaRole::request);
    EXPECT_EQ(golden.revision, 2);
    EXPECT_EQ(golden.crc, Crc::on);
    EXPECT_EQ(golden.markers, Markers::none);
    EXPECT_EQ(golden.enhanced, (EnhancedData{true, Rtr::write | Rtr::read, 32, 16}));
    EXPECT_TRUE(same(golden.private_data.octets(), data("hello").octets()));

    const MpaFrame rejection = loaded(vectors::octets(vectors::kRejection.hex));
    EXPECT_EQ(rejection.role, MpaRole::reply);
    EXPECT_TRUE(rejection.rejected);
    EXPECT_EQ(rejection.enhanced, (EnhancedData{true, Rtr::write, 0, 0}));

    const MpaFrame first = loaded(vectors::octets(vectors::kReply1.hex));
    EXPECT_EQ(first.revision, 1);
    EXPECT_FALSE(first.enhanced);
    EXPECT_TRUE(first.private_data.octets().empty());
}

TEST(MpaFrame, KeepsEveryCombinationOfEnhancedData) {
    for (const Rtr rtr : {Rtr::send, Rtr::write, Rtr::read, Rtr::send | Rtr::read, Rtr::none})
        for (const int depth : {0, 1, 0x3ffe, 0x3fff}) {
            const EnhancedData data{true, rtr, static_cast<std::uint16_t>(depth),
                                    static_cast<std::uint16_t>(0x3fff - depth)};
            std::array<std::byte, EnhancedData::kBytes> octets;
            data.store(octets);
            EXPECT_EQ(EnhancedData::load(octets), data);
        }
}

TEST(MpaFrame, HasNoRtrTypeWithoutPeerToPeer) {
    proves("IW-MPA-10", "IW-NEG-19");
    const EnhancedData sent{false, Rtr::write | Rtr::read | Rtr::send, 3, 4};
    std::array<std::byte, EnhancedData::kBytes> octets;
    sent.store(octets);
    EXPECT_EQ(octets, (std::array{std::byte{0}, std::byte{3}, std::byte{0}, std::byte{4}}));
    EXPECT_EQ(EnhancedData::load(std::array{std::byte{0x40}, std::byte{3}, std::byte{0xc0}, std::byte{4}}),
              (EnhancedData{false, Rtr::none, 3, 4}));
}

TEST(MpaFrame, IgnoresReservedBitsAndARejectionInARequest) {
    proves("IW-MPA-04", "IW-NEG-11", "IW-NEG-12");
    Octets octets = vectors::octets(vectors::kRequest.hex);
    octets[16] |= std::byte{0x2f};
    const MpaFrame frame = loaded(octets);
    EXPECT_FALSE(frame.rejected);
    EXPECT_EQ(frame.enhanced, request().enhanced);
}

TEST(MpaFrame, SaysInReservedBitsWhoMadeIt) {
    proves("IW-MPA-04");
    MpaFrame frame = request();
    frame.maker = Maker::opennd;
    Octets octets = stored(frame);
    EXPECT_EQ(octets, vectors::octets(vectors::kOwnRequest.hex));
    EXPECT_EQ(loaded(octets).maker, Maker::opennd);
    frame.role = MpaRole::reply;
    frame.enhanced = EnhancedData{true, Rtr::write, 16, 32};
    frame.private_data = data("ok");
    octets = stored(frame);
    EXPECT_EQ(octets, vectors::octets(vectors::kOwnReply.hex));
    EXPECT_EQ(loaded(octets).maker, Maker::opennd);
}

TEST(MpaFrame, SpeaksOfReceiptsBesideItsMarkAlone) {
    proves("IW-RDMAP-48");
    MpaFrame frame = request();
    frame.receipts = true;
    EXPECT_EQ(stored(frame), vectors::octets(vectors::kRequest.hex));
    frame.maker = Maker::opennd;
    const Octets octets = stored(frame);
    EXPECT_EQ(octets[16], std::byte{0x55});
    EXPECT_TRUE(loaded(octets).receipts);
}

// siw's Reply has the reserved bits of the Request.
TEST(MpaFrame, SaysNothingOfItsMakerInOtherReservedBits) {
    proves("IW-MPA-04", "IW-NEG-11");
    for (const auto& [frame, mark] : {std::pair{vectors::kRequest, 1}, std::pair{vectors::kReply, 2}})
        for (int reserved = 0; reserved < 16; ++reserved) {
            Octets octets = vectors::octets(frame.hex);
            octets[16] |= static_cast<std::byte>(reserved);
            const bool marked = reserved == mark || reserved == (mark | 4);  // 4 is about receipts
            EXPECT_EQ(loaded(octets).maker, marked ? Maker::opennd : Maker::other) << frame.name << ' ' << reserved;
            EXPECT_EQ(loaded(octets).receipts, reserved == (mark | 4)) << frame.name << ' ' << reserved;
        }
}

TEST(MpaFrame, DoesNotLookForEnhancedDataInRevision1) {
    Octets octets = vectors::octets(vectors::kRequest.hex);
    octets[17] = std::byte{1};
    const MpaFrame frame = loaded(octets);
    EXPECT_FALSE(frame.enhanced);
    EXPECT_EQ(frame.private_data.octets().size(), 9u);
}

}  // namespace
}  // namespace opennd::iwarp
