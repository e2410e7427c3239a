// SPDX-License-Identifier: MIT
// Responses belong to the oldest Read and to its next octet.
#include "transport/iwarp/stream/outstanding_reads.h"

#include <gtest/gtest.h>

#include "support/requirement.h"
#include "unit/transport/iwarp/segments.h"

namespace opennd::iwarp {
namespace {

using support::proves;

class OutstandingReadsTest : public testing::Test {
protected:
    Checked<ResponsePlacement> accept(Stag sink, std::uint64_t offset, std::size_t bytes, bool last) {
        const Octets ulpdu = tagged_ulpdu(Opcode::read_response, {sink, offset}, bytes, last);
        return reads.accept(segment_of(ulpdu));
    }
    TerminateCause refused(Stag sink, std::uint64_t offset, std::size_t bytes, bool last) {
        return cause_of(accept(sink, offset, bytes, last));
    }

    OutstandingReads reads{2};
};

constexpr Stag kFirst{0x11}, kSecond{0x22};

TEST_F(OutstandingReadsTest, PlacesResponsesInTheOrderOfTheReads) {
    proves("IW-RDMAP-24");
    reads.start(kFirst, 100);
    reads.start(kSecond, 0);
    EXPECT_TRUE(reads.full());
    const auto part = accept(kFirst, 0, 60, false);
    ASSERT_TRUE(part.ok());
    EXPECT_FALSE(part.value().last);
    EXPECT_TRUE(reads.in_response());
    const auto rest = accept(kFirst, 60, 40, true);
    ASSERT_TRUE(rest.ok());
    EXPECT_EQ(rest.value().read_offset, 60u);
    EXPECT_TRUE(rest.value().last);
    EXPECT_FALSE(reads.full() || reads.in_response());
    EXPECT_TRUE(accept(kSecond, 0, 0, true).value().last);
    EXPECT_TRUE(reads.empty());
}

TEST_F(OutstandingReadsTest, IsUsedOverAndOver) {
    for (std::uint32_t i = 1; i < 10; ++i) {
        reads.start(Stag{i}, i);
        EXPECT_TRUE(accept(Stag{i}, 0, i, true).ok());
    }
}

TEST_F(OutstandingReadsTest, RefusesAResponseThatNobodyAskedFor) {
    proves("IW-NEG-99");
    EXPECT_EQ(refused(kFirst, 0, 0, true), term(0, 2, 6));
    OutstandingReads none(0);
    EXPECT_TRUE(none.full() && none.empty());
}

TEST_F(OutstandingReadsTest, RefusesAResponseToAnotherSink) {
    proves("IW-NEG-100", "IW-NEG-103");
    reads.start(kFirst, 100);
    reads.start(kSecond, 100);
    EXPECT_EQ(refused(Stag{0x33}, 0, 100, true), term(1, 1, 0));
    EXPECT_EQ(refused(kSecond, 0, 100, true), term(1, 1, 0)) << "out of order";
}

TEST_F(OutstandingReadsTest, RefusesAResponseOutOfPlace) {
    proves("IW-NEG-101");
    reads.start(kFirst, 100);
    ASSERT_TRUE(accept(kFirst, 0, 50, false).ok());
    for (const std::uint64_t offset : {0ull, 49ull, 51ull, 0x100000032ull})
        EXPECT_EQ(refused(kFirst, offset, 10, false), term(1, 1, 1)) << offset;
    EXPECT_EQ(refused(kFirst, 50, 51, true), term(1, 1, 1)) << "overruns";
}

TEST_F(OutstandingReadsTest, LeavesOutWhatNobodyAskedFor) {
    proves("IW-IOP-05");
    reads.start(kFirst, 0);
    const auto part = accept(kFirst, 0, 50, false), rest = accept(kFirst, 50, 14, true);
    ASSERT_TRUE(part.ok() && rest.ok());
    EXPECT_TRUE(part.value().surplus && rest.value().surplus && rest.value().last);
    EXPECT_TRUE(reads.empty());
    reads.start(kFirst, 0);
    EXPECT_EQ(refused(kFirst, 8, 8, true), term(1, 1, 1)) << "still in its place";
}

TEST_F(OutstandingReadsTest, RefusesAResponseThatEndsEarly) {
    proves("IW-NEG-102", "IW-NEG-104");
    reads.start(kFirst, 100);
    EXPECT_EQ(refused(kFirst, 0, 0, true), term(0, 2, 7));
    EXPECT_EQ(refused(kFirst, 0, 99, true), term(0, 2, 7));
}

}  // namespace
}  // namespace opennd::iwarp
