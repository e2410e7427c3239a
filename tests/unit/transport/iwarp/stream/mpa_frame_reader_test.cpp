// SPDX-License-Identifier: MIT
// A frame arrives in any portions, is not believed for one octet too long, and leaves the octets after it alone.
#include "transport/iwarp/stream/mpa_frame_reader.h"

#include <gtest/gtest.h>

#include "support/requirement.h"
#include "unit/transport/iwarp/segments.h"

namespace opennd::iwarp {
namespace {

using support::proves;

// Octets of the frame that were taken before the reader made up its mind.
struct Verdict {
    std::optional<MpaFrame> frame;
    std::optional<FaultKind> fault;
    std::size_t taken = 0;
};

Verdict read_one_by_one(MpaRole expected, const Octets& octets) {
    MpaFrameReader reader(expected);
    Verdict verdict;
    for (; verdict.taken < octets.size() && !verdict.frame && !verdict.fault; ++verdict.taken) {
        std::span<const std::byte> one = std::span(octets).subspan(verdict.taken, 1);
        const auto result = reader.read(one);
        EXPECT_TRUE(one.empty());
        if (!result.ok()) {
            EXPECT_EQ(cause(result.fault()), term(2, 0, 4));
            verdict.fault = result.fault().kind;
        } else {
            verdict.frame = result.value();
        }
    }
    return verdict;
}

Octets request_with(std::uint8_t flags, std::uint8_t revision, std::size_t length) {
    Octets octets = vectors::octets(vectors::kRequest1.hex);
    octets[16] = static_cast<std::byte>(flags);
    octets[17] = static_cast<std::byte>(revision);
    octets[18] = static_cast<std::byte>(length >> 8);
    octets[19] = static_cast<std::byte>(length & 0xff);
    return octets;
}

TEST(MpaFrameReader, TakesAFrameInTwoPortionsCutAnywhere) {
    proves("IW-CM-05", "IW-NEG-13");
    const Octets octets = vectors::octets(vectors::kRequest.hex);
    for (std::size_t cut = 0; cut <= octets.size(); ++cut) {
        MpaFrameReader reader(MpaRole::request);
        std::span<const std::byte> first = std::span(octets).first(cut);
        const auto early = reader.read(first);
        ASSERT_TRUE(early.ok()) << cut;
        EXPECT_EQ(early.value().has_value(), cut == octets.size());
        EXPECT_EQ(reader.begun(), cut > 0);
        std::span<const std::byte> second = std::span(octets).subspan(cut);
        const auto whole = reader.read(second);
        ASSERT_TRUE(whole.ok() && whole.value()) << cut;
        EXPECT_EQ(whole.value()->private_data.octets().size(), 5u);
    }
}

TEST(MpaFrameReader, LeavesWhatFollowsTheFrame) {
    proves("IW-CM-09");
    const Octets octets = joined({vectors::octets(vectors::kReply.hex), vectors::octets(vectors::kSend.hex)});
    std::span<const std::byte> arrived(octets);
    MpaFrameReader reader(MpaRole::reply);
    const auto frame = reader.read(arrived);
    ASSERT_TRUE(frame.ok() && frame.value());
    EXPECT_TRUE(same(arrived, vectors::octets(vectors::kSend.hex)));
}

TEST(MpaFrameReader, RefusesAWrongKeyAtItsFirstWrongOctet) {
    proves("IW-NEG-01", "IW-NEG-02", "IW-NEG-34");
    for (std::size_t i = 0; i < MpaFrame::kKeyBytes; ++i) {
        Octets octets = vectors::octets(vectors::kRequest.hex);
        octets[i] ^= std::byte{0x80};
        const Verdict verdict = read_one_by_one(MpaRole::request, octets);
        EXPECT_EQ(verdict.fault, FaultKind::wrong_key);
        EXPECT_EQ(verdict.taken, i + 1);
    }
    const std::string_view greeting = "GET / HTTP/1.1\r\n";
    EXPECT_EQ(read_one_by_one(MpaRole::request, copy(std::as_bytes(std::span(greeting)))).taken, 1u);
}

TEST(MpaFrameReader, TellsAPeerOfTheSameRole) {
    proves("IW-NEG-03", "IW-NEG-04");
    const Verdict responder = read_one_by_one(MpaRole::request, vectors::octets(vectors::kReply.hex));
    EXPECT_EQ(responder.fault, FaultKind::key_of_the_same_role);
    EXPECT_EQ(responder.taken, 10u);
    const Verdict initiator = read_one_by_one(MpaRole::reply, vectors::octets(vectors::kRequest.hex));
    EXPECT_EQ(initiator.fault, FaultKind::key_of_the_same_role);
}

TEST(MpaFrameReader, RefusesTooMuchPrivateDataBeforeItArrives) {
    proves("IW-MPA-02", "IW-NEG-05");
    for (const std::size_t length : {513, 0xffff}) {
        const Verdict verdict = read_one_by_one(MpaRole::request, request_with(0x40, 1, length));
        EXPECT_EQ(verdict.fault, FaultKind::private_data_too_long);
        EXPECT_EQ(verdict.taken, MpaFrame::kHeaderBytes);
    }
}

TEST(MpaFrameReader, TakesAsMuchPrivateDataAsThereMayBe) {
    proves("IW-NEG-06", "IW-SEC-16");
    Octets octets = request_with(0x40, 1, PrivateData::kMaxBytes);
    octets.resize(octets.size() + PrivateData::kMaxBytes, std::byte{0x5a});
    const Verdict plain = read_one_by_one(MpaRole::request, octets);
    ASSERT_TRUE(plain.frame);
    EXPECT_EQ(plain.frame->private_data.octets().size(), 512u);
    octets[16] = std::byte{0x50};
    octets[17] = std::byte{2};
    const Verdict enhanced = read_one_by_one(MpaRole::request, octets);
    ASSERT_TRUE(enhanced.frame);
    EXPECT_EQ(enhanced.frame->private_data.octets().size(), 508u);
}

TEST(MpaFrameReader, RefusesEnhancedDataThatIsCut) {
    proves("IW-MPA-03", "IW-NEG-07");
    for (std::size_t length = 0; length < EnhancedData::kBytes; ++length)
        EXPECT_EQ(read_one_by_one(MpaRole::request, request_with(0x50, 2, length)).fault, FaultKind::enhanced_data_cut);
    EXPECT_TRUE(read_one_by_one(MpaRole::request, request_with(0x50, 1, 0)).frame) << "S means nothing in revision 1";
}

TEST(MpaFrameReader, RefusesOtherRevisions) {
    proves("IW-NEG-08");
    for (const int revision : {0, 3, 255})
        EXPECT_EQ(read_one_by_one(MpaRole::request, request_with(0x40, static_cast<std::uint8_t>(revision), 0)).fault,
                  FaultKind::revision_unsupported);
}

}  // namespace
}  // namespace opennd::iwarp
